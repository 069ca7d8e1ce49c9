//! The tables of calls of a live file that is read again and again.
//!
//! They are read piece by piece, and nothing of them is kept. Those that the program has left for others are read once more, and
//! rarely from then on.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use gmon_format::live::{Counts, Live};

/// A piece of a table of counts.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Offset in the file. A table is always read in the same pieces.
    pub place: usize,
    /// The entries.
    pub counts: Counts<'a>,
}

/// State kept from one look to the next.
#[derive(Debug, Default)]
pub(super) struct CallTables {
    /// Large enough that few calls of the system are needed, and so small that it stays in the processor's cache.
    buffer: Vec<u8>,
    /// Tables that have successors and were read since, by where they are.
    left: HashSet<usize>,
    looks: u32,
}

impl CallTables {
    /// Has all tables be read at the next look.
    pub(super) fn forget(&mut self) {
        self.left.clear();
    }

    /// Reads the counts as they are now in a file, whose tables are where they are in `live`, and visits them piece by piece.
    pub(super) fn read(
        &mut self,
        live: &Live<'_>,
        file: &File,
        mut visit: impl FnMut(Piece<'_>),
    ) -> io::Result<()> {
        const PIECE: usize = 1 << 18;
        /// Looks between reads of tables that have successors: hardly any call was just being counted in
        /// one.
        const RARELY: u32 = 16;
        self.looks = self.looks.wrapping_add(1);
        let all = self.looks % RARELY == 0;
        // What is found in one order lies in one order: the largest tables have the most, and are the last to change.
        let tables = live.tables().map(|table| (table, table.entries()));
        let mut tables: Vec<_> =
            tables.filter(|(_, it)| all || !self.left.contains(&it.place().start)).collect();
        tables.sort_unstable_by_key(|(_, entries)| Reverse(entries.positions()));
        for (table, entries) in tables {
            let (place, positions, size) = (entries.place(), entries.positions(), entries.size());
            if table.has_successor() {
                self.left.insert(place.start);
            }
            let at_once = (PIECE / size).max(1);
            for first in (0..positions).step_by(at_once) {
                let len = at_once.min(positions - first) * size;
                self.buffer.resize(len.max(self.buffer.len()), 0);
                let bytes = self.buffer.get_mut(..len).unwrap_or_default();
                let place = place.start + first * size;
                file.read_exact_at(bytes, place as u64)?;
                visit(Piece { place, counts: table.read_again(bytes) });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use gmon_format::Encoding;
    use gmon_format::live::{Block, Content, Header};

    use super::*;
    use crate::records::{LiveView, write_header};

    const ENCODING: Encoding = Encoding::NATIVE;

    #[test]
    fn tables_that_were_left_are_read_once_and_then_rarely() {
        const ENTRY: usize = 32;
        /// An entry, and the free one behind it.
        fn file(count: u64, has_successor: bool) -> Vec<u8> {
            let mut bytes = vec![0; Header::LEN];
            let block = Block {
                content: Content::Arcs,
                len: (Block::LEN + 2 * ENTRY) as u64,
                entries_at: Block::LEN as u64,
                entries: 1,
                entry_len: ENTRY as u32,
            };
            bytes.extend(block.encode(ENCODING));
            let words = [0x1100, 0x2001, count, 0, 0, 0, u64::from(has_successor), 0];
            bytes.extend(words.iter().flat_map(|word: &u64| ENCODING.u64_bytes(*word)));
            write_header(&mut bytes, ENCODING);
            bytes
        }
        let disk = tempfile::NamedTempFile::new().expect("a file");
        let mut view = LiveView::new(disk.path(), disk.reopen().expect("the file"));
        view.read().expect_err("no live file yet");
        // Whether the table was read, when it has this count.
        let mut look = |count, has_successor, all| {
            disk.as_file().write_all_at(&file(count, has_successor), 0).expect("room");
            if all { view.read().map(drop) } else { view.read_news(true).map(drop) }.expect("one");
            let mut read = 0;
            let visit = |piece: Piece<'_>| {
                piece.counts.update([(0, &mut 0, ())].into_iter(), |(), _, count| read = count);
            };
            view.read_counts(visit).expect("a table");
            read
        };
        assert_eq!([look(1, false, true), look(2, false, false)], [1, 2]);
        assert_eq!([look(3, true, false), look(4, true, false), look(4, true, true)], [3, 0, 4]);
        let later: Vec<u64> = (0..32).map(|count| look(5 + count, true, false)).collect();
        assert_eq!(later.iter().filter(|count| **count != 0).count(), 2);
    }
}
