//! Shows a profile by what there is of it: measured by call stacks, or else as gprof computes it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow};
use gmon_analyzer::{Measurement, Model};

use super::apportioned::Apportioned;
use super::files::Files;
use super::full::{self, NoStacks};
use super::html::Html;
use super::measured::{Measured, Narrowed};
use super::samples::Samples;
use super::summary::Summary;
use super::{Output, Part, View};
use crate::inputs::reading;
use crate::run::{Profiled, Usage};
use crate::say;
use crate::text::{harmless, quoted, short};

/// What is to be shown.
pub(crate) struct Shown<'a> {
    /// The program.
    pub(crate) program: &'a Path,
    /// Its data files, which are added up.
    pub(crate) data: &'a [PathBuf],
    /// How many processes wrote them, and what these used, if that is known.
    pub(crate) processes: Option<(usize, Usage)>,
    /// How it is shown.
    pub(crate) view: View,
    /// Which part of it.
    pub(crate) part: &'a Part,
}

/// Shows a part of what the data files of a program tell.
///
/// # Errors
///
/// One of the files cannot be read or is not what it should be, or does not hold what is asked for.
pub(crate) fn show(shown: &Shown<'_>, output: &mut Output) -> Result<()> {
    show_samples(shown, &Samples::default(), output)
}

/// Shows the same of some of the samples.
///
/// # Errors
///
/// Those of [`show`]; or no stack holds what is asked for.
pub(super) fn show_samples(
    shown: &Shown<'_>,
    samples: &Samples,
    output: &mut Output,
) -> Result<()> {
    let &Shown { program, data, processes, view, part } = shown;
    let why = match with_stacks(program, data, view)? {
        Ok(measurement) => {
            warn(&measurement, program);
            let (files, width) = (Files::new(data), output.width());
            let of = (&files, processes);
            if samples.option().is_none() {
                let measured = Measured::new(program, &measurement, of, (part, view), width)?;
                return output.show(&measured);
            }
            let all = Measured::new(program, &measurement, of, (&Part::Functions, view), width)?;
            let choice = samples.choose(&measurement, &all)?;
            let narrowed = Narrowed { samples: samples.words(), whole: all.ticks() };
            let measurement = measurement.of_stacks(&choice);
            let measured = Measured::new(program, &measurement, of, (part, view), width)?;
            return output.show(&measured.narrowed(narrowed));
        }
        Err(NoStacks(why)) => why,
    };
    if let Some(option) = samples.option() {
        return Err(needs_stacks(option, &why, data));
    }
    match part {
        Part::Functions => output.show(&Summary::read(program, data, processes, view)?),
        Part::Calls(name) => {
            let measurement =
                Measurement::open_by(program, &view.program_options(), data, &mut reading())?;
            warn(&measurement, program);
            output.show(&Apportioned::new(&measurement, name, view.naming(false), why)?)
        }
        Part::Tree { .. } | Part::Threads | Part::Modules | Part::By(_) => {
            Err(needs_stacks(part.option(), &why, data))
        }
    }
}

/// Says what to do about data files without call stacks.
pub(crate) fn needs_stacks(option: &str, why: &str, data: &[PathBuf]) -> Error {
    if !data.iter().any(full::is_sampled) {
        return anyhow!("{option} needs call stacks: {}", full::UNSAMPLED);
    }
    anyhow!(
        "{option} needs call stacks: {why}; run the program by gmon run, or with GMON_OPTIONS=stacks"
    )
}

/// Writes a page of what the data files of a program tell; they are added up.
///
/// # Errors
///
/// One of the files cannot be read or is not what it should be, or the page cannot be written.
pub(super) fn write_page(
    program: &Path,
    data: &[PathBuf],
    (view, samples): (View, &Samples),
    html: &Html,
) -> Result<()> {
    let measurement = match (with_stacks(program, data, view)?, samples.option()) {
        (Ok(measurement), _) => samples.narrow(measurement, (program, data), view)?,
        (Err(NoStacks(why)), Some(option)) => return Err(needs_stacks(option, &why, data)),
        (Err(NoStacks(_)), None) => {
            Measurement::open_by(program, &view.program_options(), data, &mut reading())?
        }
    };
    warn(&measurement, program);
    let foreign = measurement.records().foreign_files().iter();
    let foreign = foreign.map(|file| format!("{} seems to be of another program.", file.display()));
    let chosen =
        samples.option().map(|_| format!("Only samples of {} are shown.", samples.words()));
    let model = Model::new(&measurement, view.naming(false).style())?;
    html.write(&model, &foreign.chain(chosen).collect::<Vec<_>>())
}

/// Writes a page for each program of a run: the one that used the most CPU time gets the file that the user
/// named, others get theirs beside it. Says where they are.
///
/// # Errors
///
/// The output cannot be written.
pub(crate) fn write_pages(
    programs: &[Profiled],
    (view, samples): (View, &Samples),
    html: &Html,
    output: &mut Output,
) -> Result<()> {
    let mut programs: Vec<&Profiled> = programs.iter().collect();
    programs.sort_by_key(|program| Reverse(program.usage().cpu));
    let mut lines = String::new();
    for (position, Profiled { program, data, .. }) in programs.into_iter().enumerate() {
        let html = if position == 0 { html.clone() } else { html.of_other(program) };
        match write_page(program, data, (view, samples), &html) {
            Ok(()) => {
                let program = harmless(&short(program).to_string_lossy()).into_owned();
                lines += &format!("page     {} ({program})\n", quoted(html.path()));
            }
            Err(error) => say(&error),
        }
    }
    if lines.is_empty() { Ok(()) } else { output.show(&lines) }
}

/// Opens the full profiles of data files, if their samples have call stacks.
///
/// # Errors
///
/// One of the files cannot be read or is not what it should be.
fn with_stacks(
    program: &Path,
    data: &[PathBuf],
    view: View,
) -> Result<Result<Measurement, NoStacks>> {
    let sources = match full::of(data) {
        Ok(sources) => sources,
        Err(why) => return Ok(Err(why)),
    };
    let options = view.program_options();
    let measurement =
        Measurement::open_full(program, &options, &sources.full, &sources.counts, &mut reading());
    let measurement = measurement.map_err(advise)?;
    Ok(match measurement.records().full().has_more() {
        true => Ok(measurement),
        false => Err(NoStacks("no sample has a call stack".to_owned())),
    })
}

/// Says what to do about a profile of another build.
fn advise(error: gmon_analyzer::Error) -> Error {
    match error.is_of_other_build() {
        true => {
            anyhow!("{error}; run it again, or accept names that can be wrong with --any-build")
        }
        false => error.into(),
    }
}

/// Warns of data that are not the program's.
fn warn(measurement: &Measurement, program: &Path) {
    for file in measurement.records().foreign_files() {
        let (file, program) = (file.display(), program.display());
        say(&anyhow!("warning: {file} seems to be of another program than {program}"));
    }
}
