//! Shows a profile by what there is of it: measured by call stacks, or else as gprof computes it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use gmon_analyzer::{Measurement, Model};

use super::files::Files;
use super::html::Html;
use super::nameless;
use super::subject::{Source, Subject};
use super::{Output, Part, View};
use crate::open::{Door, Opened, Samples};
use crate::processes::{self, Profiled, Usage};
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
    let Opened { measurement, why_no_stacks, whole } = open(program, data, view, samples)?;
    let mut model = Model::of_functions(&measurement, view.naming_of_model().style());
    model.program = program.to_string_lossy().into_owned();
    // gprof divides all time in which the program ran, not that of some samples.
    if matches!(part, Part::Calls(_)) && samples.option().is_none() {
        model = model.with_guesses(&measurement);
    }
    let files = Files::new(data);
    let source = Source::Data { program, measurement: &measurement, files, why_no_stacks };
    let width = output.width();
    Subject { model, source, whole, processes, view, part, width }.show(samples, output)
}

/// Shows a part of what an exported profile tells of some samples.
///
/// # Errors
///
/// The file cannot be read or is not what it should be, or does not hold what is asked for.
pub(super) fn show_exported(
    file: &Path,
    (view, part, samples): (View, &Part, &Samples),
    output: &mut Output,
) -> Result<()> {
    if view.asks_debuginfod {
        bail!("--debuginfod is for data files: exported profiles keep the names they have");
    }
    let (model, whole) = samples.read(file)?;
    let (source, processes, width) = (Source::Exported(file), None, output.width());
    Subject { model, source, whole, processes, view, part, width }.show(samples, output)
}

/// Opens the data files of a program, and fetches the names of functions that have none before, if the user wants that.
fn open(program: &Path, data: &[PathBuf], view: View, samples: &Samples) -> Result<Opened> {
    let door =
        Door { program, data, naming: view.naming(false), any_build: view.any_build, samples };
    if view.asks_debuginfod {
        let measurement = door.open()?.measurement;
        nameless::fetch(&Model::of_functions(&measurement, view.naming_of_model().style()))?;
    }
    door.open()
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
    let measurement = open(program, data, view, samples)?.measurement;
    let mut model = Model::new(&measurement, view.naming(false).style())?;
    model.program = program.to_string_lossy().into_owned();
    write_page_of(model, Some(&measurement), (view, samples), html)
}

/// Writes a page of some samples of a profile, whose programs may have been read.
///
/// # Errors
///
/// The page cannot be written, or there are no such samples.
pub(super) fn write_page_of(
    model: Model,
    programs: Option<&Measurement>,
    (view, samples): (View, &Samples),
    html: &Html,
) -> Result<()> {
    let chosen =
        samples.option().map(|_| format!("Only samples of {} are shown.", samples.words()));
    // As in the summary, whose figures are the same then.
    let fold = view.inlines.unwrap_or_default();
    let model = samples.narrow(model, programs)?.with_inlines_folded(fold);
    html.write(&model, &chosen.into_iter().collect::<Vec<_>>())
}

/// Writes a page for each program of a run: the one that used the most CPU time gets the file that the user
/// named, others get theirs beside it. Says where they are, and returns `false` if there is none.
///
/// # Errors
///
/// The output cannot be written.
pub(crate) fn write_pages(
    programs: &[Profiled],
    (view, samples): (View, &Samples),
    html: &Html,
    output: &mut Output,
) -> Result<bool> {
    let mut programs: Vec<&Profiled> = programs.iter().collect();
    programs.sort_by_cached_key(|program| Reverse(program.usage().cpu));
    let mut lines = String::new();
    let mut files = processes::Files::default();
    for (position, Profiled { program, data, .. }) in programs.into_iter().enumerate() {
        let html = match position {
            0 => {
                files.claim(html.path(), program);
                html.clone()
            }
            _ => html.of_other(program, &mut files),
        };
        match write_page(program, data, (view, samples), &html) {
            Ok(()) => {
                let program = harmless(&short(program).to_string_lossy()).into_owned();
                lines += &format!("page     {} ({program})\n", quoted(html.path()));
            }
            Err(error) => say(&error),
        }
    }
    if !lines.is_empty() {
        output.show(&lines)?;
    }
    Ok(!lines.is_empty())
}
