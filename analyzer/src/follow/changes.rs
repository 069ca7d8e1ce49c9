//! By how much the numbers of a live file have grown since it was read last.

use foldhash::HashMap;
use gmon_format::live::{Live, LiveHistogram, Stacks};
use gmon_format::{CallSite, LoadedArc, LoadedPc, ReturnPc, SelfPc};

/// An arc: the place of the call, and an address in the function called.
pub(super) type ArcKey = (LoadedPc, LoadedPc);

/// The numbers as they were.
#[derive(Debug, Default)]
pub(super) struct Seen {
    arcs: HashMap<ArcKey, Count>,
    /// By block and position.
    nodes: Vec<Vec<u64>>,
    /// The histogram that was read, and its bins.
    bins: (LoadedPc, Vec<u64>),
}

#[derive(Debug, Default)]
struct Count {
    before: u64,
    now: u64,
}

impl Seen {
    /// Forgets everything: the program has set its counts to zero.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Visits arcs that were called since.
    pub(super) fn arcs(&mut self, live: &Live<'_>, mut visit: impl FnMut(ArcKey, u64)) {
        let call_offset = live.header().placement.call_offset;
        // Each thread has a table of its own, and larger ones come beside smaller ones.
        for LoadedArc { return_pc: ReturnPc(pc), self_pc: SelfPc(callee), count } in
            live.process_arcs()
        {
            let CallSite(site) = ReturnPc(pc).call_site(call_offset);
            let sum = &mut self.arcs.entry((site, callee)).or_default().now;
            *sum = sum.saturating_add(count);
        }
        for (key, count) in &mut self.arcs {
            let grown = growth(std::mem::replace(&mut count.before, count.now), count.now);
            count.now = 0;
            if grown != 0 {
                visit(*key, grown);
            }
        }
    }

    /// Visits nodes of stacks that were counted since, each with the block that it is in.
    pub(super) fn nodes<'l>(
        &mut self,
        live: &Live<'l>,
        mut visit: impl FnMut(Stacks<'l>, u32, u64),
    ) {
        for (index, stacks) in live.stacks().enumerate() {
            if self.nodes.len() == index {
                self.nodes.push(Vec::new());
            }
            let seen = &mut self.nodes[index];
            seen.resize(stacks.positions().max(seen.len()), 0);
            for (position, node) in stacks.iter() {
                let before = &mut seen[position as usize];
                if *before != node.weight {
                    visit(stacks, position, growth(*before, node.weight));
                    *before = node.weight;
                }
            }
        }
    }

    /// Visits the addresses whose bins were sampled since.
    pub(super) fn bins(&mut self, live: &Live<'_>, mut visit: impl FnMut(LoadedPc, u64)) {
        let Some(histogram) = live.process_histograms().next() else { return };
        let LiveHistogram { header, .. } = histogram;
        let len = (header.high_pc.0 - header.low_pc.0).checked_div(header.bins.into());
        let (low_pc, seen) = &mut self.bins;
        if *low_pc != header.low_pc || seen.len() != header.bins as usize {
            (*low_pc, *seen) = (header.low_pc, vec![0; header.bins as usize]);
        }
        for (bin, count) in histogram.counts() {
            let before = std::mem::replace(&mut seen[bin as usize], count);
            if before != count {
                let pc = header.low_pc.0 + u64::from(bin) * len.unwrap_or(1);
                visit(LoadedPc(pc), growth(before, count));
            }
        }
    }
}

/// By how much a number has grown. One that is smaller began again from zero.
fn growth(before: u64, now: u64) -> u64 {
    now.checked_sub(before).unwrap_or(now)
}
