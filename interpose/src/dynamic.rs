//! The dynamic section of a module: where its tables are.

use core::ops::Range;

use crate::elf::{Image, word_at};

/// Tags (System V ABI, "Dynamic Section"; those above 0x6000_0000 are GNU's).
mod tag {
    pub(super) const PLTRELSZ: usize = 2;
    pub(super) const HASH: usize = 4;
    pub(super) const STRTAB: usize = 5;
    pub(super) const SYMTAB: usize = 6;
    pub(super) const RELA: usize = 7;
    pub(super) const RELASZ: usize = 8;
    pub(super) const STRSZ: usize = 10;
    pub(super) const SYMBOLIC: usize = 16;
    pub(super) const REL: usize = 17;
    pub(super) const RELSZ: usize = 18;
    pub(super) const PLTREL: usize = 20;
    pub(super) const DEBUG: usize = 21;
    pub(super) const JMPREL: usize = 23;
    pub(super) const FLAGS: usize = 30;
    pub(super) const GNU_HASH: usize = 0x6fff_fef5;
    pub(super) const VERSYM: usize = 0x6fff_fff0;
    pub(super) const VERDEF: usize = 0x6fff_fffc;
    pub(super) const VERNEED: usize = 0x6fff_fffe;
}

/// The flag that says what [`tag::SYMBOLIC`] does.
const DF_SYMBOLIC: usize = 2;

const WORD: usize = size_of::<usize>();

/// Addresses of the tables, in the file; 0 for what is not there.
#[derive(Clone, Default)]
pub struct Dynamic {
    pub(crate) symbols: usize,
    pub(crate) strings: Range<usize>,
    pub(crate) gnu_hash: usize,
    pub(crate) hash: usize,
    /// The version of each symbol, the versions that are needed, and those that are defined.
    pub(crate) versions: usize,
    pub(crate) needed: usize,
    pub(crate) defined: usize,
    /// The relocations of the procedure linkage table.
    pub(crate) jumps: Range<usize>,
    pub(crate) jumps_have_addends: bool,
    /// The others, with addends and without.
    pub(crate) with_addends: Range<usize>,
    pub(crate) without_addends: Range<usize>,
    /// True if the module looks for symbols in itself first.
    pub is_symbolic: bool,
    /// The loader's words to debuggers, an address of the process.
    pub debug: usize,
}

impl Dynamic {
    /// Reads the section; why it cannot be used.
    pub fn read(image: &Image<'_>) -> Result<Self, &'static str> {
        let section =
            image.bytes(image.dynamic.clone()).ok_or("its dynamic section is not there")?;
        let mut dynamic = Self::default();
        let (mut jumps, mut with, mut without) = ((0, 0), (0, 0), (0, 0));
        let (mut strings, mut strings_len) = (0, 0);
        for entry in section.chunks_exact(2 * WORD) {
            let (Some(tag), Some(value)) = (word_at(entry, 0), word_at(entry, WORD)) else { break };
            let address = || image.in_file(value);
            match tag {
                0 => break,
                tag::SYMTAB => dynamic.symbols = address(),
                tag::STRTAB => strings = address(),
                tag::STRSZ => strings_len = value,
                tag::GNU_HASH => dynamic.gnu_hash = address(),
                tag::HASH => dynamic.hash = address(),
                tag::VERSYM => dynamic.versions = address(),
                tag::VERNEED => dynamic.needed = address(),
                tag::VERDEF => dynamic.defined = address(),
                tag::JMPREL => jumps.0 = address(),
                tag::PLTRELSZ => jumps.1 = value,
                tag::PLTREL => dynamic.jumps_have_addends = value == tag::RELA,
                tag::RELA => with.0 = address(),
                tag::RELASZ => with.1 = value,
                tag::REL => without.0 = address(),
                tag::RELSZ => without.1 = value,
                tag::SYMBOLIC => dynamic.is_symbolic = true,
                tag::FLAGS => dynamic.is_symbolic |= value & DF_SYMBOLIC != 0,
                tag::DEBUG => dynamic.debug = value,
                _ => {}
            }
        }
        let range = |start: usize, len: usize, why| {
            let range = start..start.checked_add(len).ok_or(why)?;
            image.bytes(range.clone()).map(|_| range).ok_or(why)
        };
        dynamic.strings = range(strings, strings_len, "its names lie outside of it")?;
        const RELOCATIONS: &str = "its relocations lie outside of it";
        dynamic.jumps = range(jumps.0, jumps.1, RELOCATIONS)?;
        dynamic.with_addends = range(with.0, with.1, RELOCATIONS)?;
        dynamic.without_addends = range(without.0, without.1, RELOCATIONS)?;
        Ok(dynamic)
    }
}
