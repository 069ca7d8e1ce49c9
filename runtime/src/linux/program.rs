//! The main program: where it was loaded and where its code lies.
//!
//! *Context:* `get` any (the first call, in `start`, reads the auxiliary vector).

use core::ffi::{CStr, c_char, c_ulong};
use core::ops::Range;

use once_cell::race::OnceRef;

use crate::arch;
use crate::linux::region::Region;
use crate::linux::{c_library, platform};

#[cfg(target_pointer_width = "32")]
use libc::{Elf32_Ehdr as ElfHeader, Elf32_Phdr as ProgramHeader};
#[cfg(target_pointer_width = "64")]
use libc::{Elf64_Ehdr as ElfHeader, Elf64_Phdr as ProgramHeader};

/// The main program as it lies in memory.
#[derive(Clone)]
pub(crate) struct Program {
    /// What must be subtracted from an address to get the executable file's: 0 unless the program
    /// is position-independent.
    pub(crate) bias: usize,
    /// From its first executable byte to the end of its last.
    pub(crate) text: Range<usize>,
    /// Its entry point, normally `_start`.
    pub(crate) entry: usize,
    /// The size of a page of memory.
    pub(crate) page: usize,
    /// The name of its file, without the directory.
    pub(crate) name: &'static [u8],
    /// Whether it runs with more rights than its caller, who must then not direct it.
    pub(crate) is_privileged: bool,
}

impl Program {
    /// The running program; `None` if the system does not tell.
    pub(crate) fn get() -> Option<&'static Self> {
        static PROGRAM: OnceRef<'static, Program> = OnceRef::new();
        PROGRAM
            .get_or_try_init(|| {
                let program = Self::discover().ok_or(())?;
                Ok::<&Self, ()>(Region::map(size_of::<Self>()).ok_or(())?.place(program))
            })
            .ok()
    }

    /// Whether the runtime is linked into the program, and not preloaded beside it.
    pub(crate) fn has_runtime(&self) -> bool {
        self.text.contains(&arch::external_caller())
    }

    fn discover() -> Option<Self> {
        let vector = AuxiliaryVector::read();
        let headers = vector.get(libc::AT_PHDR)? as *const ProgramHeader;
        let count = vector.get(libc::AT_PHNUM)? as usize;
        // SAFETY: the kernel (or the dynamic loader that was run as a program) tells where it
        // mapped the program headers and how many there are; they stay mapped and unchanged.
        let headers = unsafe { core::slice::from_raw_parts(headers, count) };
        let bias = load_bias(headers)?;
        let executable = headers
            .iter()
            .filter(|header| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0)
            .map(|header| {
                let start = bias.wrapping_add(header.p_vaddr as usize);
                start..start.wrapping_add(header.p_memsz as usize)
            });
        let text = executable.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
        Some(Self {
            bias,
            text,
            entry: vector.get(libc::AT_ENTRY).unwrap_or(0) as usize,
            page: vector.get(libc::AT_PAGESZ).unwrap_or(4096) as usize,
            name: file_name(vector.get(libc::AT_EXECFN).unwrap_or(0) as *const c_char),
            is_privileged: vector.get(libc::AT_SECURE).unwrap_or(0) != 0,
        })
    }
}

/// The last component of the path that the program was executed by.
fn file_name(path: *const c_char) -> &'static [u8] {
    if path.is_null() {
        return b"";
    }
    // SAFETY: the kernel tells where it put the path: a C string above the initial stack.
    let path = unsafe { CStr::from_ptr::<'static>(path) }.to_bytes();
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// The difference between where the program headers are and where the file says they are.
fn load_bias(headers: &[ProgramHeader]) -> Option<usize> {
    let address = headers.as_ptr() as usize;
    let own = headers.iter().find(|header| header.p_type == libc::PT_PHDR);
    if let Some(own) = own {
        return Some(address.wrapping_sub(own.p_vaddr as usize));
    }
    // Static programs may lack the entry. Then the headers follow the ELF header, which begins the
    // file and the first segment.
    let first =
        headers.iter().find(|header| header.p_type == libc::PT_LOAD && header.p_offset == 0)?;
    let elf_header = address.wrapping_sub(size_of::<ElfHeader>());
    Some(elf_header.wrapping_sub(first.p_vaddr as usize))
}

/// What the kernel tells a program about itself: pairs of kind and value, as read from it. `None`
/// means to ask the C library, which knows better when the dynamic loader was run as a program.
struct AuxiliaryVector(Option<[[c_ulong; 2]; Self::PAIRS]>);

impl AuxiliaryVector {
    /// Linux passes about twenty.
    const PAIRS: usize = 32;

    fn read() -> Self {
        const WORD: usize = size_of::<c_ulong>();
        if c_library::auxiliary_value(libc::AT_PHDR).is_some_and(|address| address != 0) {
            return Self(None);
        }
        let mut pairs = [[0; 2]; Self::PAIRS];
        if let Ok(mut file) = platform::open(c"/proc/self/auxv") {
            let mut bytes = [0; Self::PAIRS * 2 * WORD];
            let len = file.read(&mut bytes).unwrap_or(0);
            let words = bytes.get(..len).unwrap_or_default().chunks_exact(WORD);
            for (place, word) in pairs.as_flattened_mut().iter_mut().zip(words) {
                *place = word.try_into().map_or(0, c_ulong::from_ne_bytes);
            }
        }
        Self(Some(pairs))
    }

    fn get(&self, kind: c_ulong) -> Option<c_ulong> {
        match &self.0 {
            None => c_library::auxiliary_value(kind),
            Some(pairs) => pairs.iter().find(|pair| pair[0] == kind).map(|pair| pair[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_the_one_that_runs() {
        let program = Program::get().unwrap();
        let here = Program::get as *const () as usize;
        assert!(program.text.contains(&here) && program.text.contains(&program.entry));
        assert!(!program.is_privileged);
        // The test program is position-independent and has its ELF header at its bias.
        assert_ne!(program.bias, 0);
        assert_eq!(program.bias % 4096, 0);
    }
}
