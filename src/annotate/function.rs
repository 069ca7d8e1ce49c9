//! Lines of a function.

use std::collections::{BTreeMap, HashMap};
use std::ops::{Range, RangeInclusive};

use anyhow::{Result, bail};
use gmon_analyzer::symbols::SymbolId;
use gmon_analyzer::{Names, Program};
use gmon_format::FilePc;

use super::listing::Listing;
use crate::named::is_called;

/// The source of a function.
pub(super) struct Function {
    pub(super) name: String,
    /// Path of its file as the compiler recorded it.
    pub(super) file: Vec<u8>,
    pub(super) lines: RangeInclusive<u32>,
}

/// The functions with this name, as the linker or the source has it. A function without code of its own has
/// the code of the places into which it was inlined.
///
/// # Errors
///
/// If no such function exists, or it has no line information.
pub(super) fn find(listing: &Listing<'_>, name: &str) -> Result<Vec<Function>> {
    let Listing { program, names, .. } = listing;
    let path = program.image().path().display();
    let is_named = |id: &SymbolId| {
        let plain = String::from_utf8_lossy(names.plain(*id));
        names.raw(*id) == name.as_bytes() || is_called(&plain, name)
    };
    let named: Vec<SymbolId> = program.symbols().ids().filter(is_named).collect();
    let own = named.iter().filter_map(|&id| source(listing, id));
    let mut functions: Vec<Function> = own.collect();
    if functions.is_empty() {
        functions = inlined(program, names, name);
    }
    match (functions.is_empty(), named.is_empty()) {
        (false, _) => Ok(functions),
        (true, true) => {
            bail!("{path} has no function {name}; gmon gprof -p -z lists all of them")
        }
        (true, false) => bail!("{path}: the lines of {name} are not known; compile with -g"),
    }
}

/// The functions of a name that were inlined, each from its first line that made code to the last.
fn inlined(program: &Program, names: &Names<'_>, name: &str) -> Vec<Function> {
    let mut known: HashMap<&[u8], Option<String>> = HashMap::new();
    let mut found: BTreeMap<(String, &[u8]), RangeInclusive<u32>> = BTreeMap::new();
    let lines_of = |code: &Range<FilePc>| program.lines().pieces(code.clone());
    let pieces = program.image().code().iter().flat_map(lines_of);
    for piece in pieces {
        let innermost = program.functions().frames(piece.code.start).next();
        let Some(function) = innermost.and_then(|frame| frame.function) else { continue };
        let readable = known.entry(function.name).or_insert_with(|| {
            let readable = String::from_utf8_lossy(&names.readable(function.name)).into_owned();
            let is_named = function.name == name.as_bytes() || is_called(&readable, name);
            is_named.then_some(readable)
        });
        let Some(readable) = readable else { continue };
        let line = piece.location.line.get();
        let key = (readable.clone(), program.lines().path(piece.location.file));
        let lines = found.entry(key).or_insert(line..=line);
        *lines = line.min(*lines.start())..=line.max(*lines.end());
    }
    let function = |((name, file), lines): ((String, &[u8]), _)| Function {
        name,
        file: file.to_owned(),
        lines,
    };
    found.into_iter().map(function).collect()
}

/// From the line where it begins to the last that is its own and not of a function inlined into it.
fn source(listing: &Listing<'_>, id: SymbolId) -> Option<Function> {
    let Listing { program, costs, names, .. } = listing;
    let (lines, functions) = (program.lines(), program.functions());
    let symbol = program.symbols().get(id);
    let code = symbol.address..symbol.end.saturating_add(1);
    let start = lines.locate(symbol.address)?;
    let own = lines.pieces(code).filter(|piece| {
        let is_own = functions.inlinings(piece.code.start).next().is_none();
        is_own && piece.location.file == start.file
    });
    let last = own.map(|piece| piece.location.line).max().unwrap_or(start.line).max(start.line);
    let path = lines.path(start.file);
    let file = costs.files().get(path);
    let declared = file.and_then(|file| file.functions.iter().find(|known| known.function == id));
    Some(Function {
        name: String::from_utf8_lossy(names.plain(id)).into_owned(),
        lines: declared.map_or(start.line.get(), |known| known.line)..=last.get(),
        file: path.to_owned(),
    })
}
