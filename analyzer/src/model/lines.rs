//! Costs of source lines in a model.

use std::collections::BTreeMap;

use super::document::{Line, Model};
use super::ids::FileId;

/// Adds the samples of lines, from the places of all functions.
pub(super) fn with_line_samples(mut model: Model) -> Model {
    let executed = model.lines.iter().filter(|line| line.executions.is_some());
    let executed = executed.map(|line| ((line.file, line.line), (line.executions, 0)));
    let mut lines: BTreeMap<(FileId, u32), (Option<u64>, u64)> = executed.collect();
    for place in &model.places {
        if let (Some(file), Some(line)) = (place.file, place.line) {
            lines.entry((file, line)).or_default().1 += place.samples;
        }
    }
    model.lines = lines
        .into_iter()
        .map(|((file, line), (executions, samples))| Line { file, line, executions, samples })
        .collect();
    model
}
