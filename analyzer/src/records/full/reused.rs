//! Addresses that belonged to one code after the other: the times of samples tell in which they were taken.

use std::collections::HashMap;

use gmon_format::LoadedPc;
use gmon_format::live::{Live, Sample, Stacks};

use super::layout::Layout;
use super::looks::Looks;
use super::parts::Frame;
use super::timeline::Numbers;
use super::total::{FullRecords, NodeKey};

impl FullRecords {
    /// The samples with their nodes. Where code came in the place of other code, a sample moves to the stack of its time;
    /// those without a time stay in the latest code.
    pub(super) fn place_samples(
        &mut self,
        live: &Live<'_>,
        layout: &Layout<'_>,
        numbers: &Numbers,
    ) -> Vec<(Sample, u32)> {
        let all: Vec<Sample> = live.samples().collect();
        let known = |sample: Sample| Some((sample, *numbers.get(&sample.node.into())?));
        let mut placed: Vec<(Sample, u32)> = all.into_iter().filter_map(known).collect();
        if !layout.has_reused() {
            return placed;
        }
        let mut blocks: Vec<Stacks<'_>> = live.stacks().collect();
        blocks.sort_unstable_by_key(|stacks| stacks.first());
        let mut paths: HashMap<u32, Vec<LoadedPc>> = HashMap::new();
        for (sample, node) in &mut placed {
            let path = paths.entry(sample.node).or_insert_with(|| {
                let path = path(&blocks, sample.node.into());
                let is_reused = path.iter().any(|pc| layout.is_reused(*pc));
                if is_reused { path } else { Vec::new() }
            });
            if !path.is_empty() {
                *node = self.move_sample(sample, *node, path, layout);
            }
        }
        placed
    }

    /// Moves a sample from a node to the one of its time, which is made if it is new. The path has the innermost address
    /// first.
    fn move_sample(
        &mut self,
        sample: &Sample,
        from: u32,
        path: &[LoadedPc],
        layout: &Layout<'_>,
    ) -> u32 {
        let mut chain = Vec::new();
        let mut next = Some(from);
        while let Some(node) = next {
            chain.push(node);
            next = self.nodes[node as usize].parent;
        }
        let time = sample.at_us.saturating_mul(1000);
        let mut to = None;
        // What the path has more are marks of threads, which are further out.
        for (node, pc) in chain.iter().zip(path).rev() {
            let known = self.nodes[*node as usize];
            let frame = match known.frame {
                Frame::Code(_) => Frame::Code(layout.place_at(*pc, time)),
                incomplete => incomplete,
            };
            let (thread, waits, is_guess) = (known.thread, known.waits, known.is_guess);
            let key = NodeKey { parent: to, thread, waits, frame, is_guess };
            to = Some(self.add_node(key, Looks::default()));
        }
        let to = to.unwrap_or(from);
        if to != from {
            let weight = u64::from(sample.weight);
            let waits = self.nodes[from as usize].waits;
            let looks = Looks::timed(sample.is_look, weight, waits, sample.kernel);
            self.nodes[from as usize].own -= looks;
            self.nodes[to as usize].own += looks;
        }
        to
    }
}

/// The addresses from a node outwards, by the number that samples have for it.
fn path(blocks: &[Stacks<'_>], number: u64) -> Vec<LoadedPc> {
    let after = blocks.partition_point(|stacks| stacks.first() <= number);
    let stacks = after.checked_sub(1).map(|at| blocks[at]);
    let position = stacks.and_then(|stacks| u32::try_from(number - stacks.first()).ok());
    let path = stacks.zip(position).map(|(stacks, position)| stacks.path(position));
    path.into_iter().flatten().map(|node| node.pc).collect()
}
