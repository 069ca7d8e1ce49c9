//! The call stacks of both sides, each with its samples before and after.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::comparison::Comparison;
use crate::model::{FrameId, Model};
use crate::totals::add;

/// A stack of functions, and its samples in all runs of each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackPair {
    /// Numbers of functions of the comparison, the outermost first.
    pub frames: Vec<u32>,
    /// Samples of the base and of the new side.
    pub samples: [u64; 2],
}

/// All stacks of the runs that were compared, in the order of their functions.
#[must_use]
pub fn stack_pairs(comparison: &Comparison, base: &[Model], new: &[Model]) -> Vec<StackPair> {
    let mut pairs: BTreeMap<Vec<u32>, [u64; 2]> = BTreeMap::new();
    for (side, runs) in [base, new].into_iter().enumerate() {
        for (run, model) in runs.iter().enumerate() {
            let row =
                |frame: &FrameId| comparison.row(side, run, model.frames[frame.index()].function);
            let Ok(()) = model.stacks.each(|stack| {
                let frames: Vec<u32> = stack.frames.iter().map(row).collect();
                add(&mut pairs.entry(frames).or_default()[side], stack.samples);
                Ok::<(), Infallible>(())
            });
        }
    }
    pairs.into_iter().map(|(frames, samples)| StackPair { frames, samples }).collect()
}
