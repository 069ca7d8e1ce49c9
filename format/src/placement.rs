//! Where a program's code lay while it ran, and what its hooks' addresses become in a file.
//!
//! Hooks count pairs of return address and address in the function called, wherever the program and
//! its libraries happened to be loaded. A file tells arcs of the program, in the addresses of its
//! executable.

use core::ops::Range;

/// Where the code of a program lay in its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// What must be subtracted from an address of the process to get the executable file's.
    pub bias: u64,
    /// The program's text, in the process.
    pub text: Range<u64>,
    /// The function, in the process, that stands for callers outside the text: a C library that
    /// calls a comparator, the kernel that calls a signal handler. Readers drop an arc whose caller
    /// is no function of the program.
    pub external_caller: u64,
    /// What must be subtracted from a return address to get one inside the call, which may be the
    /// last instruction of the calling function.
    pub call_offset: u64,
}

impl Placement {
    /// The two ends of an arc in the executable's addresses; `None` if what was called is not of the
    /// program. `from_pc` is a return address of the process, `self_pc` an address in the function.
    #[must_use]
    pub fn arc(&self, from_pc: u64, self_pc: u64) -> Option<(u64, u64)> {
        let self_pc = self.pc(self_pc)?;
        let call_site = from_pc.wrapping_sub(self.call_offset);
        let caller = if self.text.contains(&call_site) { call_site } else { self.external_caller };
        Some((self.file_pc(caller), self_pc))
    }

    /// An address of the program's text in the executable's addresses; `None` if it is outside.
    #[must_use]
    pub fn pc(&self, pc: u64) -> Option<u64> {
        self.text.contains(&pc).then(|| self.file_pc(pc))
    }

    /// An address of the process in the executable's addresses.
    #[must_use]
    pub fn file_pc(&self, pc: u64) -> u64 {
        pc.wrapping_sub(self.bias)
    }
}
