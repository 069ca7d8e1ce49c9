//! Opens a program with its data files: the only place that does.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::{Measurement, ProgramOptions, records};

use super::sources::{NoStacks, Sources, is_sampled};
use super::when::Times;
use super::{Samples, UNSAMPLED};
use crate::naming::Naming;
use crate::say;
use crate::text::short;

/// A program and its data files, and what is wanted of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door<'a> {
    pub(crate) program: &'a Path,
    /// Files that are added up.
    pub(crate) data: &'a [PathBuf],
    pub(crate) naming: Naming,
    /// Data of other builds are taken for those of the program.
    pub(crate) any_build: bool,
    /// The samples that are looked at, which need call stacks.
    pub(crate) samples: &'a Samples,
}

/// A measurement, and what had to be decided for it.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The measurement, of the time that is looked at.
    pub(crate) measurement: Measurement,
    /// Why there are no call stacks, in words; none if there are.
    pub(crate) why_no_stacks: Option<String>,
    /// The weight of all samples, if only those of some time are looked at.
    pub(crate) whole: Option<u64>,
}

/// A line that tells how many files of many are read.
pub(crate) fn reading() -> ProgressLine {
    ProgressLine::new("gmon: reading profiles")
}

impl Door<'_> {
    /// Reads the full profiles of all processes that were sampled, and only the calls of others; or the data files
    /// alone, if samples would be left out otherwise.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is not what it should be, or holds no stacks to choose samples by.
    pub(crate) fn open(&self) -> Result<Opened> {
        let data: Vec<PathBuf> =
            records::once_each(self.data).into_iter().map(Path::to_owned).collect();
        let (measurement, why) = match Sources::of(&data) {
            Sources::Full { full, counts } => {
                let (program, options) = (self.program, self.options());
                let opened =
                    Measurement::open_full(program, &options, &full, &counts, &mut reading());
                let measurement = self.judged(opened)?;
                let has_more = measurement.records().full().has_more();
                (measurement, (!has_more).then(|| "no sample has a call stack".to_owned()))
            }
            Sources::Counts(NoStacks { why, is_surprise, earlier }) => {
                let measurement = self.counts_of(&data)?;
                match earlier {
                    _ if self.samples.option().is_some() => {}
                    _ if is_surprise => say(&anyhow!(
                        "warning: {why}; so no call stacks are read, and times of callers are guesses; record all runs by gmon run"
                    )),
                    // Who runs a program without stacks knows that there are none, but not that there were some.
                    Some(full) => {
                        say(&anyhow!("{why}; name {} to read that", short(&full).display()));
                    }
                    None => {}
                }
                (measurement, Some(why))
            }
        };
        if let Some((option, why)) = self.samples.option().zip(why.as_ref()) {
            return Err(needs_stacks(option, why, self.data));
        }
        let opened = Opened { measurement, why_no_stacks: why, whole: None };
        let Some(when) = self.samples.when() else { return Ok(opened) };
        let times = Times::of_records(opened.measurement.records().full());
        let whole = times.ticks();
        let interval = when.interval(&times)?;
        let measurement = opened.measurement.during(&interval);
        Ok(Opened { measurement, whole: Some(whole), ..opened })
    }

    /// Reads the program's own counts alone.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is not what it should be.
    pub(crate) fn open_counts(&self) -> Result<Measurement> {
        self.counts_of(&records::once_each(self.data))
    }

    fn counts_of(&self, data: &[impl AsRef<Path>]) -> Result<Measurement> {
        self.judged(Measurement::open_counts(self.program, &self.options(), data, &mut reading()))
    }

    /// Options by which the program is read. A stripped one is not refused: stacks show its functions, too, by where
    /// they begin.
    fn options(&self) -> ProgramOptions {
        let options = self.naming.program_options();
        ProgramOptions { names_stripped: true, any_build: self.any_build, ..options }
    }

    /// Refuses data that are not the program's, and warns of what is odd in it.
    fn judged(&self, opened: Result<Measurement, gmon_analyzer::Error>) -> Result<Measurement> {
        const REMEDY: &str = "run it again, or accept names that can be wrong with --any-build";
        let measurement = opened.map_err(|error| match error.is_of_other_build() {
            true => anyhow!("{error}; {REMEDY}"),
            false => error.into(),
        })?;
        if let Some(file) = measurement.records().foreign_files().first() {
            let (file, program) = (file.display(), self.program.display());
            let what = format!("{file} is of another program or build than {program}");
            if !self.any_build {
                bail!("{what}; {REMEDY}");
            }
            say(&anyhow!("warning: {what}"));
        }
        for (file, miscount) in measurement.records().miscounts() {
            say(&anyhow!("warning: {}: {miscount}", file.display()));
        }
        Ok(measurement)
    }
}

/// Says what to do about a profile without times of calls.
pub(crate) fn needs_call_times(option: &str) -> Error {
    anyhow!(
        "{option} needs the times of calls, which were not taken: run the program, built by gmon cc --dormant or --times, with gmon run --times PATTERN"
    )
}

/// Says what to do about data files without call stacks.
pub(crate) fn needs_stacks(option: &str, why: &str, data: &[PathBuf]) -> Error {
    if !data.iter().any(|file| is_sampled(file)) {
        return anyhow!("{option} needs call stacks: {UNSAMPLED}");
    }
    anyhow!(
        "{option} needs call stacks: {why}; run the program by gmon run, or with GMON_OPTIONS=stacks"
    )
}
