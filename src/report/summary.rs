//! The summary of a profile: the functions that took the most time, in a few lines.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use anstyle::Style;
use gmon_analyzer::Measurement;
use gmon_analyzer::numbers::places;

use super::apart::{is_apart, what_shares_are};
use super::files::Files;
use super::rows::{Rows, SummaryRow};
use super::view::View;
use crate::dormant;
use crate::processes::Usage;
use crate::text::{counted, grouped, harmless, quoted, short};

/// A profile in a few lines.
pub(crate) struct Summary {
    /// The program, and how it is shown.
    path: PathBuf,
    executable: PathBuf,
    files: Files,
    /// Samples in each unit of the dimension, normally each second; 0 without samples.
    rate: u32,
    /// Unit of the samples, normally `seconds`.
    dimension: String,
    /// How many processes the data are of, if that is known, and what these used.
    processes: Option<(usize, Usage)>,
    calls: u64,
    rows: Rows,
    /// Number of functions that are listed.
    top: usize,
}

impl Summary {
    /// Keeps what a view shows of a program. If it is known how many `processes` wrote the files and what these
    /// used, all rows together are their CPU time.
    pub(crate) fn new(
        executable: &Path,
        measurement: &Measurement,
        (files, processes): (Files, Option<(usize, Usage)>),
        view: View,
    ) -> Self {
        let naming = view.naming(false);
        let rows = Rows::new(measurement, naming, processes.map(|(_, usage)| usage));
        let records = measurement.records();
        let sampling = records.histograms().sampling();
        let dimension = sampling.map_or(&b"seconds"[..], |sampling| &sampling.dimension);
        Self {
            path: executable.to_owned(),
            executable: short(executable).to_owned(),
            files,
            rate: sampling.map_or(0, |sampling| sampling.rate),
            dimension: harmless(&String::from_utf8_lossy(dimension)).into_owned(),
            processes,
            calls: rows.functions.iter().fold(0, |sum, row| sum.saturating_add(row.calls)),
            rows,
            top: view.top,
        }
    }

    /// Samples as an amount of the dimension, normally seconds.
    fn amount(&self, samples: f64) -> f64 {
        if self.rate == 0 { 0.0 } else { samples / f64::from(self.rate) }
    }

    fn first_line(&self, no_calls: Option<&str>) -> String {
        let (places, samples) = (places(self.rate), self.rows.samples());
        let mut line = format!(": {:.places$} {}", self.amount(samples), self.dimension);
        match self.processes {
            Some((1, _)) => line.push_str(" of CPU time"),
            Some((number, _)) => {
                line = format!("{line} of CPU time in {}", counted(number as u64, "process"));
            }
            None => line = format!("{line} in {samples} samples"),
        }
        let functions = counted(self.rows.functions.len() as u64, "function");
        let calls = match no_calls {
            Some(why) => why.to_owned(),
            None => format!("{} of {functions}", counted(self.calls, "call")),
        };
        format!("{line} ({} samples each second), {calls}", grouped(self.rate.into()))
    }

    fn row(&self, row: &SummaryRow) -> String {
        let places = places(self.rate);
        let samples =
            if is_apart(&row.name) { self.rows.samples() } else { self.rows.own_samples() };
        let percent = if samples > 0.0 { 100.0 * row.own / samples } else { 0.0 };
        // Code without hooks is sampled but its calls are not counted.
        let calls = if row.calls == 0 { "-".to_owned() } else { grouped(row.calls) };
        let total = row.total.map(|total| format!("{:.places$}", self.amount(total)));
        let (own, total) = (self.amount(row.own), total.unwrap_or("-".to_owned()));
        format!("{own:10.places$} {percent:6.1} {total:>10} {calls:>15}  {}", row.name)
    }

    /// The functions that are not listed, as if they were one.
    fn others(&self) -> Option<SummaryRow> {
        let others = self.rows.functions.get(self.top..).filter(|others| !others.is_empty())?;
        Some(SummaryRow {
            name: format!("... and {}", counted(others.len() as u64, "more function")),
            own: others.iter().map(|row| row.own).sum(),
            total: None,
            calls: others.iter().fold(0, |sum, row| sum.saturating_add(row.calls)),
        })
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = Style::new().bold();
        let executable = self.executable.to_string_lossy();
        let (no_calls, remedy) = match self.calls {
            0 => {
                let (why, remedy) = dormant::why_no_calls(&self.path);
                (Some(why), remedy)
            }
            _ => (None, None),
        };
        writeln!(f, "{bold}{}{bold:#}{}", harmless(&executable), self.first_line(no_calls))?;
        if let Some(remedy) = remedy {
            writeln!(f, "{remedy}")?;
        }

        writeln!(
            f,
            "\n{bold}{:>10} {:>6} {:>10} {:>15}  function{bold:#}",
            "self", "%", "total", "calls"
        )?;
        let listed = self.rows.functions.iter().take(self.top);
        for row in listed.chain(&self.others()).chain(&self.rows.places) {
            writeln!(f, "{}", self.row(row))?;
        }
        writeln!(
            f,
            "total: with the functions called, whose time is divided among callers by calls"
        )?;
        let places = self.rows.places.iter().map(|row| row.name.as_str());
        what_shares_are(places).map_or(Ok(()), |sentence| writeln!(f, "{sentence}"))?;

        let (words, data) = self.files.words(&self.executable);
        writeln!(f, "\nprofile  {words}")?;
        writeln!(f, "more     gmon gprof {} {data}", quoted(&self.executable))
    }
}
