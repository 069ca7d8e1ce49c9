//! The samples of functions by line: where in its source, or in what was inlined into it, each function took its time.

use std::collections::BTreeMap;

use super::document::Model;
use super::ids::{FileId, FunctionId};
use super::inlines::Fold;

/// Samples of a function in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionLine {
    /// The function that has these samples.
    pub function: FunctionId,
    /// The function in whose source the line is, which may have been inlined; `None` if that is not known.
    pub written_in: Option<FunctionId>,
    /// The file.
    pub file: Option<FileId>,
    /// The line.
    pub line: Option<u32>,
    /// Samples.
    pub samples: u64,
}

impl Model {
    /// The samples of all functions by line. Those of inlined functions that are folded are of the function that has
    /// their code, so that the lines of a function add up to what [`Self::with_inlines_folded`] gives it; `apart` are
    /// never folded. Without stacks all inlined code is of the function that has it.
    #[must_use]
    pub fn samples_by_line(&self, fold: Fold, apart: &[FunctionId]) -> Vec<FunctionLine> {
        if !self.has_stacks() {
            let sampled = self.places.iter().filter(|place| place.samples != 0);
            let line = |&super::Place { function, file, line, samples, .. }: &_| FunctionLine {
                function,
                written_in: None,
                file,
                line,
                samples,
            };
            return sampled.map(line).collect();
        }
        let is_folded = |it| fold.has(it) && !apart.contains(&it.id);
        let is_folded: Vec<bool> = self.functions.iter().map(is_folded).collect();
        type Key = (FunctionId, FunctionId, Option<FileId>, Option<u32>);
        let mut sums: BTreeMap<Key, u64> = BTreeMap::new();
        let mut functions: Vec<FunctionId> = Vec::with_capacity(self.stacks.nodes().len());
        for node in self.stacks.nodes() {
            let frame = self.frames[node.frame.index()];
            let is_part = frame.inlined && is_folded[frame.function.index()];
            let outer = node.parent.filter(|_| is_part).map(|parent| functions[parent as usize]);
            let function = outer.unwrap_or(frame.function);
            functions.push(function);
            if node.own.weight != 0 {
                let key = (function, frame.function, frame.file, frame.line);
                *sums.entry(key).or_default() += node.own.weight;
            }
        }
        let line = |((function, written_in, file, line), samples)| FunctionLine {
            function,
            written_in: Some(written_in),
            file,
            line,
            samples,
        };
        sums.into_iter().map(line).collect()
    }
}
