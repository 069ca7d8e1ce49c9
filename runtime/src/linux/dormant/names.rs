//! The functions of the program by name, as its file lists them. Programs do not load that list, so it is read here, piece
//! by piece.
//!
//! *Context:* startup, hook.

use core::ffi::CStr;

#[cfg(target_pointer_width = "32")]
use libc::{Elf32_Shdr as SectionHeader, Elf32_Sym as Symbol};
#[cfg(target_pointer_width = "64")]
use libc::{Elf64_Shdr as SectionHeader, Elf64_Sym as Symbol};

use crate::linux::platform::{self, File};
use crate::linux::program::ElfHeader;

const SHT_SYMTAB: u32 = 2;
const STT_FUNC: u8 = 2;

/// Calls `visit` with name and address of each function; false if the file does not list them.
pub(super) fn each(mut visit: impl FnMut(&[u8], usize)) -> bool {
    let Some((symbols, names)) = tables() else { return false };
    for index in 0.. {
        // SAFETY: symbols are plain numbers.
        let Some(symbol) = (unsafe { item::<Symbol>(symbols.bytes(), index) }) else { break };
        let is_function = symbol.st_info & 0xf == STT_FUNC && symbol.st_shndx != 0;
        let name = names.bytes().get(symbol.st_name as usize..).unwrap_or_default();
        if let Ok(name) = CStr::from_bytes_until_nul(name) {
            if is_function && !name.is_empty() {
                visit(name.to_bytes(), symbol.st_value as usize);
            }
        }
    }
    true
}

/// The symbols of the program's file, and their names.
fn tables() -> Option<(Piece, Piece)> {
    let mut file = platform::open(c"/proc/self/exe").ok()?;
    let header = Piece::read(&mut file, 0, size_of::<ElfHeader>())?;
    // SAFETY: plain numbers.
    let header = unsafe { item::<ElfHeader>(header.bytes(), 0) }?;
    let len = usize::from(header.e_shnum).checked_mul(size_of::<SectionHeader>())?;
    let sections = Piece::read(&mut file, header.e_shoff as usize, len)?;
    // SAFETY: plain numbers.
    let section = |index| unsafe { item::<SectionHeader>(sections.bytes(), index) };
    let symbols = (0..).map_while(section).find(|section| section.sh_type == SHT_SYMTAB)?;
    let names = section(symbols.sh_link as usize)?;
    let mut read = |section: &SectionHeader| {
        Piece::read(&mut file, section.sh_offset as usize, section.sh_size as usize)
    };
    Some((read(&symbols)?, read(&names)?))
}

/// The value at an index of a table.
///
/// # Safety
/// Any bytes must make one.
unsafe fn item<T>(bytes: &[u8], index: usize) -> Option<T> {
    let start = index.checked_mul(size_of::<T>())?;
    let place = bytes.get(start..)?.get(..size_of::<T>())?;
    // SAFETY: so many bytes, and any will do, as the caller promises.
    Some(unsafe { place.as_ptr().cast::<T>().read_unaligned() })
}

/// A piece of the file, in memory of its own.
struct Piece {
    base: *mut u8,
    len: usize,
}

impl Piece {
    fn read(file: &mut File, offset: usize, len: usize) -> Option<Self> {
        let piece = Self { base: platform::map(len)?, len };
        // SAFETY: so many zeros were mapped, and nobody else knows them.
        let bytes = unsafe { core::slice::from_raw_parts_mut(piece.base, len) };
        file.read_at(offset as u64, bytes).then_some(piece)
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: mapped by `read`, and never written again.
        unsafe { core::slice::from_raw_parts(self.base, self.len) }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // SAFETY: what borrows from it has ended.
        unsafe { platform::unmap(self.base, self.len) };
    }
}
