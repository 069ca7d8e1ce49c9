//! `gmon run --runs N`: several runs, whose profiles are kept apart, and how much they differ.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow};
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::Model;
use gmon_analyzer::export::{self, Compressed, FORMATS, Threads, Writer};
use gmon_analyzer::sum::replace_private_file;

use super::repeated::{Killed, Repeated};
use crate::command_line::option;
use crate::report::{Output, Spread, View};
use crate::say;

/// How often a command is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// Runs with a profile that is kept.
    pub(crate) runs: u32,
    /// Runs before these, whose profiles are not.
    pub(crate) warmup: u32,
}

impl Repetition {
    /// The options.
    pub(crate) fn arguments() -> [Arg; 2] {
        [
            option(
                "runs",
                "N",
                "Run N times, keep the profiles apart, and show how much they differ",
            )
            .value_parser(value_parser!(u32).range(1..=10_000)),
            option("warmup", "N", "Run N times before that, without keeping profiles")
                .requires("runs")
                .value_parser(value_parser!(u32).range(0..=10_000)),
        ]
    }

    /// What they ask for, if they do.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        let runs = arguments.get_one("runs").copied()?;
        Some(Self { runs, warmup: arguments.get_one("warmup").copied().unwrap_or(0) })
    }
}

/// A folder that profiles of a series go to: `run-01.json.gz` and so on.
pub(crate) struct SeriesFolder {
    path: PathBuf,
    runs: u32,
}

impl SeriesFolder {
    /// Where profiles go if the user says nothing.
    pub(super) const USUAL: &str = "gmon.runs";

    /// Makes the folder, and removes the profiles of an earlier series.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(crate) fn new(path: &Path, runs: u32) -> Result<Self> {
        let shown = || path.display().to_string();
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", shown()))?;
        for entry in fs::read_dir(path).with_context(shown)? {
            let file = entry.with_context(shown)?.path();
            if file.file_name().is_some_and(is_of_series) {
                fs::remove_file(&file).with_context(|| file.display().to_string())?;
            }
        }
        Ok(Self { path: path.to_owned(), runs })
    }

    /// Keeps the profile of a run, counted from 1. Only its owner can read it: the arguments of a program can be
    /// secrets.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn keep(&self, run: u32, model: &Model) -> Result<()> {
        let digits = self.runs.max(10).ilog10() as usize + 1;
        let path = self.path.join(format!("run-{run:0digits$}.json.gz"));
        let format = FORMATS.iter().find(|format| format.name == "json");
        let Some(Writer::OfModel(write)) = format.map(|format| format.writer) else {
            return Err(anyhow!("there is no format json"));
        };
        let view = export::View { threads: Threads::Merge, ..export::View::default() };
        replace_private_file(&path, |out| {
            let mut compressed = Compressed::new(out);
            write(model, &view, &mut compressed)?;
            compressed.finish()
        })
        .with_context(|| path.display().to_string())
    }
}

/// Returns `true` if a file has a name that we give.
fn is_of_series(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let number = name.strip_prefix("run-").and_then(|rest| rest.strip_suffix(".json.gz"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Runs a command several times, keeps the profiles, and shows what they have in common. Ends as the first run that
/// failed.
pub(super) fn observe(
    command: &mut Repeated,
    repetition: Repetition,
    folder: Option<PathBuf>,
    view: View,
    output: &mut Output,
) -> Result<ExitCode> {
    let path = folder.unwrap_or_else(|| SeriesFolder::USUAL.into());
    let folder = SeriesFolder::new(&path, repetition.runs)?;
    let of = |run: u32| format!("run {run} of {}", repetition.runs);
    let mut status = ExitCode::SUCCESS;
    for run in 1..=repetition.warmup {
        if let Err(error) = command.once().with_context(|| format!("warm-up {run}")) {
            return end_of(error, status);
        }
    }
    let mut models = Vec::new();
    for run in 1..=repetition.runs {
        let (model, code) = match command.once().with_context(|| of(run)) {
            Ok(ended) => ended,
            Err(error) => return end_of(error, status),
        };
        if code != ExitCode::SUCCESS && status == ExitCode::SUCCESS {
            say(&anyhow!("{} failed; the others go on", of(run)));
            status = code;
        }
        folder.keep(run, &model)?;
        // The profiles that are kept have all: how they are shown is a matter of this table.
        models.push(model.with_inlines_folded(view.inlines.unwrap_or_default()));
    }
    output.present(None, Spread { models: &models, folder: &path, top: view.top }.sheet())?;
    Ok(status)
}

/// The end of a series in which a run was the last: as the first one that failed if a signal has ended it.
fn end_of(error: Error, status: ExitCode) -> Result<ExitCode> {
    let Some(killed) = error.downcast_ref::<Killed>() else { return Err(error) };
    say(&error);
    Ok(if status == ExitCode::SUCCESS { killed.code } else { status })
}

#[cfg(test)]
mod tests {
    use super::is_of_series;

    #[test]
    fn only_our_own_files_are_replaced() {
        for (name, is_ours) in [
            ("run-01.json.gz", true),
            ("run-1000.json.gz", true),
            ("run-.json.gz", false),
            ("run-1.json", false),
            ("run-a.json.gz", false),
            ("base.json.gz", false),
        ] {
            assert_eq!(is_of_series(name.as_ref()), is_ours, "{name}");
        }
    }
}
