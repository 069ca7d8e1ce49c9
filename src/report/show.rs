//! Shows a profile by what there is of it: measured by call stacks, or else as gprof computes it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use anyhow::Result;
use gmon_analyzer::Model;

use super::apportioned::Apportioned;
use super::files::Files;
use super::html::Html;
use super::measured::{Measured, Narrowed};
use super::summary::Summary;
use super::{Output, Part, View};
use crate::open::{Door, Opened, Samples, needs_stacks};
use crate::processes::{Profiled, Usage};
use crate::say;
use crate::text::{harmless, quoted, short};

/// Subject of a report.
pub(crate) struct Shown<'a> {
    /// The program.
    pub(crate) program: &'a Path,
    /// Its data files, which are added up.
    pub(crate) data: &'a [PathBuf],
    /// Number of processes that wrote them, and what these used, if that is known.
    pub(crate) processes: Option<(usize, Usage)>,
    /// View.
    pub(crate) view: View,
    /// Part.
    pub(crate) part: &'a Part,
}

/// Shows a part of what the data files of a program tell.
///
/// # Errors
///
/// A file cannot be read or is not what it should be, or does not hold what is asked for.
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
    let Opened { measurement, why_no_stacks, whole } = door(program, data, view, samples).open()?;
    let files = Files::new(data);
    if let Some(why) = why_no_stacks {
        return match part {
            Part::Functions => {
                output.show(&Summary::new(program, &measurement, (files, processes), view))
            }
            Part::Calls(name) => {
                output.show(&Apportioned::new(&measurement, name, view.naming(false), why)?)
            }
            Part::Tree { .. } | Part::Threads | Part::Modules | Part::By(_) => {
                Err(needs_stacks(part.option(), &why, data))
            }
        };
    }
    let (of, width) = ((&files, processes), output.width());
    let measured = Measured::new(program, &measurement, of, (part, view), width)?;
    match whole {
        Some(whole) => {
            let why_no_calls = samples.why_no_calls();
            output.show(&measured.narrowed(Narrowed {
                samples: samples.words(),
                whole,
                why_no_calls,
            }))
        }
        None => output.show(&measured),
    }
}

/// The door to the data files of a program.
fn door<'a>(program: &'a Path, data: &'a [PathBuf], view: View, samples: &'a Samples) -> Door<'a> {
    Door { program, data, naming: view.naming(false), any_build: view.any_build, samples }
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
    let measurement = door(program, data, view, samples).open()?.measurement;
    let chosen =
        samples.option().map(|_| format!("Only samples of {} are shown.", samples.words()));
    let model = Model::new(&measurement, view.naming(false).style())?;
    html.write(&model, &chosen.into_iter().collect::<Vec<_>>())
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
