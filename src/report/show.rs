//! Shows a profile by what there is of it: measured by call stacks, or else as gprof computes it.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use gmon_analyzer::Measurement;

use super::apportioned::Apportioned;
use super::full::{self, NoStacks};
use super::measured::Measured;
use super::part::Part;
use super::{Output, Summary, View};
use crate::run::Usage;
use crate::say;

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
