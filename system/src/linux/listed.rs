//! The symbols of a file, as its tables list them. Programs do not load all of these, so they are read from the file.
//!
//! *Context:* any: system calls, and memory of the system's alone.

use core::ffi::CStr;

use gmon_interpose::elf::{ElfHeader, SectionHeader, Symbol, item};

use crate::linux::platform::{self, File};
use crate::linux::region::Scratch;

/// A table of symbols of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// All that the linker knew, unless the file was stripped.
    All = 2,
    /// Symbols that other modules may use.
    Shared = 11,
}

/// A symbol that the file defines.
pub struct Listed<'n> {
    /// As the table has it.
    pub name: &'n [u8],
    /// In the file's addresses.
    pub address: usize,
    /// In bytes; 0 if nobody said.
    pub size: usize,
    /// True of code.
    pub is_function: bool,
}

const STT_FUNC: u8 = 2;

/// Calls `visit` with each symbol of a table; false if the file has no such table.
pub fn each(path: &CStr, table: Table, mut visit: impl FnMut(Listed<'_>)) -> bool {
    each_symbol(path, table, |name, symbol| {
        if symbol.st_shndx != 0 {
            visit(Listed {
                name,
                address: symbol.st_value as usize,
                size: symbol.st_size as usize,
                is_function: symbol.st_info & 0xf == STT_FUNC,
            });
        }
    })
}

/// Returns `true` if a table has this name, of a symbol that the file defines or wants of others.
pub fn refers_to(path: &CStr, table: Table, wanted: &[u8]) -> bool {
    let mut is_there = false;
    each_symbol(path, table, |name, _| is_there |= name == wanted);
    is_there
}

/// Calls `visit` with each symbol of a table that has a name; false if the file has no such table.
fn each_symbol(path: &CStr, table: Table, mut visit: impl FnMut(&[u8], &Symbol)) -> bool {
    let Some((symbols, names)) = tables(path, table) else { return false };
    for index in 0.. {
        let Some(symbol) = item::<Symbol>(&symbols, index) else { break };
        let name = names.get(symbol.st_name as usize..).unwrap_or_default();
        let Ok(name) = CStr::from_bytes_until_nul(name) else { continue };
        if !name.is_empty() {
            visit(name.to_bytes(), &symbol);
        }
    }
    true
}

/// The symbols of a table, and their names.
fn tables(path: &CStr, table: Table) -> Option<(Scratch, Scratch)> {
    let mut file = platform::open(path).ok()?;
    let header = read(&mut file, 0, size_of::<ElfHeader>())?;
    let header = item::<ElfHeader>(&header, 0)?;
    let len = usize::from(header.e_shnum).checked_mul(size_of::<SectionHeader>())?;
    let sections = read(&mut file, header.e_shoff as usize, len)?;
    let section = |index| item::<SectionHeader>(&sections, index);
    let symbols = (0..).map_while(section).find(|section| section.sh_type == table as u32)?;
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
