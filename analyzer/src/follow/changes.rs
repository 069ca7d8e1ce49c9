//! Growth of the numbers of a live file since it was read last.

use std::ops::Range;

use foldhash::HashMap;
use gmon_format::LoadedPc;
use gmon_format::live::{Live, Stacks};

use super::sums::growth;
use crate::records::NodeNews;

/// The numbers as they were.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Counts by the offset of the block's nodes in the file, and position.
    nodes: HashMap<usize, Vec<u64>>,
    /// Start of the histogram that was read, and the bytes of its bins.
    bins: (LoadedPc, Vec<u8>),
}

impl Seen {
    /// Forgets all counts: the program has set them to zero.
    pub(super) fn forget(&mut self) {
        self.nodes.clear();
        self.bins = Default::default();
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
