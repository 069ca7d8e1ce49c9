//! A live file that is read again and again while the program counts in it.
//!
//! Of large tables of stacks only new nodes are read, and those that the program says it has counted; of the bins, the pages
//! that the program has marked. Which calls were counted no program says: their tables are read [by
//! themselves](super::live_calls).

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use gmon_format::live::{Control, Header, Live, LiveHistogram, StackNode};
use gmon_format::{Encoding, LoadedPc};

use super::live_calls::{CallTables, Piece};
use crate::error::{Error, ErrorKind};

/// An open live file, and what it held when it was read last.
#[derive(Debug)]
pub struct LiveView {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    news: FileNews,
    /// The marks of bins as they were before the bins were read, and where these are.
    marks: (Range<usize>, Vec<u32>),
    /// Number of blocks that the program had made before the bytes were read.
    blocks: u64,
    /// Number of nodes read of each table that new ones are put behind, by its offset.
    filled: HashMap<usize, usize>,
    calls: CallTables,
}

/// Parts of a file that may have changed since it was read before, where that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileNews {
    /// One entry per block of stacks; a block without an entry may have changed.
    pub nodes: Vec<NodeNews>,
    /// Parts of the program's bins, in bytes from the first bin on; `None` if all may have changed.
    pub bins: Option<Vec<Range<usize>>>,
}

/// Nodes of a block of stacks that may have changed since they were read before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeNews {
    /// All.
    Any,
    /// Nodes at these positions.
    These(Vec<u32>),
}

/// Parts of the file that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    News,
    NewsButBins,
}

/// Nodes that are to be read, by their positions in a table.
struct Missing {
    table: Range<usize>,
    entry_len: usize,
    positions: Vec<u32>,
}

impl LiveView {
    /// Takes an open file; the path is for messages.
    #[must_use]
    pub fn new(path: impl AsRef<Path>, file: File) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            file,
            bytes: Vec::new(),
            news: FileNews::default(),
            marks: (0..0, Vec::new()),
            blocks: 0,
            filled: HashMap::new(),
            calls: CallTables::default(),
        }
    }

    /// Reads the file as it is now, but perhaps for the [counts of calls](Self::read_counts).
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read(&mut self) -> Result<Live<'_>, Error> {
        self.calls.forget();
        self.update(Wanted::All)?;
        self.live()
    }

    /// Reads what may have changed in the file, and says what has, but not the [counts of calls](Self::read_counts). The
    /// program's bins stay as they were read before, unless they are needed.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read_news(&mut self, needs_bins: bool) -> Result<(Live<'_>, &FileNews), Error> {
        self.update(if needs_bins { Wanted::News } else { Wanted::NewsButBins })?;
        Ok((self.live()?, &self.news))
    }

    /// Reads the counts of calls as they are now, and visits them piece by piece.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_counts(&mut self, visit: impl FnMut(Piece<'_>)) -> Result<(), Error> {
        let live = Live::new(&self.bytes).map_err(|error| Error::new(&self.path, error.into()))?;
        let result = self.calls.read(&live, &self.file, visit);
        result.map_err(|error| Error::new(&self.path, ErrorKind::Unreadable(error)))
    }

    fn live(&self) -> Result<Live<'_>, Error> {
        Live::new(&self.bytes).map_err(|error| Error::new(&self.path, error.into()))
    }

    /// The program's own account of itself when the file was read last.
    #[must_use]
    pub fn control(&self) -> Option<Control> {
        let header = Header::decode(&self.bytes).ok()?;
        Control::decode(&self.bytes, header.encoding)
    }

    /// The size of the file when it was read last, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    fn update(&mut self, wanted: Wanted) -> Result<(), Error> {
        let result = self.read_wanted(wanted);
        result.map_err(|kind| Error::new(&self.path, kind))
    }

    fn read_wanted(&mut self, wanted: Wanted) -> Result<(), ErrorKind> {
        // Tables of which the program says what it has counted, and how much that was.
        let mut counted = Vec::new();
        let (mut parts, mut gaps) = (Vec::new(), Vec::new());
        let mut bins = None;
        if let Some(live) = Live::new(&self.bytes).ok().filter(|_| wanted != Wanted::All) {
            parts.extend(live.tables().map(|table| table.entries().place()));
            for stacks in live.stacks() {
                counted.extend(
                    stacks.news().counted().map(|number| (stacks.entries().place(), number)),
                );
            }
            parts.extend(counted.iter().map(|(table, _)| table.clone()));
            // Nobody who follows a program looks at the times of its samples.
            parts.extend(live.sample_places());
            parts.extend(live.places_of_running_calls());
            bins = live.bins();
            parts.extend(bins.clone());
            gaps.extend(live.gaps());
        }
        self.fill(parts, gaps)?;
        self.news = FileNews::default();
        if let Some(bins) = bins.filter(|_| wanted != Wanted::NewsButBins) {
            self.read_bins(bins)?;
        }

        // Nodes are read last: the file lists what the program counts in the meantime as new at the next look.
        let (mut tables, mut missing) = (Vec::new(), Vec::new());
        let live = Live::new(&self.bytes)?;
        let encoding = live.header().encoding;
        for stacks in live.stacks() {
            let table = stacks.entries().place();
            let before = counted.iter().find(|(known, _)| *known == table);
            let since = before.and_then(|(_, number)| stacks.news().since(*number));
            self.news.nodes.push(match since {
                Some(positions) => {
                    let mut positions: Vec<u32> = positions.collect();
                    positions.sort_unstable();
                    positions.dedup();
                    let entry_len = stacks.entries().size();
                    missing.push(Missing { table, entry_len, positions: positions.clone() });
                    NodeNews::These(positions)
                }
                None => {
                    tables.extend(stacks.news().counted().map(|_| table));
                    NodeNews::Any
                }
            });
        }
        tables.into_iter().try_for_each(|table| self.read_part(table))?;
        for nodes in &mut missing {
            let new = self.read_ahead(nodes, encoding)?;
            nodes.positions.retain(|position| !new.contains(&(*position as usize)));
        }
        let live = Live::new(&self.bytes)?;
        let read_whole = self.news.nodes.iter().map(|news| *news == NodeNews::Any);
        for (stacks, _) in live.stacks().zip(read_whole).filter(|(_, it)| *it) {
            // A node may have come before its parent, which lies where nothing was yet when that part was read.
            let is_missing = |parent: u32| stacks.get(parent).is_none();
            let orphans = stacks.iter().filter(|(_, node)| node.parent.is_some_and(is_missing));
            let positions = orphans.map(|(position, _)| position).collect();
            missing.push(Missing {
                table: stacks.entries().place(),
                entry_len: stacks.entries().size(),
                positions,
            });
        }
        missing.iter().try_for_each(|nodes| self.read_nodes(nodes, encoding))
    }

    /// Reads as much as the header announces, but for the parts that are known, and gaps between blocks unless the program has
    /// made others since. The buffer is kept: making one each time costs more than reading.
    fn fill(
        &mut self,
        mut known: Vec<Range<usize>>,
        gaps: Vec<Range<usize>>,
    ) -> Result<(), ErrorKind> {
        let mut start = [0; Header::LEN];
        self.file.read_exact_at(&mut start, 0).map_err(ErrorKind::Unreadable)?;
        let header = Header::decode(&start)?;
        let size = self.file.metadata().map_err(ErrorKind::Unreadable)?.len();
        let len = usize::try_from(header.reserved.min(size)).unwrap_or(usize::MAX);
        let len = len.max(Header::LEN);
        let missing = len.saturating_sub(self.bytes.len());
        let reserved = self.bytes.try_reserve_exact(missing);
        reserved.map_err(|error| ErrorKind::Unreadable(io::Error::from(error)))?;
        self.bytes.resize(len, 0);
        // The program may have made the file larger meanwhile: what the header says now is of another size.
        self.bytes[..Header::LEN].copy_from_slice(&start);
        let mut at = Header::LEN.next_multiple_of(header.form.alignment()).min(len);
        self.read_part(Header::LEN..at)?;
        let control = Control::decode(&self.bytes[..at], header.encoding);
        let blocks = control.map_or(0, |control| control.blocks);
        if blocks != 0 && std::mem::replace(&mut self.blocks, blocks) == blocks {
            known.extend(gaps);
        }
        known.sort_unstable_by_key(|part| part.start);
        for part in
            known.into_iter().chain(std::iter::once(len..len)).filter(|part| part.end <= len)
        {
            self.read_part(at..part.start)?;
            at = at.max(part.end);
        }
        Ok(())
    }

    /// Reads the bins that were counted, as far as the program says which, and notes where they are. Its marks have been read
    /// before: what it counts in the meantime changes them once more.
    fn read_bins(&mut self, bins: Range<usize>) -> Result<(), ErrorKind> {
        let live = Live::new(&self.bytes)?;
        let Some(histogram) = live.process_histograms().next() else { return Ok(()) };
        let bytes = LiveHistogram::<LoadedPc>::BINS_PER_MARK * histogram.bin_len();
        let marks = (bins.clone(), histogram.marks().collect::<Vec<_>>());
        let (place, known) = std::mem::replace(&mut self.marks, marks);
        let now = &self.marks.1;
        if now.is_empty() || (place, known.len()) != (bins.clone(), now.len()) {
            return self.compare_bins(bins);
        }
        let pages = now.iter().zip(&known).zip((bins.start..bins.end).step_by(bytes));
        let changed = pages.filter(|((now, before), _)| now != before);
        let changed: Vec<_> = changed.map(|(_, at)| at..bins.end.min(at + bytes)).collect();
        changed.iter().try_for_each(|part| self.read_part(part.clone()))?;
        let from_first = |part: Range<usize>| part.start - bins.start..part.end - bins.start;
        self.news.bins = Some(changed.into_iter().map(from_first).collect());
        Ok(())
    }

    /// Reads the bins piece by piece, and notes which parts have changed: a while changes few of those of a large program.
    fn compare_bins(&mut self, bins: Range<usize>) -> Result<(), ErrorKind> {
        const PIECE: usize = 16 * PART;
        const PART: usize = 4096;
        let mut buffer = vec![0; PIECE.min(bins.len())];
        let mut changed = Vec::new();
        for start in bins.clone().step_by(PIECE) {
            let known = self.bytes.get_mut(start..bins.end.min(start + PIECE)).unwrap_or_default();
            let now = buffer.get_mut(..known.len()).unwrap_or_default();
            self.file.read_exact_at(now, start as u64).map_err(ErrorKind::Unreadable)?;
            let parts = known.chunks_mut(PART).zip(now.chunks(PART));
            for (at, (known, now)) in (start - bins.start..).step_by(PART).zip(parts) {
                if known != now {
                    known.copy_from_slice(now);
                    changed.push(at..at + now.len());
                }
            }
        }
        self.news.bins = Some(changed);
        Ok(())
    }

    /// Reads the nodes of a table that have come since, and returns their positions: they are behind those that there were.
    fn read_ahead(
        &mut self,
        nodes: &Missing,
        encoding: Encoding,
    ) -> Result<Range<usize>, ErrorKind> {
        const NODES_AT_ONCE: usize = 128;
        let Missing { table, entry_len, .. } = nodes;
        let (known, at_once) = (self.filled.get(&table.start), NODES_AT_ONCE * entry_len);
        // How many nodes follow each other in some bytes, from the first on.
        let filled = |bytes: Option<&[u8]>| {
            let entries = bytes.unwrap_or_default().chunks_exact(*entry_len);
            entries.take_while(|entry| StackNode::decode(entry, encoding).is_some()).count()
        };
        let known = known.copied().unwrap_or_default();
        let first = known + filled(self.bytes.get(table.start + known * entry_len..table.end));
        let mut end = first;
        for start in (table.start + first * entry_len..table.end).step_by(at_once) {
            let piece = start..table.end.min(start + at_once);
            self.read_part(piece.clone())?;
            let new = filled(self.bytes.get(piece));
            end += new;
            if new < NODES_AT_ONCE {
                break;
            }
        }
        self.filled.insert(table.start, end);
        Ok(first..end)
    }

    /// Reads nodes and, as far as they are not there yet, those above them: the program writes a parent before its children.
    fn read_nodes(&mut self, nodes: &Missing, encoding: Encoding) -> Result<(), ErrorKind> {
        /// Longer than any path that a program makes; a damaged file may have circles.
        const LONGEST: usize = 1 << 14;
        for position in &nodes.positions {
            let mut next = Some(*position);
            for depth in 0..LONGEST {
                let Some(place) = next.and_then(|position| nodes.place(position)) else { break };
                // Those above a node that is known are known, too.
                let is_known = StackNode::decode(&self.bytes[place.clone()], encoding).is_some();
                if depth > 0 && is_known {
                    break;
                }
                self.read_part(place.clone())?;
                let node = StackNode::decode(&self.bytes[place], encoding);
                next = node.and_then(|node| node.parent);
            }
        }
        Ok(())
    }

    /// Reads a part of the file to its place; nothing beyond the bytes.
    fn read_part(&mut self, part: Range<usize>) -> Result<(), ErrorKind> {
        let at = part.start as u64;
        let part = self.bytes.get_mut(part).unwrap_or_default();
        self.file.read_exact_at(part, at).map_err(ErrorKind::Unreadable)
    }
}

impl Missing {
    /// Offset of a node in the file.
    fn place(&self, position: u32) -> Option<Range<usize>> {
        let before = usize::try_from(position).ok()?.checked_mul(self.entry_len)?;
        let start = self.table.start.checked_add(before)?;
        let place = start..start.checked_add(self.entry_len)?;
        (place.end <= self.table.end).then_some(place)
    }
}

/// Puts the header of an ended program's file before blocks, for tests.
#[cfg(test)]
pub(crate) fn write_header(bytes: &mut [u8], encoding: Encoding) {
    use gmon_format::live::{Form, Sampling};
    use gmon_format::{LoadedPc, Placement};

    let header = Header {
        encoding,
        form: Form::Finished,
        process: 1,
        placement: Placement {
            bias: 0,
            text: LoadedPc(0x1000)..LoadedPc(0x3000),
            external_caller: LoadedPc(0x1000),
            call_offset: 1,
        },
        reserved: bytes.len() as u64,
        histogram_at: 0,
        sampling: Sampling {
            rate: 100,
            dimension: *b"seconds\0\0\0\0\0\0\0\0",
            abbreviation: b's',
        },
        program: Header::program_name(b"program"),
    };
    bytes[..Header::LEN].copy_from_slice(&header.encode());
}

#[cfg(test)]
mod tests {
    use gmon_format::LoadedPc;
    use gmon_format::live::{Block, Content, Form};

    use super::*;

    const ENCODING: Encoding = Encoding::NATIVE;
    const NODES: usize = 16;
    /// Words of a count and a ring of eight.
    const WORDS: usize = 9;

    /// A live file with one table of stacks: nodes by their positions, with their parents and weights, and how often they were
    /// counted, with the ring of those counted last.
    fn file(nodes: &[(usize, Option<u32>, u64)], news: [u32; WORDS]) -> Vec<u8> {
        let mut bytes = vec![0; Header::LEN];
        let entries_len = NODES * StackNode::LEN;
        let block = Block {
            content: Content::Stacks { first: 0 },
            len: (Block::LEN + entries_len + 4 * WORDS) as u64,
            entries_at: Block::LEN as u64,
            entries: NODES as u64,
            entry_len: StackNode::LEN as u32,
        };
        bytes.extend(block.encode(ENCODING));
        let mut entries = vec![0; entries_len];
        for (position, parent, weight) in nodes {
            let pc = LoadedPc(0x1000 + *position as u64);
            let (parent, weight) = (*parent, *weight);
            let node = StackNode {
                pc,
                parent,
                is_guess: false,
                samples: 1,
                weight,
                kernel: Default::default(),
            };
            let at = position * StackNode::LEN;
            entries[at..at + StackNode::LEN].copy_from_slice(&node.encode(ENCODING));
        }
        bytes.extend(entries);
        bytes.extend(news.iter().flat_map(|word| ENCODING.u32_bytes(*word)));
        write_header(&mut bytes, ENCODING);
        bytes
    }

    #[test]
    fn only_nodes_that_were_counted_are_read_again() {
        let disk = tempfile::NamedTempFile::new().expect("a file");
        let mut view = LiveView::new(disk.path(), disk.reopen().expect("the file"));
        let mut look = |bytes: Vec<u8>| {
            disk.as_file().write_all_at(&bytes, 0).expect("room");
            let (live, news) = view.read_news(true).expect("a live file");
            let stacks = live.stacks().next().expect("a table");
            let weights: Vec<_> = stacks.iter().map(|(at, node)| (at, node.weight)).collect();
            let [news] = &news.nodes[..] else { panic!("one table") };
            (news.clone(), weights)
        };
        let these = |positions: &[u32]| NodeNews::These(positions.to_vec());

        // The first look is at everything, also at what came meanwhile.
        let first = [(0, None, 0), (1, Some(0), 7)];
        let found = look(file(&first, [1, 1, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!(found, (NodeNews::Any, vec![(0, 0), (1, 7)]));
        assert_eq!(look(file(&first, [1, 1, 0, 0, 0, 0, 0, 0, 0])).0, these(&[]));
        // Node 4 is new, with two above it. That 0 has changed is not said, so it is not read.
        let second =
            [(0, None, 99), (1, Some(0), 8), (2, Some(1), 0), (3, Some(2), 0), (4, Some(3), 4)];
        let found = look(file(&second, [4, 1, 4, 1, 4, 0, 0, 0, 0]));
        assert_eq!(found, (these(&[1, 4]), vec![(0, 0), (1, 8), (2, 0), (3, 0), (4, 4)]));
        // Around the end of the ring.
        let third = [(0, None, 99), (1, Some(0), 9), (4, Some(3), 5)];
        let found = look(file(&third, [9, 4, 4, 1, 4, 4, 4, 4, 4]));
        assert_eq!(found.0, these(&[4]));
        let found = look(file(&third, [11, 4, 1, 4, 4, 4, 4, 4, 4]));
        assert_eq!(found.0, these(&[1, 4]));
        // More than the ring holds.
        let found = look(file(&third, [19, 4, 1, 1, 4, 4, 4, 4, 4]));
        assert_eq!(found, (NodeNews::Any, vec![(0, 99), (1, 9), (4, 5)]));
        // Nodes that are not next to each other: those above the one that is named are read, too.
        let apart = [(9, None, 0), (7, Some(9), 0), (12, Some(7), 6)];
        let found = look(file(&apart, [20, 4, 1, 1, 12, 4, 4, 4, 4]));
        let all = vec![(0, 99), (1, 9), (4, 5), (7, 0), (9, 0), (12, 6)];
        assert_eq!(found, (these(&[12]), all));
        // The number wraps.
        look(file(&third, [u32::MAX, 4, 1, 1, 4, 4, 4, 4, 4]));
        let wrapped = look(file(&third, [1, 1, 1, 1, 4, 4, 4, 4, 0]));
        assert_eq!(wrapped.0, these(&[0, 1]));
    }

    /// Data between blocks are seen once the program has said that it has made a block.
    #[test]
    fn gaps_are_read_when_there_are_other_blocks() {
        let disk = tempfile::NamedTempFile::new().expect("a file");
        let mut view = LiveView::new(disk.path(), disk.reopen().expect("the file"));
        let mut look = |blocks, has_table| {
            let mut bytes = bins(2, 0, &[]);
            bytes.resize(bytes.len().next_multiple_of(Form::Live.alignment()), 0);
            let (len, entries_at) = ((Block::LEN + 32) as u64, Block::LEN as u64);
            let block =
                Block { content: Content::Arcs, len, entries_at, entries: 1, entry_len: 32 };
            let table = if has_table { block.encode(ENCODING) } else { [0; Block::LEN] };
            bytes.extend(table.into_iter().chain([0; 32]));
            let mut header = Header::decode(&bytes).expect("a header");
            header.reserved = bytes.len() as u64;
            bytes[..Header::LEN].copy_from_slice(&header.encode());
            Control { blocks, ..Control::default() }.put_into(&mut bytes, ENCODING);
            disk.as_file().write_all_at(&bytes, 0).expect("room");
            view.read_news(true).expect("a live file").0.tables().count()
        };
        assert_eq!([look(1, false), look(1, true), look(2, true)], [0, 0, 1]);
        // A program that does not tell may have made some at any time.
        assert_eq!([look(0, false), look(0, true)], [0, 1]);
    }

    /// A live file with a histogram of so many bins, all of one count, and the marks of its pages.
    fn bins(bins: usize, count: u32, marks: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; Form::Live.alignment()];
        let at = bytes.len();
        let block = Block {
            content: Content::Histogram { low_pc: LoadedPc(0x1000), bin_len: 4 },
            len: (Block::LEN + 4 * (bins + marks.len())) as u64,
            entries_at: Block::LEN as u64,
            entries: bins as u64,
            entry_len: 4,
        };
        bytes.extend(block.encode(ENCODING));
        let words = std::iter::repeat_n(&count, bins).chain(marks);
        bytes.extend(words.flat_map(|word| ENCODING.u32_bytes(*word)));
        write_header(&mut bytes, ENCODING);
        let mut header = Header::decode(&bytes).expect("a header");
        (header.form, header.histogram_at) = (Form::Live, at as u64);
        bytes[..Header::LEN].copy_from_slice(&header.encode());
        bytes
    }

    #[test]
    fn only_bins_that_were_counted_are_read_again() {
        const PAGE: usize = LiveHistogram::<LoadedPc>::BINS_PER_MARK;
        let disk = tempfile::NamedTempFile::new().expect("a file");
        let mut view = LiveView::new(disk.path(), disk.reopen().expect("the file"));
        let mut look = |bytes: Vec<u8>, needs_bins| {
            disk.as_file().write_all_at(&bytes, 0).expect("room");
            let (live, news) = view.read_news(needs_bins).expect("a live file");
            let counts = live.histogram().expect("bins").counts();
            let sum = counts.map(|(_, count)| count).sum::<u64>() as usize;
            (news.bins.clone().map(|parts| parts.iter().map(|part| part.len()).sum::<usize>()), sum)
        };
        let len = 2 * PAGE + 5;
        // First all of them, then again: whatever was counted while they were read first may not have been marked before.
        assert_eq!(look(bins(len, 1, &[1, 1, 1]), true), (None, len));
        assert_eq!(look(bins(len, 2, &[1, 1, 1]), true), (Some(4 * len), 2 * len));
        // Nothing is marked, so nothing is read; then two pages are, of which one is short.
        assert_eq!(look(bins(len, 3, &[1, 1, 1]), true), (Some(0), 2 * len));
        let some = (Some(4 * (PAGE + 5)), 2 * PAGE + 4 * (PAGE + 5));
        assert_eq!(look(bins(len, 4, &[1, 2, 9]), true), some);
        // A look that does not need them has not seen them.
        assert_eq!(look(bins(len, 5, &[2, 3, 10]), false).0, None);
        assert_eq!(look(bins(len, 5, &[2, 3, 10]), true), (Some(4 * len), 5 * len));
        // Without marks all are compared.
        for count in [6, 7] {
            assert_eq!(look(bins(len, count, &[]), true).1, len * count as usize);
        }
    }

    #[test]
    fn damaged_news_lead_nowhere() {
        let disk = tempfile::NamedTempFile::new().expect("a file");
        let mut view = LiveView::new(disk.path(), disk.reopen().expect("the file"));
        // A position that is not there, and nodes above each other.
        let nodes = [(1, Some(2), 3), (2, Some(1), 3), (4, Some(77), 5)];
        for news in [[0, 0, 0, 0, 0, 0, 0, 0, 0], [4, 1, 2, u32::MAX, 4, 0, 0, 0, 0]] {
            disk.as_file().write_all_at(&file(&nodes, news), 0).expect("room");
            view.read_news(true).expect("a live file");
        }
    }
}
