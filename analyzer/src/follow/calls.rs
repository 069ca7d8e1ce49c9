//! Growth of the counts of calls since the tables of a live file were read last.

use std::sync::Arc as Shared;

use foldhash::HashMap;
use gmon_format::live::{Count, Counts};
use gmon_format::{CallSite, LoadedArc, LoadedPc};

use super::counted::Tally;
use super::sums::Call;
use crate::records::Piece;

/// An arc: the place of the call, and an address in the function called.
type ArcKey = (LoadedPc, LoadedPc);

/// The arcs of a program, each with a number that it keeps, and what was counted of them.
#[derive(Debug, Default)]
pub(super) struct Arcs {
    numbers: HashMap<ArcKey, u32>,
    /// Keys by number.
    keys: Vec<ArcKey>,
    /// Functions by number, as they were when they were looked up last.
    ends: Shared<Vec<Call>>,
    /// Numbers whose functions are to be looked up at the next call.
    is_old: Vec<bool>,
    /// The entries of tables that are not free, in the order of their positions, by where the piece of the table is in the file.
    seen: HashMap<usize, Vec<Seen>>,
    /// Counts that some arcs lack: a thread that ends has taken its counts out of one table, and has not put them into
    /// another yet.
    missing: Vec<(u32, u64)>,
}

/// An entry as it was. It stays where it is, and an arc has one number in all tables.
#[derive(Debug)]
struct Seen {
    position: u32,
    number: u32,
    count: u64,
}

/// In place of the number of an entry that counts no calls.
const NO_ARC: u32 = u32::MAX;

impl Arcs {
    /// Functions by number, as they were when they were looked up last.
    pub(super) fn ends(&self) -> &Shared<Vec<Call>> {
        &self.ends
    }

    /// Other functions may lie where some lay.
    pub(super) fn look_up_again(&mut self) {
        self.is_old.fill(true);
    }

    /// Forgets all counts: the program has set them to zero. Arcs keep their numbers.
    pub(super) fn forget(&mut self) {
        self.seen.values_mut().flatten().for_each(|entry| entry.count = 0);
        self.missing.clear();
    }

    /// Adds by how much the counts of a piece of a table have grown, by number. Calls are made this far before the addresses
    /// they return to.
    pub(super) fn take(&mut self, piece: &Piece<'_>, call_offset: u64, calls: &mut Tally) {
        let mut seen = self.seen.remove(&piece.place).unwrap_or_default();
        if seen.len() != piece.counts.filled_count() {
            seen = self.meet(seen, piece.counts, call_offset);
        }
        let grown = calls.now_mut(self.keys.len());
        let known = seen.iter_mut().map(|it| (it.position as usize, &mut it.count, it.number));
        piece.counts.update(known, |number, before, now| {
            if let Some(grown) = grown.get_mut(number as usize) {
                // Perhaps less than nothing.
                *grown = grown.wrapping_add(now.wrapping_sub(before));
            }
        });
        self.seen.insert(piece.place, seen);
    }

    /// The entries of a piece, with those that have come since.
    fn meet(&mut self, seen: Vec<Seen>, counts: Counts<'_>, call_offset: u64) -> Vec<Seen> {
        let mut seen = seen.into_iter().peekable();
        let mut entry = |(position, count): (usize, Count)| {
            let position = position as u32;
            while seen.next_if(|it| it.position < position).is_some() {}
            let known = seen.next_if(|it| it.position == position);
            known.unwrap_or_else(|| Seen {
                position,
                number: self.number(count, call_offset),
                count: 0,
            })
        };
        counts.filled().map(&mut entry).collect()
    }

    /// The number of what an entry counts.
    fn number(&mut self, count: Count, call_offset: u64) -> u32 {
        let Count::Calls(LoadedArc { return_pc, self_pc, .. }) = count else { return NO_ARC };
        let CallSite(site) = return_pc.call_site(call_offset);
        let key = (site, self_pc.0);
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.is_old.push(true);
            Shared::make_mut(&mut self.ends).push(Call::UNKNOWN);
        }
        number
    }

    /// Visits arcs that were called since, once all pieces were taken: with the functions, which are looked up where they are
    /// not known, and the calls.
    pub(super) fn visit(
        &mut self,
        calls: &mut Tally,
        mut function_at: impl FnMut(LoadedPc) -> u32,
        mut visit: impl FnMut(Call, u64),
    ) {
        let calls = calls.now_mut(self.keys.len());
        for (number, missing) in self.missing.drain(..) {
            calls[number as usize] = calls[number as usize].wrapping_add(missing);
        }
        for (number, grown) in calls.iter_mut().enumerate().filter(|(_, grown)| **grown != 0) {
            if (*grown as i64) < 0 {
                self.missing.push((number as u32, std::mem::take(grown)));
                continue;
            }
            if std::mem::take(&mut self.is_old[number]) {
                let (site, callee) = self.keys[number];
                let [caller, callee] = [site, callee].map(&mut function_at);
                Shared::make_mut(&mut self.ends)[number] = Call { caller, callee };
            }
            visit(self.ends[number], *grown);
        }
    }
}

#[cfg(test)]
mod tests {
    use gmon_format::live::{Block, Content, Form, Header, Live};
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

    /// Takes all entries of a file, each in a piece of its own, and returns what has grown, by callee.
    fn look(arcs: &mut Arcs, bytes: &[u8]) -> Vec<(u32, u64)> {
        let live = Live::new(bytes).unwrap();
        let call_offset = live.header().placement.call_offset;
        let mut calls = Tally::default();
        for table in live.tables() {
            let entries = table.entries();
            for place in entries.place().step_by(entries.size()) {
                let counts = table.read_again(&bytes[place..][..entries.size()]);
                arcs.take(&Piece { place, counts }, call_offset, &mut calls);
            }
        }
        grown(arcs, &mut calls)
    }

    /// Growth by callee.
    fn grown(arcs: &mut Arcs, calls: &mut Tally) -> Vec<(u32, u64)> {
        let mut grown = Vec::new();
        let function_at = |pc: LoadedPc| pc.0 as u32;
        arcs.visit(calls, function_at, |Call { caller, callee }, calls| {
            assert_eq!(caller, 0x2000);
            grown.push((callee, calls));
        });
        grown
    }

    /// An ended thread's counts go from its table to another, and a look may come in between.
    #[test]
    fn calls_that_move_to_another_table_are_counted_once() {
        let mut arcs = Arcs::default();
        for (tables, expected) in [
            (&[&[(0x1100, 10)][..], &[(0x1100, 2), (0x1200, 1)]], &[(0x1100, 12), (0x1200, 1)][..]),
            (&[&[(0x1100, 10)], &[(0x1100, 2), (0x1200, 1)]], &[]),
            // Three more in the first, which then moves to the second.
            (&[&[(0x1100, 13)], &[(0x1100, 2), (0x1200, 1)]], &[(0x1100, 3)]),
            (&[&[(0x1100, 0)], &[(0x1100, 2), (0x1200, 4)]], &[(0x1200, 3)]),
            (&[&[(0x1100, 0)], &[(0x1100, 17), (0x1200, 4)]], &[(0x1100, 2)]),
            (&[&[(0x1100, 1)], &[(0x1100, 17), (0x1200, 4)]], &[(0x1100, 1)]),
        ] {
            assert_eq!(look(&mut arcs, &file(tables)), expected, "{tables:?}");
        }
        arcs.forget();
        assert_eq!(look(&mut arcs, &file(&[&[(0x1100, 1)]])), [(0x1100, 1)]);
    }

    /// The table of a thread that begins later may lie before others.
    #[test]
    fn tables_are_known_by_where_they_are() {
        let both = file(&[&[(0x1100, 3)], &[(0x1200, 10)]]);
        let mut later = both.clone();
        let first = Header::LEN.next_multiple_of(Form::Finished.alignment());
        later[first..first + 8].fill(0);
        let mut arcs = Arcs::default();
        for (bytes, expected) in [(later, (0x1200, 10)), (both, (0x1100, 3))] {
            assert_eq!(look(&mut arcs, &bytes), [expected]);
        }
    }

    /// An arc may be found before others that lie before it.
    #[test]
    fn calls_that_come_between_others_are_counted() {
        let mut arcs = Arcs::default();
        let mut bytes = file(&[&[(0x1100, 3), (0x1200, 10), (0x1300, 5)]]);
        let live = Live::new(&bytes).unwrap();
        let entries = live.tables().next().unwrap().entries();
        let (start, size) = (entries.place().start, entries.size());
        let middle = bytes[start + size..][..size].to_vec();
        bytes[start + size..][..size].fill(0);
        let whole = |arcs: &mut Arcs, bytes: &[u8]| {
            let counts = Live::new(bytes).unwrap().tables().next().unwrap();
            let mut calls = Tally::default();
            arcs.take(&Piece { place: start, counts }, 1, &mut calls);
            grown(arcs, &mut calls)
        };
        assert_eq!(whole(&mut arcs, &bytes), [(0x1100, 3), (0x1300, 5)]);
        bytes[start + size..][..size].copy_from_slice(&middle);
        assert_eq!(whole(&mut arcs, &bytes), [(0x1200, 10)]);
    }
}
