//! The headers of a module.

use core::ops::{Deref, Range};

use libc::{PF_R, PT_LOAD, PT_NOTE};

use super::plain::{ElfHeader, ProgramHeader, bytes_of, zeroed};

/// Headers that a module has at most.
const MOST: usize = 64;

/// A copy of the headers of a module.
pub struct Headers {
    list: [ProgramHeader; MOST],
    len: usize,
}

impl Deref for Headers {
    type Target = [ProgramHeader];

    fn deref(&self) -> &[ProgramHeader] {
        self.list.get(..self.len).unwrap_or_default()
    }
}

impl Headers {
    /// The headers of a file whose first bytes are at an address of what `read` fills places from; `None` if it is no
    /// module.
    pub fn at(
        address: usize,
        mut read: impl FnMut(&mut [u8], usize) -> Option<()>,
    ) -> Option<Self> {
        const ELF: &[u8] = b"\x7fELF";
        let mut elf: ElfHeader = zeroed();
        read(bytes_of(core::slice::from_mut(&mut elf)), address)?;
        let is_one = elf.e_ident.starts_with(ELF)
            && usize::from(elf.e_phentsize) == size_of::<ProgramHeader>();
        let first = address.checked_add(usize::try_from(elf.e_phoff).ok().filter(|_| is_one)?)?;
        let mut headers = Self { list: [zeroed(); MOST], len: elf.e_phnum.into() };
        read(bytes_of(headers.list.get_mut(..headers.len)?), first)?;
        Some(headers)
    }
}

/// Amount that is added to all addresses of a file whose bytes from an offset on lie at an address.
pub fn bias_of(headers: &[ProgramHeader], offset: usize, address: usize) -> Option<usize> {
    let mut segments = headers.iter().filter(|header| header.p_type == PT_LOAD);
    segments.find_map(|segment| {
        let inside = offset.checked_sub(segment.p_offset as usize)?;
        let start = address.wrapping_sub(inside);
        (inside < segment.p_filesz as usize).then(|| start.wrapping_sub(segment.p_vaddr as usize))
    })
}

/// Places of notes, in the file's addresses, with their alignment.
pub fn notes_of(headers: &[ProgramHeader]) -> impl Iterator<Item = (Range<usize>, usize)> {
    headers.iter().filter(|header| header.p_type == PT_NOTE).map(|header| {
        let start = header.p_vaddr as usize;
        let end = start.saturating_add(header.p_memsz as usize);
        (start..end, if header.p_align == 8 { 8 } else { 4 })
    })
}

/// The readable segment that holds an address of the process: where it begins, and its bytes.
///
/// # Safety
/// The loader must have mapped the module as the headers say, `bias` behind the file's addresses, and nobody may unmap
/// it or write to this segment as long as the bytes are used.
pub unsafe fn segment_of<'m>(
    headers: &[ProgramHeader],
    bias: usize,
    address: usize,
) -> Option<(usize, &'m [u8])> {
    let start_of = |header: &ProgramHeader| bias.wrapping_add(header.p_vaddr as usize);
    let segment = headers.iter().rev().find(|header| {
        let is_there = header.p_type == PT_LOAD && header.p_flags & PF_R != 0;
        is_there && address.wrapping_sub(start_of(header)) < header.p_filesz as usize
    })?;
    let start = start_of(segment);
    // SAFETY: a readable segment, which is there for 'm, as the caller says.
    let bytes =
        unsafe { core::slice::from_raw_parts(start as *const u8, segment.p_filesz as usize) };
    Some((start, bytes))
}
