//! The summary of a profile: the functions that took the most time, in a few lines.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::Result;
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::Measurement;

use crate::naming::Naming;

/// What of a profile its summary shows, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// How many functions are listed.
    pub(crate) top: usize,
    /// How they are named.
    pub(crate) naming: Naming,
}

/// A profile in a few lines.
pub(crate) struct Summary {
    executable: PathBuf,
    data_file: PathBuf,
    /// Whether the data seem to be of another program.
    is_foreign: bool,
    /// Samples in each unit of the dimension, normally each second; 0 without samples.
    rate: u32,
    /// What was sampled, normally `seconds`.
    dimension: String,
    samples: f64,
    /// All functions that were called or sampled, and all calls.
    functions: usize,
    calls: u64,
    /// The first functions of them.
    rows: Vec<Row>,
}

/// One function.
struct Row {
    name: String,
    /// Samples in the function itself, and with what it called.
    own: f64,
    total: f64,
    calls: u64,
}

impl View {
    /// The options that choose it.
    pub(crate) fn arguments() -> [Arg; 2] {
        let top = Arg::new("top")
            .long("top")
            .value_name("N")
            .help("How many functions the summary lists")
            .default_value("10")
            .value_parser(value_parser!(usize));
        [top, Naming::argument()]
    }

    /// The view that these options choose.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let top = arguments.get_one::<usize>("top").copied().unwrap_or_default();
        Self { top, naming: Naming::asked_for(arguments) }
    }
}

impl Summary {
    /// Reads a data file of a program and keeps what a view shows of it: the functions that took the most
    /// time.
    ///
    /// # Errors
    ///
    /// One of the files cannot be read or is not what it should be.
    pub(crate) fn read(executable: &Path, data_file: &Path, view: View) -> Result<Self> {
        let measurement =
            Measurement::open_by(executable, &view.naming.program_options(), &[data_file])?;
        let graph = measurement.graph();
        let names = measurement.names(view.naming.style());

        let row = |id| {
            let costs = graph.function(id);
            let used = costs.all_calls() != 0 || costs.time > 0.0;
            used.then(|| Row {
                name: String::from_utf8_lossy(names.plain(id)).into_owned(),
                own: costs.time,
                total: costs.time + costs.child_time,
                calls: costs.all_calls(),
            })
        };
        let mut rows: Vec<_> = measurement.program().symbols().ids().filter_map(row).collect();
        rows.sort_by(Row::cmp);
        let functions = rows.len();
        let calls = rows.iter().fold(0, |sum: u64, row| sum.saturating_add(row.calls));
        rows.truncate(view.top);

        let records = measurement.records();
        let sampling = records.histograms().sampling();
        let dimension = sampling.map_or(&b"seconds"[..], |sampling| &sampling.dimension);
        Ok(Self {
            executable: executable.strip_prefix(".").unwrap_or(executable).to_owned(),
            data_file: data_file.to_owned(),
            is_foreign: !records.foreign_files().is_empty(),
            rate: sampling.map_or(0, |sampling| sampling.rate),
            dimension: String::from_utf8_lossy(dimension).into_owned(),
            samples: graph.total_ticks(),
            functions,
            calls,
            rows,
        })
    }

    /// Samples as an amount of the dimension, normally seconds.
    fn amount(&self, samples: f64) -> f64 {
        if self.rate == 0 { 0.0 } else { samples / f64::from(self.rate) }
    }
}

impl Row {
    /// The most time first, then the most calls.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.own.total_cmp(&self.own))
            .then_with(|| other.calls.cmp(&self.calls))
            .then_with(|| self.name.cmp(&other.name))
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = Style::new().bold();
        // As many places as the sampling period needs: 2 for 100 each second.
        let places = self.rate.max(100).ilog10().min(6) as usize;

        writeln!(
            f,
            "{bold}{}{bold:#}: {:.places$} {} in {} samples ({} each second), {} of {}",
            self.executable.display(),
            self.amount(self.samples),
            self.dimension,
            self.samples,
            self.rate,
            counted(self.calls, "call"),
            counted(self.functions as u64, "function"),
        )?;
        if self.is_foreign {
            writeln!(f, "{} seems to be of another program", self.data_file.display())?;
        }

        writeln!(
            f,
            "\n{bold}{:>10} {:>6} {:>10} {:>15}  function{bold:#}",
            "self", "%", "total", "calls"
        )?;
        for row in &self.rows {
            let percent = if self.samples > 0.0 { 100.0 * row.own / self.samples } else { 0.0 };
            // Code without hooks is sampled but its calls are not counted.
            let calls = if row.calls == 0 { "-".to_owned() } else { grouped(row.calls) };
            let (own, total) = (self.amount(row.own), self.amount(row.total));
            writeln!(
                f,
                "{own:10.places$} {percent:6.1} {total:10.places$} {calls:>15}  {}",
                row.name
            )?;
        }
        match self.functions - self.rows.len() {
            0 => {}
            more => {
                writeln!(f, "{:44}  ... and {}", "", counted(more as u64, "more function"))?;
            }
        }

        let (executable, data_file) = (quoted(&self.executable), quoted(&self.data_file));
        writeln!(f, "\nprofile  {}", self.data_file.display())?;
        writeln!(f, "more     gmon gprof {executable} {data_file}")
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (digit, left) in digits.chars().zip((0..digits.len()).rev()) {
        text.push(digit);
        if left > 0 && left % 3 == 0 {
            text.push(',');
        }
    }
    text
}

pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A path as a word for a shell.
fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if path.chars().all(is_plain) {
        path.into()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn paths_are_words_for_a_shell() {
        for (path, word) in [("a.out", "a.out"), ("a b", "'a b'"), ("it's", r"'it'\''s'")] {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }
}
