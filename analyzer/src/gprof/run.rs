//! The stages of a run that prints reports, in the order that decides which error is met first.

use std::io::Write;
use std::path::Path;
use std::sync::Arc as Shared;
use std::thread;

use super::command::say;
use super::debug::Debug;
use super::file_format::FileFormat;
use super::options::Options;
use super::outputs::Output;
use super::print::Computed;
use super::reading;
use super::stop::Stop;
use crate::error::{Error, ErrorKind};
use crate::measurement::Measurement;
use crate::profile::StaticCalls;
use crate::program::Program;
use crate::report::Page;
use crate::selection::Selections;
use crate::sum::{self, Sum};
use crate::symbols::Sources;

/// As many names are put in order while the data is read.
const MANY_NAMES: usize = 10_000;

/// Reads, computes and prints what the options ask for.
pub(super) fn run(
    name: &str,
    options: &Options,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let program = Shared::new(Program::open(&options.image, &options.program)?);
    let annotates = options.outputs.has(Output::AnnotatedSource);
    let no_sources = Sources::default();
    let sources =
        if annotates || options.choices.name_sources() { program.sources()? } else { &no_sources };
    let symbols = program.symbols();
    let selections = Selections::new(&options.choices, symbols, sources);
    let mut debug = Debug::new(options.debug, out);
    debug.symbols(symbols)?;
    debug.selections(&selections, symbols)?;
    thread::scope(|scope| {
        if symbols.len() > MANY_NAMES {
            // Without a thread they are put in order when they are needed.
            let _ = thread::Builder::new().spawn_scoped(scope, || symbols.name_order());
        }
        let records = reading::read(name, options, program.image(), out, stderr)?;
        let measurement = Measurement::new(program.clone(), records).selecting(selections);
        report(name, options, measurement, sources, out, stderr)
    })
}

/// Computes and prints.
fn report(
    name: &str,
    options: &Options,
    measurement: Measurement,
    sources: &Sources,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let outputs = options.outputs.or_those_of(measurement.records());
    if outputs.has(Output::Sum) {
        write_sum(&measurement, options.format)?;
    }
    let measurement = match static_calls(name, options, &measurement, stderr) {
        Some(calls) => measurement.with_static_calls(calls),
        None => measurement,
    };
    let graph = measurement.graph();
    let mut debug = Debug::new(options.debug, out);
    debug.profile(graph.profile())?;
    debug.graph(graph)?;
    if outputs.has(Output::FlatProfile) && graph.profile().sampling().is_none() {
        return Err(Stop::Missing("histogram"));
    }
    if outputs.has(Output::CallGraph) && !measurement.records().has_arcs() {
        return Err(Stop::Missing("call-graph data"));
    }
    let names = &measurement.names(options.name_style());
    let mut page = Page::new(out, options.style);
    if outputs.has(Output::FileInfo) {
        page = page.after_other_output();
    }
    let measurement = &measurement;
    let computed = Computed { program: name, options, measurement, graph, sources, names };
    computed.print(outputs, &mut page, stderr)?;
    Ok(page.finish()?)
}

/// The calls in the code, if they are asked for and to be had. Without counted calls there is no
/// call graph to add them to.
fn static_calls(
    name: &str,
    options: &Options,
    measurement: &Measurement,
    stderr: &mut dyn Write,
) -> Option<StaticCalls> {
    let (program, records) = (measurement.program(), measurement.records());
    if !options.static_calls || !records.has_arcs() {
        return None;
    }
    let calls = StaticCalls::find(program.image(), program.symbols(), records);
    if calls.is_none() {
        let machine = program.image().machine_name();
        say(stderr, &format!("{name}: -c not supported on architecture {machine}\n"));
    }
    calls
}

/// Writes the sum of the data files, where GNU gprof does.
fn write_sum(measurement: &Measurement, format: FileFormat) -> Result<(), Error> {
    let path = Path::new("gmon.sum");
    let sum = Sum::by_symbol(measurement.profile());
    let encoding = measurement.program().image().encoding();
    sum::replace_file(path, |out| match format {
        FileFormat::Bsd => sum.write_bsd(encoding, false, out),
        FileFormat::Bsd44 => sum.write_bsd(encoding, true, out),
        _ => sum.write_gnu(encoding, out),
    })
    .map_err(|error| Error::new(path, ErrorKind::Unwritable(error)))
}
