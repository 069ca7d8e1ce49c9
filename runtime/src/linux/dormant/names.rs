//! The functions of the program by name, as its file lists them. Programs do not load that list, so it is read here, piece
//! by piece.
//!
//! *Context:* startup, hook.

use core::ffi::CStr;

use crate::linux::elf::{ElfHeader, SectionHeader, Symbol, item};
use crate::linux::platform::{self, File};
use crate::linux::region::Scratch;

const SHT_SYMTAB: u32 = 2;
const STT_FUNC: u8 = 2;

/// Calls `visit` with name and address of each function; false if the file does not list them.
pub(super) fn each(mut visit: impl FnMut(&[u8], usize)) -> bool {
    let Some((symbols, names)) = tables() else { return false };
    for index in 0.. {
        let Some(symbol) = item::<Symbol>(&symbols, index) else { break };
        let is_function = symbol.st_info & 0xf == STT_FUNC && symbol.st_shndx != 0;
        let name = names.get(symbol.st_name as usize..).unwrap_or_default();
        if let Ok(name) = CStr::from_bytes_until_nul(name) {
            if is_function && !name.is_empty() {
                visit(name.to_bytes(), symbol.st_value as usize);
            }
        }
    }
    true
}

/// The symbols of the program's file, and their names.
fn tables() -> Option<(Scratch, Scratch)> {
    let mut file = platform::open(c"/proc/self/exe").ok()?;
    let header = read(&mut file, 0, size_of::<ElfHeader>())?;
    let header = item::<ElfHeader>(&header, 0)?;
    let len = usize::from(header.e_shnum).checked_mul(size_of::<SectionHeader>())?;
    let sections = read(&mut file, header.e_shoff as usize, len)?;
    let section = |index| item::<SectionHeader>(&sections, index);
    let symbols = (0..).map_while(section).find(|section| section.sh_type == SHT_SYMTAB)?;
    let names = section(symbols.sh_link as usize)?;
    let mut table = |section: &SectionHeader| {
        read(&mut file, section.sh_offset as usize, section.sh_size as usize)
    };
    Some((table(&symbols)?, table(&names)?))
}

/// A piece of the file, in memory of its own.
fn read(file: &mut File, offset: usize, len: usize) -> Option<Scratch> {
    let mut piece = Scratch::new(len)?;
    file.read_at(offset as u64, &mut piece).then_some(piece)
}
