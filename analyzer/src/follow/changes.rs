//! By how much the numbers of a live file have grown since it was read last.

use std::ops::Range;

use foldhash::HashMap;
use gmon_format::live::{Live, Stacks};
use gmon_format::{CallSite, LoadedArc, LoadedPc};

use super::sums::growth;
use crate::records::{NodeNews, Piece};

/// An arc: the place of the call, and an address in the function called.
pub(super) type ArcKey = (LoadedPc, LoadedPc);

/// The numbers as they were.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By where they are in the file: those that come later may lie before others.
    tables: HashMap<usize, Table>,
    numbers: HashMap<ArcKey, u32>,
    /// By number.
    keys: Vec<ArcKey>,
    /// How much each arc has grown since its last visit. Less than nothing while a thread that ends has taken its counts
    /// out of one table and is still to put them into another.
    grown: Vec<i64>,
    /// Arcs of which a count has changed, perhaps several times.
    changed: Vec<u32>,
    /// By where the block's nodes are in the file, and position.
    nodes: HashMap<usize, Vec<u64>>,
    /// Where the histogram that was read begins, and the bytes of its bins.
    bins: (LoadedPc, Vec<u8>),
}

/// A table of arcs. An arc stays at its position, and has one number in all tables.
#[derive(Debug, Default)]
struct Table {
    counts: Vec<u64>,
    numbers: Vec<u32>,
}

/// Nothing was counted at a position yet.
const NOTHING: u32 = u32::MAX;

impl Seen {
    /// Forgets all counts: the program has set them to zero. Arcs keep their numbers.
    pub(super) fn forget(&mut self) {
        self.tables.values_mut().for_each(|table| table.counts.fill(0));
        self.grown.fill(0);
        self.changed.clear();
        self.nodes.clear();
        self.bins = Default::default();
    }

    /// Takes the counts of a piece of a table of arcs. Calls are made this far before the addresses they return to.
    pub(super) fn take(&mut self, piece: &Piece<'_>, call_offset: u64) {
        // Each thread has a table of its own, and larger ones come beside smaller ones.
        let Table { counts, numbers } = self.tables.entry(piece.table).or_default();
        counts.resize(piece.positions.max(counts.len()), 0);
        numbers.resize(counts.len(), NOTHING);
        let known = &mut counts[piece.first..];
        piece.counts.update(known, |position, before, LoadedArc { return_pc, self_pc, count }| {
            let number = &mut numbers[piece.first + position];
            if *number == NOTHING {
                let CallSite(site) = return_pc.call_site(call_offset);
                let key = (site, self_pc.0);
                let next = self.keys.len() as u32;
                *number = *self.numbers.entry(key).or_insert(next);
                if *number == next {
                    self.keys.push(key);
                    self.grown.push(0);
                }
            }
            let grown = &mut self.grown[*number as usize];
            *grown = grown.saturating_add(count.wrapping_sub(before) as i64);
            self.changed.push(*number);
        });
    }

    /// Visits arcs that were called since, as far as the pieces that were taken tell, each with a number that it keeps.
    pub(super) fn arcs(&mut self, mut visit: impl FnMut(u32, &ArcKey, u64)) {
        for number in self.changed.drain(..) {
            let grown = &mut self.grown[number as usize];
            if let Some(calls) = u64::try_from(*grown).ok().filter(|calls| *calls != 0) {
                *grown = 0;
                visit(number, &self.keys[number as usize], calls);
            }
        }
    }

    /// Visits nodes of stacks that were counted since, each with the block that it is in. If `news` say so, only these
    /// have changed.
    pub(super) fn nodes<'l>(
        &mut self,
        live: &Live<'l>,
        news: &[NodeNews],
        mut visit: impl FnMut(Stacks<'l>, u32, u64),
    ) {
        for (index, stacks) in live.stacks().enumerate() {
            let seen = self.nodes.entry(stacks.entries().place().start).or_default();
            seen.resize(stacks.entries().positions().max(seen.len()), 0);
            let mut look = |position: u32, weight: u64| {
                let before = std::mem::replace(&mut seen[position as usize], weight);
                if before != weight {
                    visit(stacks, position, growth(before, weight));
                }
            };
            match news.get(index) {
                Some(NodeNews::These(positions)) => {
                    for position in positions {
                        stacks.get(*position).inspect(|node| look(*position, node.weight));
                    }
                }
                Some(NodeNews::Any) | None => {
                    stacks.iter().for_each(|(position, node)| look(position, node.weight));
                }
            }
        }
    }

    /// Visits the addresses whose bins were sampled since.
    /// If `news` say so, only these parts have changed.
    pub(super) fn bins(
        &mut self,
        live: &Live<'_>,
        news: Option<&[Range<usize>]>,
        mut visit: impl FnMut(LoadedPc, u64),
    ) {
        let Some(histogram) = live.process_histograms().next() else { return };
        let header = &histogram.header;
        let len = (header.high_pc.0 - header.low_pc.0).checked_div(header.bins.into());
        let (low_pc, seen) = &mut self.bins;
        let now = histogram.bytes();
        if *low_pc != header.low_pc || seen.len() != now.len() {
            (*low_pc, *seen) = (header.low_pc, vec![0; now.len()]);
        }
        let all = 0..now.len();
        for part in news.unwrap_or(std::slice::from_ref(&all)) {
            for (bin, before, count) in histogram.changes(part.clone(), seen) {
                let pc = header.low_pc.0 + u64::from(bin) * len.unwrap_or(1);
                visit(LoadedPc(pc), growth(before, count));
            }
            if let (Some(seen), Some(now)) = (seen.get_mut(part.clone()), now.get(part.clone())) {
                seen.copy_from_slice(now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gmon_format::live::{Block, Content, Count, Form, Header};
    use gmon_format::{Encoding, ReturnPc, SelfPc};

    use super::*;
    use crate::records::write_header;

    /// A file with tables of calls, each from the address 0x2000 to another.
    fn file(tables: &[&[(u64, u64)]]) -> Vec<u8> {
        let (encoding, entry_len) = (Encoding::NATIVE, Count::len(Encoding::NATIVE.word));
        let mut bytes = vec![0; Header::LEN];
        for table in tables {
            bytes.resize(bytes.len().next_multiple_of(Form::Finished.alignment()), 0);
            let entries = table.len() as u64;
            let block = Block {
                content: Content::Arcs,
                len: Block::LEN as u64 + entries * entry_len as u64,
                entries_at: Block::LEN as u64,
                entries,
                entry_len: entry_len as u32,
            };
            bytes.extend(block.encode(encoding));
            for (callee, count) in *table {
                let return_pc = ReturnPc(LoadedPc(0x2001));
                let arc =
                    LoadedArc { return_pc, self_pc: SelfPc(LoadedPc(*callee)), count: *count };
                bytes.extend_from_slice(&Count::Calls(arc).encode(encoding)[..entry_len]);
            }
        }
        write_header(&mut bytes, encoding);
        bytes
    }

    /// Takes all entries of a file, each in a piece of its own.
    fn take(seen: &mut Seen, bytes: &[u8]) {
        let live = Live::new(bytes).unwrap();
        let call_offset = live.header().placement.call_offset;
        for table in live.tables() {
            let (place, positions) = (table.entries().place(), table.entries().positions());
            let start = place.start;
            for (first, entry) in bytes[place].chunks(table.entries().size()).enumerate() {
                let counts = table.read_again(entry);
                seen.take(&Piece { table: start, positions, first, counts }, call_offset);
            }
        }
    }

    /// An ended thread's counts go from its table to another, and a look may come in between.
    #[test]
    fn calls_that_move_to_another_table_are_counted_once() {
        let mut seen = Seen::default();
        for (tables, expected) in [
            (&[&[(0x1100, 10)][..], &[(0x1100, 2), (0x1200, 1)]], &[(0, 12), (1, 1)][..]),
            (&[&[(0x1100, 10)], &[(0x1100, 2), (0x1200, 1)]], &[]),
            // Three more in the first, which then moves to the second.
            (&[&[(0x1100, 13)], &[(0x1100, 2), (0x1200, 1)]], &[(0, 3)]),
            (&[&[(0x1100, 0)], &[(0x1100, 2), (0x1200, 4)]], &[(1, 3)]),
            (&[&[(0x1100, 0)], &[(0x1100, 17), (0x1200, 4)]], &[(0, 2)]),
            (&[&[(0x1100, 1)], &[(0x1100, 17), (0x1200, 4)]], &[(0, 1)]),
        ] {
            let mut grown = Vec::new();
            take(&mut seen, &file(tables));
            seen.arcs(|number, (site, _), calls| {
                assert_eq!(*site, LoadedPc(0x2000));
                grown.push((number, calls));
            });
            assert_eq!(grown, expected, "{tables:?}");
        }
        seen.forget();
        take(&mut seen, &file(&[&[(0x1100, 1)]]));
        let mut all = 0;
        seen.arcs(|_, _, calls| all += calls);
        assert_eq!(all, 1);
    }

    /// The table of a thread that begins later may lie before others.
    #[test]
    fn tables_are_known_by_where_they_are() {
        let both = file(&[&[(0x1100, 3)], &[(0x1200, 10)]]);
        let mut later = both.clone();
        let first = Header::LEN.next_multiple_of(Form::Finished.alignment());
        later[first..first + 8].fill(0);
        let mut seen = Seen::default();
        for (bytes, expected) in [(later, (LoadedPc(0x1200), 10)), (both, (LoadedPc(0x1100), 3))] {
            let mut grown = Vec::new();
            take(&mut seen, &bytes);
            seen.arcs(|_, (_, callee), calls| grown.push((*callee, calls)));
            assert_eq!(grown, [expected]);
        }
    }
}
