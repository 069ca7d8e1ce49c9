//! Placement of a program's code while it ran, and what its hooks' addresses become in a file.
//!
//! Hooks count pairs of return address and address in the function called, wherever the program and
//! its libraries happened to be loaded. A file tells arcs of the program, in the addresses of its
//! executable.

use core::ops::Range;

use crate::{CallSite, FilePc, LoadedPc, ReturnPc, SelfPc};

/// Placement of a program's code in its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Difference between an address of the process and the executable file's.
    pub bias: u64,
    /// The program's text.
    pub text: Range<LoadedPc>,
    /// The function that stands for callers outside the text: a C library that calls a comparator,
    /// the kernel that calls a signal handler. Readers drop an arc whose caller is not a function of the
    /// program.
    pub external_caller: LoadedPc,
    /// Difference between a return address and one inside the call, which may be the last
    /// instruction of the calling function.
    pub call_offset: u64,
}

impl Placement {
    /// The two ends of an arc in the executable's addresses; `None` if the function called is not of
    /// the program.
    #[must_use]
    pub fn arc(
        &self,
        return_pc: ReturnPc,
        SelfPc(callee): SelfPc<LoadedPc>,
    ) -> Option<(CallSite, SelfPc)> {
        let callee = self.pc(callee)?;
        let CallSite(site) = return_pc.call_site(self.call_offset);
        let caller = if self.text.contains(&site) { site } else { self.external_caller };
        Some((CallSite(self.file_pc(caller)), SelfPc(callee)))
    }

    /// An address of the program's text in the executable's addresses; `None` if it is outside.
    #[must_use]
    pub fn pc(&self, pc: LoadedPc) -> Option<FilePc> {
        self.text.contains(&pc).then(|| self.file_pc(pc))
    }

    /// An address of the process in the executable's addresses, wherever it lies.
    #[must_use]
    pub fn file_pc(&self, pc: LoadedPc) -> FilePc {
        pc.in_file(self.bias)
    }
}
