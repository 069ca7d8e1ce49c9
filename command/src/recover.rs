//! `gmon recover`: makes `gmon.out` of the file that a live profile is kept in, and the full profile beside it
//! if the live one has call stacks; or of what came from a board without a system, a copy of its memory or a trace.
//!
//! The counts are merged and ordered as the runtime does when it writes `gmon.out` itself: two files
//! of one profile have the same bytes, whoever wrote them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};
use gmon_analyzer::records::{FullRecords, LiveFile, Records, Trace};
use gmon_analyzer::sum::{
    SHARED, Sum, create_file, replace_file, replace_private_file, write_full,
};
use gmon_format::live::{Form, Header};
use gmon_format::names;

use crate::command_line::{path_operand, path_option};
use crate::made::name_code;
use crate::open::{Samples, check_output, full_beside};
use crate::text::counted;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("recover")
        .display_name("gmon recover")
        .about("Makes gmon.out from a live profile, or what a board has sent")
        .args([
            path_operand(
                "file",
                "FILE",
                "The file that GMON_OPTIONS=live=FILE named, or one into which a debugger has \
                     copied the memory of a board or recorded its trace (SWO)",
            )
            .required(true),
            path_option(
                "output",
                "OUT",
                "Write the profile to OUT, replacing it [default: gmon.out, unless it exists]",
            )
            .short('o'),
            Samples::last_argument("Take only samples of so much time before the last one"),
        ])
        .after_help(
            "The program may still be running: you then get its profile so far.\n\
             With GMON_OPTIONS=record=60s FILE has the times of the last minute, for --last.\n\
             If FILE has call stacks, they go to a full profile beside OUT, OUT.full.\n\
             FILE does not change; remove it when you no longer need it.\n\n\
             Of a board without a system: copy at least gmon_board's memory while the board\n\
             stands still, as by gdb's `dump binary memory FILE START END`; or record what it\n\
             sends by its trace macrocell (ITM), from before gmon_snapshot to its end.",
        )
}

/// Writes the profile and tells in a line what is in it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let named = arguments.get_one::<PathBuf>("output");
    let output = named.cloned().unwrap_or_else(|| names::DATA_FILE.into());
    check_output(&output)?;

    let samples = Samples::last_asked_for(arguments);
    let contents = recover_some(&file, &output, named.is_some(), &samples)?;
    writeln!(io::stdout(), "{}: {contents}", output.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the profile of a live file; returns what is in it, for showing.
pub(crate) fn recover(path: &Path, output: &Path, may_replace: bool) -> Result<String> {
    recover_some(path, output, may_replace, &Samples::default())
}

/// Makes the profile of the samples of some time in a live file; returns what is in it, for showing.
pub(crate) fn recover_some(
    path: &Path,
    output: &Path,
    may_replace: bool,
    samples: &Samples,
) -> Result<String> {
    // Opening a pipe would wait for somebody to write.
    if !path.metadata().with_context(|| path.display().to_string())?.is_file() {
        bail!("{}: not a regular file", path.display());
    }
    let of_memory = LiveFile::header_of(path).is_none().then(|| LiveFile::of_memory(path));
    let (file, is_full) = match of_memory.transpose()?.flatten() {
        Some(found) => found,
        None => match Trace::open(path)? {
            Some(trace) => return recover_from_trace(path, &trace, output, may_replace),
            None => (LiveFile::open(path)?, false),
        },
    };
    let mut records = file.records()?;
    let mut full = full_profile(&file, output)?;
    if let Some(interval) = samples.interval_of(records.full())? {
        records = records.during(&interval);
        full = full.map(|_| records.full().clone());
    }
    let (sum, encoding) = (Sum::raw(&records), file.header().encoding);
    let beside = full_beside(output);
    if full.is_some() && !may_replace && !output.exists() && beside.exists() {
        bail!("{} exists; say -o {} to replace it", beside.display(), output.display());
    }
    write(output, may_replace, |out| sum.write_gnu(encoding, out))?;
    let mut contents = contents(file.header(), &records);
    if is_full {
        contents += "; gmon_board's memory is full: calls of other arcs are missing";
    }
    // A run writes the full profile last.
    if let Some(full) = full {
        replace_private_file(&beside, |out| write_full(&full, out))
            .with_context(|| beside.display().to_string())?;
        name_code(&beside)?;
        contents += &format!("; call stacks in {}", beside.display());
    }
    Ok(contents)
}

/// Writes the data file that a board has sent in a trace; returns what is in it.
fn recover_from_trace(
    path: &Path,
    trace: &Trace,
    output: &Path,
    may_replace: bool,
) -> Result<String> {
    let Some(file) = trace.data_file() else {
        bail!(
            "{}: a trace that lacks a part of the profile; record it at a higher rate, or let the board send it \
             again",
            path.display()
        );
    };
    let (counted, samples) = sums(&trace.records()?);
    write(output, may_replace, |out| out.write_all(file))?;
    Ok(format!("{counted} and {samples} from a board's trace"))
}

/// The full profile of a live file. None if the data file has all of it, as where a run itself writes none, or is
/// no file that something could lie beside.
fn full_profile(file: &LiveFile, output: &Path) -> Result<Option<FullRecords>> {
    let is_file = output.metadata().map_or(true, |output| output.is_file());
    if !is_file || file.header().form != Form::Live {
        return Ok(None);
    }
    Ok(file.full()?.filter(FullRecords::has_more))
}

/// The process whose profile lives in a file; `None` if none does.
pub(crate) fn process_of(path: &Path) -> Option<u64> {
    let is_file = path.symlink_metadata().ok()?.is_file();
    is_file.then(|| LiveFile::header_of(path)).flatten().map(|header| header.process)
}

/// Writes the profile, whole or not at all. A file that nobody named is not replaced.
fn write(
    path: &Path,
    may_replace: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let name = path.display();
    let result =
        if may_replace { replace_file(path, fill) } else { create_file(path, SHARED, fill) };
    match result {
        Err(error) if !may_replace && error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{name} exists; say -o {name} to replace it")
        }
        result => result.with_context(|| name.to_string()),
    }
}

/// Description of what was recovered, of which program.
fn contents(header: &Header, records: &Records) -> String {
    let ((counted, samples), process) = (sums(records), header.process);
    match String::from_utf8_lossy(header.program_text()).escape_default() {
        _ if process == 0 => format!("{counted} and {samples} from a board's memory"),
        program => format!("{counted} and {samples} of {program}, process {process}"),
    }
}

/// Sums of the counts, and the number of samples.
fn sums(records: &Records) -> (String, String) {
    fn sum(counts: impl Iterator<Item = u64>) -> u64 {
        counts.fold(0, u64::saturating_add)
    }
    let (arcs, blocks) = (records.arcs(), records.blocks());
    let histograms = records.histograms().list().iter();
    let samples = sum(histograms.flat_map(|histogram| histogram.bins.iter().copied()));
    let calls = counted(sum(arcs.iter().map(|arc| arc.count)), "call");
    let mut text = format!("{calls} over {}", counted(arcs.len() as u64, "arc"));
    if !blocks.is_empty() {
        let executions = counted(sum(blocks.iter().map(|block| block.count)), "execution");
        text += &format!(", {executions} of {}", counted(blocks.len() as u64, "block"));
    }
    (text, counted(samples, "sample"))
}
