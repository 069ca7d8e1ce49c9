//! The main program: where it was loaded and where its code lies.
//!
//! *Context:* `get` any (the first call, in `start`, reads the auxiliary vector).

use core::ffi::{CStr, c_char, c_ulong};
use core::ops::Range;

use once_cell::race::OnceRef;

use crate::arch;
use crate::linux::region::Region;
use crate::linux::{c_library, platform};
use gmon_interpose::elf::{self, ElfHeader, Image, ProgramHeader};

/// The main program as it lies in memory.
#[derive(Clone)]
pub struct Program {
    /// Difference between an address and the executable file's: 0 unless the program is
    /// position-independent.
    pub bias: usize,
    /// From its first executable byte to the end of its last.
    pub text: Range<usize>,
    /// Its entry point, normally `_start`.
    pub entry: usize,
    /// The size of a page of memory.
    pub page: usize,
    /// Its program headers, where the kernel has mapped them.
    pub headers: &'static [ProgramHeader],
    /// The name of its file, without the directory.
    pub name: &'static [u8],
    /// True if it runs with more rights than its caller, who must then not direct it.
    pub is_privileged: bool,
    /// True if some runtime of ours is linked into it: this one, or another one if this one is preloaded.
    has_note: bool,
}

impl Program {
    /// The running program; `None` if the system does not tell.
    pub fn get() -> Option<&'static Self> {
        static PROGRAM: OnceRef<'static, Program> = OnceRef::new();
        PROGRAM
            .get_or_try_init(|| {
                let program = Self::discover().ok_or(())?;
                Ok::<&Self, ()>(Region::map(size_of::<Self>()).ok_or(())?.place(program))
            })
            .ok()
    }

    /// Returns `true` if the runtime is linked into the program, and not preloaded beside it.
    pub fn has_runtime(&self) -> bool {
        self.text.contains(&arch::external_caller())
    }

    /// Returns `true` if another runtime of ours is linked into the program, and this one is preloaded
    /// beside it.
    pub fn has_another_runtime(&self) -> bool {
        self.has_note && !self.has_runtime()
    }

    /// Ranges of its code, but for code that can be written to.
    pub fn code(&self) -> impl Iterator<Item = Range<usize>> {
        let is_code = |header: &&ProgramHeader| {
            header.p_type == libc::PT_LOAD
                && header.p_flags & (libc::PF_X | libc::PF_W) == libc::PF_X
        };
        self.headers.iter().filter(is_code).map(|header| {
            let start = self.bias.wrapping_add(header.p_vaddr as usize);
            start..start.wrapping_add(header.p_filesz as usize)
        })
    }

    /// Its segments.
    pub fn image(&self) -> Option<Image<'static>> {
        image(self.headers, self.bias)
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

/// Length of the system's pages, in bytes; never 0, which the compiler must see where lengths are divided by it:
/// hooks cannot panic.
#[inline]
pub fn page_size() -> usize {
    Program::get().map_or(4096, |program| program.page).max(1)
}

/// The segments of the program.
fn image(headers: &'static [ProgramHeader], bias: usize) -> Option<Image<'static>> {
    // SAFETY: the kernel mapped the program by these headers, and it stays.
    unsafe { Image::loaded(headers, bias) }
}

/// Returns `true` if the program has the note that marks our runtime.
fn has_note(headers: &'static [ProgramHeader], bias: usize) -> bool {
    const VERSION: (&[u8; 5], u32) = (b"gmon\0", 1);
    let Some(image) = image(headers, bias) else { return false };
    let read = |place: &mut [u8], at: usize| {
        let bytes = image.bytes(at..at.checked_add(place.len())?)?;
        place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        Some(())
    };
    elf::notes_of(headers)
        .any(|(notes, alignment)| elf::find_note(notes, alignment, VERSION, read).is_some())
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
    elf::bias_of(headers, 0, address.wrapping_sub(size_of::<ElfHeader>()))
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
