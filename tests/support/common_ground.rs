//! Executables in which GNU gprof finds the functions that we find.
//!
//! Where a local name has a number after a dot (`counter.1`), GNU gprof judges what follows it in
//! the string table as if it were a part of it, and so takes or drops a function by chance. With an
//! empty name behind each name there is nothing to misjudge. And it knows no sizes: without them we
//! drop the same names (`work.part.0`), and give a function all code up to the next one. The last symbol
//! gets no time from it, so another one lies behind.

use object::elf::{FileHeader32, FileHeader64, SHF_EXECINSTR, SHT_SYMTAB};
use object::pod::{Pod, bytes_of, bytes_of_slice};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind, U16, U32, U64};

/// What both judge differently, and what is changed about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// Sizes are removed.
    pub sizes: bool,
    /// An empty name stands behind each name.
    pub followers: bool,
    /// A name has `_` for `.` and `$`.
    pub dots: bool,
    /// A symbol is added where the code ends.
    pub behind: bool,
}

/// The executable with an empty name behind each name, without sizes, and with a symbol behind all code; none without
/// symbols.
pub fn common_ground(file: &[u8]) -> Option<Vec<u8>> {
    changed(file, Change { sizes: true, followers: true, dots: false, behind: true })
}

/// An executable for GNU gprof and one for us in which both find the same functions; none without symbols.
///
/// The first one keeps its sizes: GNU gprof does not look at them, but without them it takes fifteen times as long to
/// find the lines of code that has no debug information.
pub fn common_grounds(file: &[u8]) -> Option<[Vec<u8>; 2]> {
    let sized = Change { sizes: false, followers: true, dots: false, behind: true };
    Some([changed(file, sized)?, common_ground(file)?])
}

/// The executable with these changes only; none without symbols.
pub fn changed(file: &[u8], change: Change) -> Option<Vec<u8>> {
    match FileKind::parse(file).ok()? {
        FileKind::Elf32 => rename::<FileHeader32<Endianness>>(file, change),
        FileKind::Elf64 => rename::<FileHeader64<Endianness>>(file, change),
        _ => None,
    }
}

/// Puts a new string table behind the file and refers to it.
fn rename<Elf: FileHeader<Endian = Endianness>>(file: &[u8], change: Change) -> Option<Vec<u8>> {
    let header = Elf::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, file).ok()?;
    let table = sections.symbols(endian, file, SHT_SYMTAB).ok()?;
    let symbols_at: u64 = sections.section(table.section()).ok()?.sh_offset(endian).into();

    // A compiler may keep the names of sections in this table, which then stays as it is.
    let is_alone = header.section_strings_index(endian, file).ok()? != table.string_section();
    let renames = is_alone && (change.followers || change.dots);
    let mut copy = file.to_vec();
    let mut names = vec![0];
    for (symbol, number) in table.symbols().iter().zip(0..) {
        let name = table.symbol_name(endian, symbol).ok()?;
        let at = if name.is_empty() { 0 } else { names.len() as u32 };
        let place = symbols_at as usize + number * size_of::<Elf::Sym>();
        if renames {
            patch(&mut copy, place, &[U32::new(endian, at)]);
        }
        if !change.sizes {
        } else if header.is_class_64() {
            patch(&mut copy, place + 16, &[U64::new(endian, 0_u64)]);
        } else {
            patch(&mut copy, place + 8, &[U32::new(endian, 0_u32)]);
        }
        names.extend(name.iter().map(|&byte| match byte {
            b'.' | b'$' if change.dots => b'_',
            byte => byte,
        }));
        names.push(0);
        if change.followers {
            names.push(0);
        }
    }

    if !renames {
        return Some(copy);
    }
    let symbols_len = table.len() * size_of::<Elf::Sym>();
    let symbols = copy[symbols_at as usize..][..symbols_len].to_vec();
    let headers_at: u64 = header.e_shoff(endian).into();
    // Puts the contents of a section behind the file.
    let mut put = |index: usize, contents: &[u8]| {
        copy.resize(copy.len().next_multiple_of(8), 0);
        // Offset and size stand side by side in the header of a section.
        let place = headers_at as usize + index * size_of::<Elf::SectionHeader>();
        let (at, size) = (copy.len() as u64, contents.len() as u64);
        if header.is_class_64() {
            patch(&mut copy, place + 24, &[at, size].map(|value| U64::new(endian, value)));
        } else {
            patch(&mut copy, place + 16, &[at, size].map(|value| U32::new(endian, value as u32)));
        }
        copy.extend(contents);
    };
    let ends = sections.enumerate().filter_map(|(index, section)| {
        let (start, size): (u64, u64) =
            (section.sh_addr(endian).into(), section.sh_size(endian).into());
        section.sh_flags(endian).contains(SHF_EXECINSTR).then_some((start + size, index.0))
    });
    if let Some((end, section)) = ends.max().filter(|_| change.behind) {
        let symbol = symbol(header.is_class_64(), endian, names.len(), end, section);
        names.extend(b"behind\0\0");
        put(table.section().0, &[&symbols, &symbol[..]].concat());
    }
    put(table.string_section().0, &names);
    Some(copy)
}

/// A global symbol without type and size, by the offset of its name.
fn symbol(is_64: bool, endian: Endianness, name: usize, value: u64, section: usize) -> Vec<u8> {
    /// `STB_GLOBAL`, `STT_NOTYPE` and `STV_DEFAULT`.
    const KIND: [u8; 2] = [1 << 4, 0];
    let name = U32::new(endian, name as u32);
    let section = U16::new(endian, section as u16);
    let (head, tail) = (bytes_of(&name), bytes_of(&section));
    if is_64 {
        let value = [value, 0].map(|word| U64::new(endian, word));
        [head, &KIND, tail, bytes_of_slice(&value)].concat()
    } else {
        let value = [value as u32, 0].map(|word| U32::new(endian, word));
        [head, bytes_of_slice(&value), &KIND, tail].concat()
    }
}

fn patch<T: Pod>(file: &mut [u8], at: usize, values: &[T]) {
    let bytes = bytes_of_slice(values);
    file[at..at + bytes.len()].copy_from_slice(bytes);
}
