//! The whole run of the classic command: from its words to its exit status.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::file_format::FileFormat;
use super::help;
use super::messages;
use super::options::{Options, Refusal, Reports, Request};
use super::reading;
use crate::analysis::{CallGraph, Selections};
use crate::error::{Error, ErrorKind, system_message};
use crate::image::Image;
use crate::profile::Profile;
use crate::records::Records;
use crate::report::{CallGraphReport, FlatProfile, FunctionIndex, Names, Page};
use crate::sum::{self, Sum};
use crate::symbols::SymbolTable;

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;

/// Why the run stopped; nothing more is to be printed on the standard output.
pub(super) enum Stop {
    /// A file is bad, or cannot be written.
    Input(Error),
    /// The data is in a format that cannot be read.
    ProfFormat,
    /// What was asked for is not in the data.
    Missing(&'static str),
    /// The output takes no more.
    Output(io::Error),
}

/// Runs `gprof` with the words `args` after its name and returns its exit status.
///
/// `program` is the name it was called by, which begins its messages. Reports go to `stdout`,
/// messages and warnings to `stderr`. If `stdout` is closed early, that is success.
pub fn main(
    program: &str,
    args: &[OsString],
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let posix = env::var_os("POSIXLY_CORRECT").is_some();
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    let outcome = match Options::read(args, posix) {
        Ok(Request::Report(options)) => print_reports(program, &options, &mut out, stderr),
        Ok(Request::Help) => {
            out.write_all((help::usage(program) + help::BUGS).as_bytes()).map_err(Stop::Output)
        }
        Ok(Request::Version) => out.write_all(help::VERSION.as_bytes()).map_err(Stop::Output),
        Err(Refusal::Misuse(misuse)) => {
            say(stderr, &format!("{program}: {misuse}\n{}", help::usage(program)));
            return FAILURE;
        }
        Err(Refusal::UnknownFormat(name)) => {
            // GNU gprof takes one name for the other.
            say(stderr, &format!("{name}: unknown file format {program}\n"));
            return FAILURE;
        }
        Err(Refusal::NotYet(option)) => {
            say(stderr, &format!("{program}: option '{option}' is not supported yet\n"));
            return FAILURE;
        }
    };
    let outcome = outcome.and_then(|()| out.flush().map_err(Stop::Output));
    match outcome {
        Ok(()) => SUCCESS,
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(stop) => {
            say(stderr, &stop.message(program));
            FAILURE
        }
    }
}

fn print_reports(
    program: &str,
    options: &Options,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<(), Stop> {
    let image = Image::open(&options.image)?;
    let symbols = SymbolTable::new(&image)?;
    let records = reading::read(program, options, &image, out, stderr)?;
    let reports = options.reports.or_those_of(&records);
    let profile = Profile::new(&symbols, &records);
    if reports.sum {
        write_sum(&profile, &image, options.format)?;
    }
    let graph = CallGraph::new(&profile, Selections::everything(&symbols));
    let flat_profile = FlatProfile::new(&graph);
    if reports.flat_profile && flat_profile.is_none() {
        return Err(Stop::Missing("histogram"));
    }
    if reports.call_graph && !records.has_arcs() {
        return Err(Stop::Missing("call-graph data"));
    }
    let lines = image.lines();
    let names = Names::new(&symbols, &lines);
    let mut page = Page::new(out, options.style);
    if reports.file_info {
        page = page.after_other_output();
    }
    if let Some(flat_profile) = flat_profile.filter(|_| reports.flat_profile) {
        flat_profile.write(&mut page, &names)?;
    }
    if reports.call_graph {
        CallGraphReport::new(&graph).write(&mut page, &names)?;
        FunctionIndex::new(&graph).write(&mut page, &names)?;
    }
    Ok(page.finish()?)
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

/// Prints a message; when even that is impossible, the exit status is all there is left.
pub(super) fn say(stderr: &mut dyn Write, message: &str) {
    let _ = stderr.write_all(message.as_bytes()).and_then(|()| stderr.flush());
}

impl Reports {
    /// These reports or, if none is named, those that the data is good for.
    fn or_those_of(self, records: &Records) -> Self {
        if self != Self::default() {
            return self;
        }
        Self {
            flat_profile: records.histograms().sampling().is_some(),
            call_graph: records.has_arcs(),
            ..self
        }
    }
}

impl Stop {
    fn message(&self, program: &str) -> String {
        match self {
            Self::Input(error) => messages::refused_input(program, error),
            Self::ProfFormat => {
                format!("{program}: sorry, file format `prof' is not yet supported\n")
            }
            Self::Missing(what) => format!("{program}: gmon.out file is missing {what}\n"),
            Self::Output(error) => {
                format!("{program}: cannot write the report: {}\n", system_message(error))
            }
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
