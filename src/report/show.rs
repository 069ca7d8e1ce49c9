//! Shows a profile by what there is of it: measured by call stacks, or else as gprof computes it.

use std::cmp::Reverse;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use gmon_analyzer::{Measurement, Model};

use super::apportioned::Apportioned;
use super::full::{self, NoStacks};
use super::html::Html;
use super::measured::Measured;
use super::part::Part;
use super::{Output, Summary, View};
use crate::naming::Naming;
use crate::run::{Profiled, Usage};
use crate::say;
use crate::text::{harmless, quoted, short};

/// Shows a part of what the data files of a program tell; they are added up. It may be known how many
/// processes wrote them, and what these used.
///
/// # Errors
///
/// One of the files cannot be read or is not what it should be, or does not hold what is asked for.
pub(super) fn show(
    program: &Path,
    data: &[PathBuf],
    processes: Option<(usize, Usage)>,
    (view, part): (View, &Part),
    output: &mut Output,
) -> Result<()> {
    let open = |data: &[PathBuf]| -> Result<Measurement> {
        Ok(Measurement::open_by(program, &view.naming.program_options(), data)?)
    };
    let why = match full::of(data) {
        Ok(files) => {
            let measurement = open(&files)?;
            if measurement.records().full().has_stacks() {
                warn(&measurement, program);
                let measured = Measured::new(program, &measurement, part, view, width())?;
                return output.show(&measured);
            }
            "no sample has a call stack".to_owned()
        }
        Err(NoStacks(why)) => why,
    };
    match part {
        Part::Functions => output.show(&Summary::read(program, data, processes, view)?),
        Part::Calls(name) => {
            let measurement = open(data)?;
            warn(&measurement, program);
            output.show(&Apportioned::new(&measurement, name, view.naming, why)?)
        }
        Part::Tree { .. } | Part::Threads | Part::Modules => {
            let option = part.option();
            bail!("{option} needs call stacks: {why}; run the program with GMON_OPTIONS=stacks")
        }
    }
}

/// Writes a page of what the data files of a program tell; they are added up.
///
/// # Errors
///
/// One of the files cannot be read or is not what it should be, or the page cannot be written.
pub(super) fn write_page(
    program: &Path,
    data: &[PathBuf],
    naming: Naming,
    html: &Html,
) -> Result<()> {
    let open = |data: &[PathBuf]| Measurement::open_by(program, &naming.program_options(), data);
    let full = full::of(data).ok().map(|files| open(&files)).transpose()?;
    let measurement = match full.filter(|full| full.records().full().has_stacks()) {
        Some(full) => full,
        None => open(data)?,
    };
    warn(&measurement, program);
    let foreign = measurement.records().foreign_files().iter();
    let foreign = foreign.map(|file| format!("{} seems to be of another program.", file.display()));
    let model = Model::new(&measurement, naming.style())?;
    html.write(&model, &foreign.collect::<Vec<_>>())
}

/// Writes a page for each program of a run: that which used the most CPU time gets the file that was asked for,
/// others get theirs beside it. Tells where they are.
///
/// # Errors
///
/// The output cannot be written.
pub(crate) fn write_pages(
    programs: &[Profiled],
    naming: Naming,
    html: &Html,
    output: &mut Output,
) -> Result<()> {
    let mut programs: Vec<&Profiled> = programs.iter().collect();
    programs.sort_by_key(|program| Reverse(program.usage().cpu));
    let mut lines = String::new();
    for (position, Profiled { program, data, .. }) in programs.into_iter().enumerate() {
        let html = if position == 0 { html.clone() } else { html.of_other(program) };
        match write_page(program, data, naming, &html) {
            Ok(()) => {
                let program = harmless(&short(program).to_string_lossy()).into_owned();
                lines += &format!("page     {} ({program})\n", quoted(html.path()));
            }
            Err(error) => say(&error),
        }
    }
    if lines.is_empty() { Ok(()) } else { output.show(&lines) }
}

/// Warns of data that are not the program's.
fn warn(measurement: &Measurement, program: &Path) {
    for file in measurement.records().foreign_files() {
        let (file, program) = (file.display(), program.display());
        say(&anyhow!("warning: {file} seems to be of another program than {program}"));
    }
}

/// The columns of the terminal, if the output is one.
fn width() -> Option<usize> {
    let stdout = stdout();
    let is_terminal = stdout.is_terminal();
    let size = terminal_size::terminal_size_of(stdout).filter(|_| is_terminal);
    size.map(|(terminal_size::Width(columns), _)| columns.into())
}
