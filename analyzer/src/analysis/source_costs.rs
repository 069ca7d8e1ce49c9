//! What a profile tells of source lines: executions, samples and calls of each.

use std::collections::{BTreeMap, HashMap};

use super::line_executions::line_executions;
use crate::image::{Declaration, Dialect, FunctionTable, Image, Inlining, Lines};
use crate::profile::Executions;
use crate::records::Records;
use crate::symbols::{SymbolId, SymbolTable};

/// What is known of all lines that have code.
#[derive(Clone, Debug, Default)]
pub struct SourceCosts<'a> {
    /// By path.
    files: BTreeMap<&'a [u8], FileCosts<'a>>,
    total_ticks: f64,
}

/// What is known of a file.
#[derive(Clone, Debug, Default)]
pub struct FileCosts<'a> {
    /// Lines with code, by number.
    pub lines: BTreeMap<u32, LineCosts<'a>>,
    /// The functions whose code begins in the file, in the order of their lines.
    pub functions: Vec<FunctionStart>,
}

/// What is known of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineCosts<'a> {
    /// How often it was executed; `None` where blocks are not counted.
    pub executions: Option<u64>,
    /// Samples.
    pub ticks: f64,
    /// What it called and how often, the most called first.
    pub calls: Vec<(SymbolId, u64)>,
    /// Places where the function that it is of was inlined, with what of the executions was there.
    pub copies: Vec<(Inlining<'a>, u64)>,
}

/// Where a function begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionStart {
    /// The line of its declaration or, if that is not known, of its first code.
    pub line: u32,
    /// The function.
    pub function: SymbolId,
    /// How often it was entered; `None` if that is not known.
    pub entries: Option<u64>,
}

impl<'a> SourceCosts<'a> {
    /// Tells all that records know of the lines of a program.
    #[must_use]
    pub fn new(
        image: &'a Image,
        symbols: &SymbolTable<'_>,
        records: &Records,
        executions: &Executions,
    ) -> Self {
        let lines = image.lines(Dialect::Standard);
        let functions = image.functions(Dialect::Standard);
        let declarations = image.declarations();
        let mut costs = Self::default();
        costs.add_executions(lines, functions, executions, &declarations);
        costs.add_samples(lines, records);
        costs.add_calls(symbols, lines, records);
        costs.add_functions(symbols, lines, executions, &declarations);
        costs
    }

    /// The files, by the paths that the compiler recorded.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<&'a [u8], FileCosts<'a>> {
        &self.files
    }

    /// All samples, those of unknown lines included.
    #[must_use]
    pub fn total_ticks(&self) -> f64 {
        self.total_ticks
    }

    fn line(&mut self, file: &'a [u8], line: u32) -> &mut LineCosts<'a> {
        self.files.entry(file).or_default().lines.entry(line).or_default()
    }

    fn add_executions(
        &mut self,
        lines: Lines<'a>,
        functions: &'a FunctionTable,
        executions: &Executions,
        declarations: &HashMap<u64, Declaration>,
    ) {
        for (copy, count) in line_executions(lines, functions, declarations, executions) {
            let costs = self.line(lines.path(copy.file), copy.line);
            costs.executions = Some(costs.executions.unwrap_or(0).saturating_add(count));
            costs.copies.extend(copy.inlinings.into_iter().next().map(|place| (place, count)));
        }
    }

    /// Divides the samples of each bin among the lines that it covers, by the bytes of their code.
    fn add_samples(&mut self, lines: Lines<'a>, records: &Records) {
        for histogram in records.histograms().list() {
            let range = &histogram.range;
            let width = (range.end - range.start) as f64 / histogram.bins.len() as f64;
            let border = |i: usize| range.start as f64 + i as f64 * width;
            for (i, &ticks) in histogram.bins.iter().enumerate().filter(|(_, ticks)| **ticks != 0) {
                self.total_ticks += ticks as f64;
                let (low, high) = (border(i), border(i + 1));
                for piece in lines.pieces(low.floor() as u64..high.ceil() as u64) {
                    let covered =
                        high.min(piece.code.end as f64) - low.max(piece.code.start as f64);
                    let (file, line) = (piece.location.file, piece.location.line);
                    let costs = self.line(lines.path(file), line.get());
                    costs.ticks += ticks as f64 * covered / width;
                }
            }
        }
    }

    fn add_calls(&mut self, symbols: &SymbolTable<'_>, lines: Lines<'a>, records: &Records) {
        for arc in records.arcs() {
            let callee = symbols.find_function(arc.self_pc);
            let (Some(callee), Some(place)) = (callee, lines.locate(arc.from_pc)) else { continue };
            let calls = &mut self.line(lines.path(place.file), place.line.get()).calls;
            match calls.iter_mut().find(|(known, _)| *known == callee) {
                Some((_, count)) => *count = count.saturating_add(arc.count),
                None => calls.push((callee, arc.count)),
            }
        }
        let all = self.files.values_mut().flat_map(|file| file.lines.values_mut());
        all.for_each(|line| line.calls.sort_by_key(|&(callee, count)| (u64::MAX - count, callee)));
    }

    fn add_functions(
        &mut self,
        symbols: &SymbolTable<'_>,
        lines: Lines<'_>,
        executions: &Executions,
        declarations: &HashMap<u64, Declaration>,
    ) {
        for function in symbols.ids() {
            let address = symbols.get(function).address;
            let Some(place) = lines.locate(address) else { continue };
            let Some(file) = self.files.get_mut(lines.path(place.file)) else { continue };
            let declared = declarations.get(&address).map_or(0, |declaration| declaration.line);
            let line = place.line.get();
            let line = if declared == 0 { line } else { declared.min(line) };
            let entries = executions.entries(function);
            file.functions.push(FunctionStart { line, function, entries });
        }
        self.files.values_mut().for_each(|file| file.functions.sort_by_key(|start| start.line));
    }
}

impl FileCosts<'_> {
    /// Samples in all lines.
    #[must_use]
    pub fn ticks(&self) -> f64 {
        self.lines.values().map(|line| line.ticks).sum()
    }

    /// How many lines there are whose executions are known, and how many of them were executed.
    #[must_use]
    pub fn executed_of(&self) -> (usize, usize) {
        let known = self.lines.values().filter_map(|line| line.executions);
        let executed = known.clone().filter(|&count| count != 0).count();
        (known.count(), executed)
    }
}
