//! Facts that a profile has of each source line.

use std::collections::BTreeMap;

use gmon_analyzer::Model;
use gmon_analyzer::model::{FileId, FunctionId, LineCopy, ModuleId};

/// Facts about a line.
#[derive(Clone, Debug, Default)]
pub(super) struct LineFacts<'a> {
    /// Executions; `None` where blocks are not counted.
    pub(super) executions: Option<u64>,
    pub(super) samples: u64,
    /// Functions that it called and how often, the most called first.
    pub(super) calls: Vec<(FunctionId, u64)>,
    /// Places into which its function was inlined.
    pub(super) copies: Vec<&'a LineCopy>,
}

/// Lines of a file, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct FileLines<'a> {
    pub(super) lines: BTreeMap<u32, LineFacts<'a>>,
    /// True if the program itself has code of it.
    pub(super) is_of_program: bool,
}

impl FileLines<'_> {
    /// Samples in all lines.
    pub(super) fn samples(&self) -> u64 {
        self.lines.values().map(|line| line.samples).sum()
    }
}

/// All files that something is known of.
pub(super) fn of_model(model: &Model) -> BTreeMap<FileId, FileLines<'_>> {
    let mut files: BTreeMap<FileId, FileLines<'_>> = BTreeMap::new();
    for line in &model.lines {
        let facts = files.entry(line.file).or_default().lines.entry(line.line).or_default();
        (facts.executions, facts.samples) = (line.executions, line.samples);
    }
    for arc in &model.arcs {
        let (Some(file), Some(line), Some(count)) = (arc.file, arc.line, arc.calls) else {
            continue;
        };
        let calls = &mut files.entry(file).or_default().lines.entry(line).or_default().calls;
        match calls.iter_mut().find(|(known, _)| *known == arc.callee) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => calls.push((arc.callee, count)),
        }
    }
    for copy in &model.copies {
        let lines = &mut files.entry(copy.file).or_default().lines;
        lines.entry(copy.line).or_default().copies.push(copy);
    }
    for line in files.values_mut().flat_map(|file| file.lines.values_mut()) {
        line.calls.sort_unstable_by_key(|&(callee, count)| (u64::MAX - count, callee));
    }
    let callers = model.arcs.iter().filter(|arc| arc.calls.is_some());
    let callers = callers.filter_map(|arc| arc.caller.zip(arc.file));
    let sampled = model.places.iter().filter_map(|place| Some((place.function, place.file?)));
    for (function, file) in callers.chain(sampled) {
        if model.functions[function.index()].module == Some(ModuleId(0)) {
            files.entry(file).or_default().is_of_program = true;
        }
    }
    for line in model.lines.iter().filter(|line| line.executions.is_some()) {
        files.entry(line.file).or_default().is_of_program = true;
    }
    files
}
