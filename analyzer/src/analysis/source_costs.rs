//! Costs of source lines in a profile: the executions of each.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc as Shared;

use gmon_format::FilePc;

use super::line_executions::line_executions;
use crate::image::{Declaration, Dialect, FileId, FunctionTable, Image, Inlining, Lines};
use crate::profile::Executions;
use crate::symbols::{SymbolId, SymbolTable};

/// Costs of all lines that have code.
#[derive(Clone, Debug, Default)]
pub struct SourceCosts {
    /// Files by path.
    files: BTreeMap<Box<[u8]>, FileCosts>,
}

/// Costs of a file.
#[derive(Clone, Debug, Default)]
pub struct FileCosts {
    /// Lines with code, by number.
    pub lines: BTreeMap<u32, LineCosts>,
    /// The functions whose code begins in the file, in the order of their lines.
    pub functions: Vec<FunctionStart>,
}

/// Costs of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineCosts {
    /// Executions; `None` where blocks are not counted.
    pub executions: Option<u64>,
    /// The functions that have its code, each with its part of the executions.
    pub functions: Vec<(SymbolId, u64)>,
    /// Call sites into which this line's function was inlined, each with its share of the executions.
    pub copies: Vec<(InlinedAt, u64)>,
}

/// A place where a function was inlined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InlinedAt {
    /// The function that it became a part of, as debug information names it; empty if it does not.
    pub function: Shared<[u8]>,
    /// Path of the source file of the call; empty if it is not known.
    pub file: Shared<[u8]>,
    /// Line of the call; 0 if it is not known.
    pub line: u32,
}

/// Start of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionStart {
    /// The line of its declaration or, if that is not known, of its first code.
    pub line: u32,
    /// The function.
    pub function: SymbolId,
    /// Entries into it; `None` if they are not known.
    pub entries: Option<u64>,
}

impl SourceCosts {
    /// Tells all that executions say of the lines of a program.
    #[must_use]
    pub fn new(image: &Image, symbols: &SymbolTable, executions: &Executions) -> Self {
        let lines = image.lines(Dialect::Standard);
        let declarations = image.declarations();
        let mut files = Files { lines, files: BTreeMap::new() };
        files.add_executions(image.functions(Dialect::Standard), executions, &declarations);
        files.add_functions(symbols, executions, &declarations);
        let own_path = |(file, costs)| (lines.path(file).into(), costs);
        Self { files: files.files.into_iter().map(own_path).collect() }
    }

    /// The files, by the paths that the compiler recorded.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<Box<[u8]>, FileCosts> {
        &self.files
    }

    /// Returns `true` if there is a line whose executions are known.
    #[must_use]
    pub fn knows_executions(&self) -> bool {
        self.files.values().any(|file| file.executed_of().0 != 0)
    }
}

/// The files of a program, as long as their costs are added up.
struct Files<'a> {
    lines: Lines<'a>,
    files: BTreeMap<FileId, FileCosts>,
}

impl Files<'_> {
    fn line(&mut self, file: FileId, line: u32) -> &mut LineCosts {
        self.files.entry(file).or_default().lines.entry(line).or_default()
    }

    fn add_executions(
        &mut self,
        functions: &FunctionTable,
        executions: &Executions,
        declarations: &HashMap<FilePc, Declaration>,
    ) {
        let mut words = HashMap::new();
        for (copy, count) in line_executions(self.lines, functions, declarations, executions) {
            let costs = self.line(copy.file, copy.line);
            costs.executions = Some(costs.executions.unwrap_or(0).saturating_add(count));
            match costs.functions.iter_mut().find(|(known, _)| *known == copy.function) {
                Some((_, sum)) => *sum = sum.saturating_add(count),
                None => costs.functions.push((copy.function, count)),
            }
            let place = copy.inlinings.first().map(|place| InlinedAt::new(place, &mut words));
            costs.copies.extend(place.map(|place| (place, count)));
        }
    }

    fn add_functions(
        &mut self,
        symbols: &SymbolTable,
        executions: &Executions,
        declarations: &HashMap<FilePc, Declaration>,
    ) {
        for function in symbols.ids().filter(|&id| symbols.owner(id) == id) {
            let address = symbols.get(function).address;
            let Some(place) = self.lines.locate(address) else { continue };
            let Some(file) = self.files.get_mut(&place.file) else { continue };
            let declared = declarations.get(&address).map_or(0, |declaration| declaration.line);
            let line = place.line.get();
            let line = if declared == 0 { line } else { declared.min(line) };
            let entries = executions.entries(function);
            file.functions.push(FunctionStart { line, function, entries });
        }
        self.files.values_mut().for_each(|file| file.functions.sort_by_key(|start| start.line));
    }
}

impl InlinedAt {
    /// Keeps a place; equal words of all places are kept once.
    fn new<'a>(place: &Inlining<'a>, words: &mut HashMap<&'a [u8], Shared<[u8]>>) -> Self {
        let mut own = |word| words.entry(word).or_insert_with(|| Shared::from(word)).clone();
        Self { function: own(place.function), file: own(place.file), line: place.line }
    }
}

impl FileCosts {
    /// Number of lines whose executions are known, and how many of them were executed.
    #[must_use]
    pub fn executed_of(&self) -> (usize, usize) {
        let known = self.lines.values().filter_map(|line| line.executions);
        let executed = known.clone().filter(|&count| count != 0).count();
        (known.count(), executed)
    }
}
