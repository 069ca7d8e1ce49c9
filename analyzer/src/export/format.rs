//! A format of another program, to those who offer it.

use std::io::{self, Write};

use super::tables::ModelTable;
use crate::error::Error;
use crate::measurement::Measurement;
use crate::model::{Model, ThreadId};

/// A format that a profile can be written in.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The word that chooses it.
    pub name: &'static str,
    /// Phrase that says what is written, and for which programs.
    pub help: &'static str,
    /// Files that have it.
    pub files: FileNames,
    /// Things that a measurement must have.
    pub needs: &'static [Need],
    /// Things that the user may choose.
    pub choices: &'static [Choice],
    /// Writes it.
    pub writer: Writer,
}

/// The names of files of a format.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileNames {
    /// Beginning; empty for anything.
    pub start: &'static str,
    /// End; empty for anything.
    pub end: &'static str,
    /// Kind of contents.
    pub contents: Contents,
    /// True if each thread has a file of its own, if the user keeps threads apart.
    pub by_thread: bool,
}

/// The contents of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    /// Lines for people and programs.
    #[default]
    Text,
    /// Bytes that are no text.
    Binary,
    /// Bytes that are compressed, whatever the name of the file is.
    Compressed,
}

/// Writer of a format, and its source.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// From a measurement without stacks: the program's own counts.
    OfCounts(fn(&Measurement, &mut dyn Write) -> io::Result<()>),
    /// From a measurement with all that there is.
    OfMeasurement(fn(&Measurement, &mut dyn Write) -> io::Result<()>),
    /// From its model.
    OfModel(fn(&Model, &View, &mut dyn Write) -> io::Result<()>),
}

/// Something that a format leaves to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// [`View::threads`].
    Threads,
    /// [`View::table`].
    Table,
    /// [`View::top`] and [`View::min_share`]; with a table that the user chose, all formats of tables leave them.
    Part,
    /// [`View::run`].
    Run,
}

/// Part of a profile to write, where the format leaves a choice.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Choice to keep threads apart.
    pub threads: Threads,
    /// The thread of this file, where each has its own.
    pub thread: Option<ThreadId>,
    /// Table to write; the format's own choice if `None`.
    pub table: Option<&'static ModelTable>,
    /// At most so many rows or functions; the format's own number if `None`.
    pub top: Option<usize>,
    /// Only what has so much of all time, from 0 to 1; the format's own share if `None`.
    pub min_share: Option<f64>,
    /// Name of the run in rows.
    pub run: Option<String>,
}

/// Choice to keep threads apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// Equal stacks of all threads are one.
    #[default]
    Merge,
    /// They are.
    Split,
}

/// Something that a format cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Executions of basic blocks whose lines are known.
    BlockCounts,
    /// Calls that were counted.
    Calls,
    /// Call stacks.
    Stacks,
    /// The times of samples.
    Times,
    /// Samples or calls.
    Anything,
}

impl Format {
    /// The first thing that the format needs and a measurement does not have.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn missing(&self, measurement: &Measurement) -> Result<Option<Need>, Error> {
        for &need in self.needs {
            if !need.is_met_by(measurement)? {
                return Ok(Some(need));
            }
        }
        Ok(None)
    }

    /// The first thing that the format needs and a model does not have. A format that is not written from
    /// models needs a measurement.
    #[must_use]
    pub fn missing_of_model(&self, model: &Model) -> Option<Need> {
        self.needs.iter().copied().find(|need| match need {
            Need::BlockCounts => true,
            Need::Calls => model.calls() == 0,
            Need::Stacks => !model.has_stacks(),
            Need::Times => model.timeline.is_none(),
            Need::Anything => model.is_empty(),
        })
    }

    /// Returns `true` if a file of this name has the format. Any may end in `.gz` as well.
    #[must_use]
    pub fn is_of(&self, name: &str) -> bool {
        let FileNames { start, end, .. } = self.files;
        let name =
            if end.ends_with(".gz") { name } else { name.strip_suffix(".gz").unwrap_or(name) };
        (!start.is_empty() || !end.is_empty()) && name.starts_with(start) && name.ends_with(end)
    }
}

impl FileNames {
    /// Names that end so.
    pub(super) const fn ending(end: &'static str) -> Self {
        Self { start: "", end, contents: Contents::Text, by_thread: false }
    }
}

impl Need {
    fn is_met_by(self, measurement: &Measurement) -> Result<bool, Error> {
        match self {
            Self::BlockCounts => Ok(measurement.source_costs()?.knows_executions()),
            Self::Calls => Ok(!measurement.records().arcs().is_empty()),
            Self::Stacks => Ok(measurement.records().full().has_stacks()),
            Self::Times => Ok(!measurement.records().full().timeline().is_empty()),
            // The model says.
            Self::Anything => Ok(true),
        }
    }
}
