//! Executables in which GNU gprof finds the functions that we find.
//!
//! Where a local name has a number after a dot (`counter.1`), GNU gprof judges what follows it in
//! the string table as if it were a part of it, and so takes or drops a function by chance. With an
//! empty name behind each name there is nothing to misjudge. And it knows no sizes: without them we
//! drop the same names (`work.part.0`), and give a function all code up to the next one.

use object::elf::{FileHeader32, FileHeader64, SHT_SYMTAB};
use object::pod::{Pod, bytes_of_slice};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind, U32, U64};

/// What both judge differently, and what is changed about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// Sizes are removed.
    pub sizes: bool,
    /// An empty name stands behind each name.
    pub followers: bool,
    /// A name has `_` for `.` and `$`.
    pub dots: bool,
}

/// The executable with an empty name behind each name, and without sizes; none without symbols.
pub fn common_ground(file: &[u8]) -> Option<Vec<u8>> {
    changed(file, Change { sizes: true, followers: true, dots: false })
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
    // Offset and size stand side by side in the header of a section.
    let headers_at: u64 = header.e_shoff(endian).into();
    let section = table.string_section().0 * size_of::<Elf::SectionHeader>();
    let place = headers_at as usize + section;
    let (at, size) = (copy.len() as u64, names.len() as u64);
    if header.is_class_64() {
        patch(&mut copy, place + 24, &[at, size].map(|value| U64::new(endian, value)));
    } else {
        patch(&mut copy, place + 16, &[at, size].map(|value| U32::new(endian, value as u32)));
    }
    copy.extend(names);
    Some(copy)
}

fn patch<T: Pod>(file: &mut [u8], at: usize, values: &[T]) {
    let bytes = bytes_of_slice(values);
    file[at..at + bytes.len()].copy_from_slice(bytes);
}
