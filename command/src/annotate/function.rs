//! Lines of a function.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{Range, RangeInclusive};

use anyhow::{Result, bail};
use gmon_analyzer::model::{self, FileId, FunctionId, Kind};
use gmon_analyzer::symbols::SymbolId;
use gmon_analyzer::{Measurement, Model, Names, Program};
use gmon_format::FilePc;

use crate::named::{is_called, name_of};
use crate::naming::Naming;

/// The source of a function.
pub(super) struct Function {
    pub(super) name: String,
    /// The function in the profile; `None` if it was never called or seen.
    pub(super) id: Option<FunctionId>,
    /// Path of its file as the compiler recorded it.
    pub(super) file: String,
    pub(super) lines: RangeInclusive<u32>,
}

type Place = (String, RangeInclusive<u32>);

/// The functions with this name, as the linker or the source has it. A function without code of its own has
/// the code of the places into which it was inlined.
///
/// # Errors
///
/// If no such function exists, or it has no line information.
pub(super) fn find(
    model: &Model,
    measurement: Option<&Measurement>,
    naming: Naming,
    name: &str,
) -> Result<Vec<Function>> {
    let seen = crate::named::find(model, name).into_iter().map(|id| &model.functions[id.index()]);
    let seen: Vec<_> = seen.filter(|it| matches!(it.kind, Kind::Code | Kind::Inlined)).collect();
    let mut functions: Vec<Function> = Vec::new();
    for function in &seen {
        let place = measurement
            .and_then(|measurement| in_program(model, measurement, function))
            .or_else(|| in_model(model, function));
        functions.extend(place.map(|(file, lines)| Function {
            name: name_of(function, naming),
            id: Some(function.id),
            file,
            lines,
        }));
    }
    let mut is_known = !seen.is_empty();
    if let Some(measurement) = measurement {
        let addresses: HashSet<_> = seen.iter().filter_map(|it| Some(it.address?.0)).collect();
        let (program, names) = (measurement.program(), measurement.names(naming.style()));
        let is_unseen = |id: &SymbolId| {
            let plain = String::from_utf8_lossy(names.plain(*id));
            (names.raw(*id) == name.as_bytes() || is_called(&plain, name))
                && !addresses.contains(&program.symbols().get(*id).address.0)
        };
        let unseen: Vec<SymbolId> = program.symbols().ids().filter(is_unseen).collect();
        is_known |= !unseen.is_empty();
        functions.extend(unseen.into_iter().filter_map(|id| {
            let name = String::from_utf8_lossy(names.plain(id)).into_owned();
            let (file, lines) = own(program, program.symbols().get(id).address)?;
            Some(Function { name, id: None, file, lines })
        }));
        if functions.is_empty() {
            functions = inlined_by_name(program, &names, name);
        }
    }
    let path = match measurement {
        Some(measurement) => measurement.program().image().path().display().to_string(),
        None => model.program.clone(),
    };
    match (functions.is_empty(), is_known, measurement) {
        (false, ..) => Ok(functions),
        (true, true, _) => bail!("{path}: the lines of {name} are not known; compile with -g"),
        (true, false, Some(_)) => {
            bail!("{path} has no function {name}; gmon gprof -p -z lists all of them")
        }
        (true, false, None) => bail!(
            "no function {name} of {path} was called or seen by a sample, and an exported profile has no others"
        ),
    }
}

/// The lines of a function in the code of its module.
fn in_program(
    model: &Model,
    measurement: &Measurement,
    function: &model::Function,
) -> Option<Place> {
    let module = function.module?;
    let path = model.modules[module.index()].path.as_bytes();
    let records = measurement.records().full().modules().iter();
    let library = records.zip(measurement.modules().list()).find(|(it, _)| *it.path == *path);
    let program = match library {
        Some((_, code)) => code.program()?,
        None => measurement.program(),
    };
    match function.address {
        Some(address) => own(program, FilePc(address.0)),
        None => {
            let found = inlined(program, |name| (name == function.name.as_bytes()).then_some(()));
            found.into_iter().map(|(((), file), lines)| (lossy(file), lines)).next()
        }
    }
}

/// From the line where a function begins to the last that is its own and not of a function inlined into it.
fn own(program: &Program, address: FilePc) -> Option<Place> {
    let (lines, functions) = (program.lines(), program.functions());
    let symbol = program.symbols().get(program.symbols().find(address)?);
    let code = symbol.address..symbol.end.saturating_add(1);
    let pieces = lines.pieces(code);
    let own: Vec<_> =
        pieces.filter(|it| functions.inlinings(it.code.start).next().is_none()).collect();
    let start = own.first().map(|it| it.location).or_else(|| lines.locate(symbol.address))?;
    let numbers = own.iter().map(|it| it.location).filter(|it| it.file == start.file);
    let last = numbers.map(|it| it.line.get()).max().unwrap_or(0).max(start.line.get());
    let outermost = functions.frames(symbol.address).last().and_then(|frame| frame.function);
    let declared = outermost.map(|function| function.line).filter(|line| *line != 0);
    let first = declared.map_or(start.line.get(), |line| line.min(start.line.get()));
    Some((lossy(lines.path(start.file)), first..=last))
}

/// The functions of a name that were inlined.
fn inlined_by_name(program: &Program, names: &Names<'_>, name: &str) -> Vec<Function> {
    let found = inlined(program, |known| {
        let readable = String::from_utf8_lossy(&names.readable(known)).into_owned();
        (known == name.as_bytes() || is_called(&readable, name)).then_some(readable)
    });
    let function = |((name, file), lines)| Function { name, id: None, file: lossy(file), lines };
    found.into_iter().map(function).collect()
}

/// The functions that are wanted, by what they are called and their files, each from its declaration to the last line that made
/// code wherever it was inlined.
fn inlined<N: Clone + Ord>(
    program: &Program,
    wanted: impl Fn(&[u8]) -> Option<N>,
) -> BTreeMap<(N, &[u8]), RangeInclusive<u32>> {
    let mut known: HashMap<(&[u8], &[u8]), Option<N>> = HashMap::new();
    let mut found: BTreeMap<(N, &[u8]), RangeInclusive<u32>> = BTreeMap::new();
    let lines_of = |code: &Range<FilePc>| program.lines().pieces(code.clone());
    for piece in program.image().code().iter().flat_map(lines_of) {
        let innermost = program.functions().frames(piece.code.start).next();
        let Some(function) = innermost.and_then(|frame| frame.function) else { continue };
        let name = known.entry((function.qualifier, function.name));
        let name = name.or_insert_with(|| wanted(&function.qualified()));
        let Some(name) = name else { continue };
        let line = piece.location.line.get();
        let key = (name.clone(), program.lines().path(piece.location.file));
        let first = if (1..line).contains(&function.line) { function.line } else { line };
        let lines = found.entry(key).or_insert(first..=line);
        *lines = first.min(*lines.start())..=line.max(*lines.end());
    }
    found
}

/// From the first line of a function that the profile knows to the last, before the next function begins.
fn in_model(model: &Model, function: &model::Function) -> Option<Place> {
    let frames = model.frames.iter().filter(|it| it.function == function.id);
    let frames = frames.filter_map(|it| it.file.zip(it.line));
    let places = model.places.iter().filter(|it| it.function == function.id);
    let places = places.filter_map(|it| it.file.zip(it.line));
    let calls = model.arcs.iter().filter(|it| it.caller == Some(function.id));
    let calls = calls.filter_map(|it| it.file.zip(it.line));
    // Lines of places may be those of inlined code; frames are the function's own.
    let known: Vec<(FileId, u32)> = match model.has_stacks() {
        true => frames.chain(calls).collect(),
        false => places.chain(calls).collect(),
    };
    let declared = function.file.zip(function.line);
    let file = declared.or(known.first().copied())?.0;
    let numbers = || known.iter().filter(|it| it.0 == file).map(|it| it.1);
    let first = declared.map(|it| it.1).or(numbers().min())?;
    let starts = model.functions.iter().filter(|it| it.file == Some(file));
    let next = starts.filter_map(|it| it.line).filter(|line| *line > first).min();
    let last = numbers().filter(|line| next.is_none_or(|next| *line < next)).max();
    Some((model.path(Some(file))?.to_owned(), first..=last.unwrap_or(first).max(first)))
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
