//! The stages of a run that prints reports, in the order that decides which error is met first.

use std::io::Write;
use std::path::Path;
use std::thread;

use super::command::say;
use super::debug::Debug;
use super::file_format::FileFormat;
use super::options::Options;
use super::outputs::Output;
use super::print::Computed;
use super::reading;
use super::stop::Stop;
use crate::analysis::{CallGraph, Selections};
use crate::error::{Error, ErrorKind};
use crate::image::{Dialect, FileMap, Image, Lines, SymbolList};
use crate::profile::{Profile, StaticCalls};
use crate::report::{Names, Page};
use crate::sum::{self, Sum};
use crate::symbols::{Sources, SymbolTable};

/// Everything that is known of a program.
struct Program<'a> {
    image: &'a Image,
    symbols: &'a SymbolTable<'a>,
    lines: Lines<'a>,
    sources: &'a Sources,
    file_map: Option<&'a FileMap>,
}

/// As many names are put in order while the data is read.
const MANY_NAMES: usize = 10_000;

/// Reads, computes and prints what the options ask for.
pub(super) fn run(
    program: &str,
    options: &Options,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let image = Image::open(&options.image)?;
    let map = options.file_map.as_ref().map(FileMap::open).transpose()?;
    let list = options.symbols.external.as_ref().map(SymbolList::open).transpose()?;
    let admission = options.symbols.admission;
    let mut symbols = match (&list, &map) {
        (Some(list), _) => SymbolTable::listed(list, &image),
        (None, Some(map)) => SymbolTable::by_file(&image, admission, map),
        (None, None) => SymbolTable::admitting(&image, admission),
    }?;
    // Nothing is known of the sources of listed symbols.
    let lines = if list.is_some() { Lines::unknown() } else { image.lines(Dialect::Gnu) };
    if options.symbols.lines {
        symbols = match list {
            Some(_) => symbols.with_no_lines(),
            None => symbols.with_lines(&image)?,
        };
    }
    let annotates = options.outputs.has(Output::AnnotatedSource);
    let sources = if annotates || options.choices.name_sources() {
        Sources::new(&image, admission, &symbols, lines)?
    } else {
        Sources::default()
    };
    let selections = Selections::new(&options.choices, &symbols, &sources);
    let mut debug = Debug::new(options.debug, out);
    debug.symbols(&symbols)?;
    debug.selections(&selections, &symbols)?;
    let (symbols, sources, file_map) = (&symbols, &sources, map.as_ref());
    let known = Program { image: &image, symbols, lines, sources, file_map };
    thread::scope(|scope| {
        if symbols.len() > MANY_NAMES {
            // Without a thread they are put in order when they are needed.
            let _ = thread::Builder::new().spawn_scoped(scope, || symbols.name_order());
        }
        report(program, options, &known, selections, out, stderr)
    })
}

/// Reads the data of a known program, computes and prints.
fn report(
    program: &str,
    options: &Options,
    known: &Program<'_>,
    selections: Selections,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let &Program { image, symbols, lines, sources, file_map } = known;
    let records = reading::read(program, options, image, out, stderr)?;
    let outputs = options.outputs.or_those_of(&records);
    let profile = Profile::selected(symbols, &records, &selections.arcs, &StaticCalls::default());
    if outputs.has(Output::Sum) {
        write_sum(&profile, image, options.format)?;
    }
    let profile = match static_calls(program, options, image, &profile, stderr) {
        Some(calls) => Profile::selected(symbols, &records, &selections.arcs, &calls),
        None => profile,
    };
    let graph = CallGraph::new(&profile, selections);
    let mut debug = Debug::new(options.debug, out);
    debug.profile(&profile)?;
    debug.graph(&graph)?;
    if outputs.has(Output::FlatProfile) && profile.sampling().is_none() {
        return Err(Stop::Missing("histogram"));
    }
    if outputs.has(Output::CallGraph) && !records.has_arcs() {
        return Err(Stop::Missing("call-graph data"));
    }
    let names = Names::new(symbols, lines).styled(options.name_style());
    let mut page = Page::new(out, options.style);
    if outputs.has(Output::FileInfo) {
        page = page.after_other_output();
    }
    let (graph, names) = (&graph, &names);
    let computed = Computed { program, options, graph, lines, sources, names, file_map };
    computed.print(outputs, &mut page, stderr)?;
    Ok(page.finish()?)
}

/// The calls in the code, if they are asked for and to be had. Without counted calls there is no
/// call graph to add them to.
fn static_calls(
    program: &str,
    options: &Options,
    image: &Image,
    profile: &Profile<'_>,
    stderr: &mut dyn Write,
) -> Option<StaticCalls> {
    if !options.static_calls || !profile.records().has_arcs() {
        return None;
    }
    let calls = StaticCalls::find(image, profile.symbols(), profile.records());
    if calls.is_none() {
        let machine = image.machine_name();
        say(stderr, &format!("{program}: -c not supported on architecture {machine}\n"));
    }
    calls
}

/// Writes the sum of the data files, where GNU gprof does.
fn write_sum(profile: &Profile<'_>, image: &Image, format: FileFormat) -> Result<(), Error> {
    let path = Path::new("gmon.sum");
    let sum = Sum::by_symbol(profile);
    let encoding = image.encoding();
    sum::replace_file(path, |out| match format {
        FileFormat::Bsd => sum.write_bsd(encoding, false, out),
        FileFormat::Bsd44 => sum.write_bsd(encoding, true, out),
        _ => sum.write_gnu(encoding, out),
    })
    .map_err(|error| Error::new(path, ErrorKind::Unwritable(error)))
}
