//! The source lines of all code.

use std::num::NonZero;
use std::ops::Range;

use gmon_format::FilePc;

use super::Dialect;
use super::chosen::ChosenUnits;
use super::intervals;
use super::program::{Output, Sequence};
use super::strings::{StringId, StringList};
use crate::image::debug::Dwarf;

/// A place in the program's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The source file; its path is [`Lines::path`](super::Lines::path).
    pub file: StringId,
    /// Line number, from 1.
    pub line: NonZero<u32>,
}

/// The source line of the code from an address up to the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeRow {
    pub(super) address: FilePc,
    /// None for code of no source.
    pub(super) location: Option<Location>,
}

/// Answers which source line made the code at an address.
#[derive(Debug, Default)]
pub(crate) struct LineTable {
    /// Rows by address, all different.
    rows: Vec<CodeRow>,
    paths: StringList,
    /// Stretches by address.
    discriminators: Vec<(FilePc, u32)>,
}

impl LineTable {
    /// No lines at all.
    pub(super) const EMPTY: Self =
        Self { rows: Vec::new(), paths: StringList::EMPTY, discriminators: Vec::new() };

    /// Decodes the lines of the code that lies in `code`, as far as chosen units have any.
    pub(in crate::image) fn new(
        dwarf: &Dwarf<'_>,
        chosen: ChosenUnits<'_>,
        code: &[Range<FilePc>],
        dialect: Dialect,
    ) -> Self {
        let Output { rows, mut sequences, paths, mut discriminators } =
            Output::of_units(dwarf, chosen, dialect);
        // A function that the linker dropped has its lines at an address that is no code, or is that
        // of another function.
        sequences.retain(|sequence| code.iter().any(|code| code.contains(&sequence.code.start)));
        sequences.sort_by_cached_key(|sequence| sequence.code.start);
        // Of equal addresses the last one is true.
        discriminators.sort_by_key(|(address, _)| *address);
        Self { rows: join(&rows, &sequences), paths: paths.into_list(), discriminators }
    }

    /// Has room at the start of functions belong to these; `rooms` are the starts, sorted. gcc leaves it before it says where in the source a
    /// function begins, so that it seems to belong to what comes before, or to nothing.
    pub(in crate::image) fn with_rooms(mut self, rooms: &[FilePc]) -> Self {
        /// Bytes of the longest room, and what may stand before it.
        const LONGEST: u64 = 16 + 4;
        let mut added = Vec::new();
        for &room in rooms {
            let next = self.rows.partition_point(|row| row.address <= room);
            let follows = self.rows.get(next).map(|row| (row.address.0 - room.0, row.location));
            let Some((distance, location)) = follows else { continue };
            let first = self.rows[..next].last_mut().filter(|row| row.address == room);
            match first {
                _ if distance > LONGEST => {}
                Some(first) => first.location = first.location.or(location),
                None => added.push(CodeRow { address: room, location }),
            }
        }
        self.rows.extend(added);
        self.rows.sort_by_key(|row| row.address);
        self
    }

    /// The source line of the code at `address`, if that is known.
    pub(super) fn locate(&self, address: FilePc) -> Option<Location> {
        let after = self.rows.partition_point(|row| row.address <= address);
        self.rows[..after].last()?.location
    }

    /// The compiler's number for the code at `address` among the code of its line; 0 for the first.
    pub(super) fn discriminator(&self, address: FilePc) -> u32 {
        let after = self.discriminators.partition_point(|(start, _)| *start <= address);
        self.discriminators[..after].last().map_or(0, |(_, discriminator)| *discriminator)
    }

    /// Returns `true` if the compiler tells parts of a line apart somewhere.
    pub(super) fn has_discriminators(&self) -> bool {
        self.discriminators.iter().any(|(_, discriminator)| *discriminator != 0)
    }

    /// The path of a source file as the compiler recorded it.
    ///
    /// # Panics
    /// If `file` is from another table.
    pub(super) fn path(&self, file: StringId) -> &[u8] {
        self.paths.get(file)
    }

    /// The rows for code in a range; the first may start before it.
    pub(super) fn rows_in(&self, range: &Range<FilePc>) -> &[CodeRow] {
        intervals::within(&self.rows, range, |row| row.address)
    }
}

/// The rows of sequences sorted by address, one behind the other. Of two that overlap, the second one
/// begins where the first one ends.
fn join(rows: &[CodeRow], sequences: &[Sequence]) -> Vec<CodeRow> {
    let mut joined: Vec<CodeRow> = Vec::with_capacity(rows.len() + sequences.len());
    let mut end = FilePc::MIN;
    for Sequence { code, rows: own } in sequences {
        if code.end <= end {
            continue;
        }
        let start = code.start.max(end);
        // The last of equal addresses is true, as is the last before the start.
        for row in rows[own.clone()].iter().take_while(|row| row.address < code.end) {
            let row = CodeRow { address: row.address.max(start), ..*row };
            match joined.last_mut() {
                Some(last) if last.address == row.address => *last = row,
                _ => joined.push(row),
            }
        }
        joined.push(CodeRow { address: code.end, location: None });
        end = code.end;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::super::strings::Strings;
    use super::*;

    #[test]
    fn room_belongs_to_the_function_behind_it() {
        let file = Strings::default().id(b"list.c");
        let location = |line| Some(Location { file, line: NonZero::new(line)? });
        let table = |rows: &[(u64, u32)]| {
            let row =
                |&(address, line)| CodeRow { address: FilePc(address), location: location(line) };
            let rows = rows.iter().map(row).collect();
            LineTable { rows, ..LineTable::EMPTY }
        };
        let rooms = [0x10, 0x20, 0x30, 0x50].map(FilePc);
        // Behind another function, at its own first row, behind code of no source, and before too much code.
        let rows =
            [(0, 1), (0x18, 2), (0x20, 3), (0x24, 4), (0x30, 0), (0x38, 5), (0x40, 6), (0x90, 7)];
        let table = table(&rows).with_rooms(&rooms);
        let line =
            |address| table.locate(FilePc(address)).map_or(0, |location| location.line.get());
        for (address, expected) in
            [(0xc, 1), (0x10, 2), (0x17, 2), (0x20, 3), (0x24, 4), (0x30, 5), (0x38, 5), (0x50, 6)]
        {
            assert_eq!(line(address), expected, "{address:#x}");
        }
    }
}
