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
pub(crate) use libc::{Elf32_Ehdr as ElfHeader, Elf32_Phdr as ProgramHeader};
#[cfg(target_pointer_width = "64")]
pub(crate) use libc::{Elf64_Ehdr as ElfHeader, Elf64_Phdr as ProgramHeader};

/// The main program as it lies in memory.
#[derive(Clone)]
pub(crate) struct Program {
    /// Difference between an address and the executable file's: 0 unless the program is
    /// position-independent.
    pub(crate) bias: usize,
    /// From its first executable byte to the end of its last.
    pub(crate) text: Range<usize>,
    /// Its entry point, normally `_start`.
    pub(crate) entry: usize,
    /// The size of a page of memory.
    pub(crate) page: usize,
    /// Its program headers, where the kernel has mapped them.
    pub(crate) headers: &'static [ProgramHeader],
    /// The name of its file, without the directory.
    pub(crate) name: &'static [u8],
    /// True if it runs with more rights than its caller, who must then not direct it.
    pub(crate) is_privileged: bool,
    /// True if some runtime of ours is linked into it: this one, or another one if this one is preloaded.
    has_note: bool,
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

    /// Returns `true` if the runtime is linked into the program, and not preloaded beside it.
    pub(crate) fn has_runtime(&self) -> bool {
        self.text.contains(&arch::external_caller())
    }

    /// Returns `true` if another runtime of ours is linked into the program, and this one is preloaded
    /// beside it.
    pub(crate) fn has_another_runtime(&self) -> bool {
        self.has_note && !self.has_runtime()
    }

    /// Ranges of its code, but for code that can be written to.
    pub(crate) fn code(&self) -> impl Iterator<Item = Range<usize>> {
        let is_code = |header: &&ProgramHeader| {
            header.p_type == libc::PT_LOAD
                && header.p_flags & (libc::PF_X | libc::PF_W) == libc::PF_X
        };
        self.headers.iter().filter(is_code).map(|header| {
            let start = self.bias.wrapping_add(header.p_vaddr as usize);
            start..start.wrapping_add(header.p_filesz as usize)
        })
    }

    fn discover() -> Option<Self> {
        let vector = AuxiliaryVector::read();
        let headers = vector.get(libc::AT_PHDR)? as *const ProgramHeader;
        let count = vector.get(libc::AT_PHNUM)? as usize;
        // SAFETY: the kernel (or the dynamic loader that was run as a program) tells where it
        // mapped the program headers and how many there are; they stay mapped and unchanged.
        let headers: &'static [_] = unsafe { core::slice::from_raw_parts(headers, count) };
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
            headers,
            page: vector.get(libc::AT_PAGESZ).unwrap_or(4096) as usize,
            name: file_name(vector.get(libc::AT_EXECFN).unwrap_or(0) as *const c_char),
            is_privileged: vector.get(libc::AT_SECURE).unwrap_or(0) != 0,
            has_note: has_note(headers, bias),
        })
    }
}

/// Returns `true` if the program has the note that marks our runtime.
fn has_note(headers: &[ProgramHeader], bias: usize) -> bool {
    /// The owner and the type, behind the lengths of owner and contents.
    const OWNER: &[u8; 5] = b"gmon\0";
    const VERSION: u32 = 1;
    const HEADER: usize = 12;
    let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE);
    notes.into_iter().any(|header| {
        let start = bias.wrapping_add(header.p_vaddr as usize) as *const u8;
        // SAFETY: notes that have a program header lie in a segment that stays mapped and is never written.
        let mut rest = unsafe { core::slice::from_raw_parts(start, header.p_memsz as usize) };
        let alignment = if header.p_align == 8 { 8 } else { 4 };
        loop {
            let word = |index: usize| {
                let bytes = rest.get(4 * index..).and_then(<[u8]>::first_chunk);
                bytes.copied().map(u32::from_ne_bytes)
            };
            let (Some(owner_len), Some(len), Some(kind)) = (word(0), word(1), word(2)) else {
                return false;
            };
            let owner_len = owner_len as usize;
            let owner = rest.get(HEADER..).and_then(|rest| rest.get(..owner_len));
            if owner == Some(OWNER) && kind == VERSION {
                return true;
            }
            let contents = (HEADER + owner_len).next_multiple_of(alignment);
            let end = contents.saturating_add(len as usize);
            let next = end.checked_next_multiple_of(alignment).and_then(|end| rest.get(end..));
            let Some(next) = next else { return false };
            rest = next;
        }
    })
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

/// The kernel's facts for a program about itself: pairs of kind and value, as read from it. `None`
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
        // It has the runtime in it as a crate, without the note of a library.
        assert!(program.has_runtime() && !program.has_another_runtime());
        // The test program is position-independent and has its ELF header at its bias.
        assert_ne!(program.bias, 0);
        assert_eq!(program.bias % 4096, 0);
    }
}
