//! Reads `gmon-rows/1`: profiles as rows, one a line, of which only one is held at a time.

use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::path::Path;

use serde::Deserialize;

use super::by_name::{ByName, Run};
use super::counted::EXTERNAL_CALLER;
use super::document::{Inclusive, Paths, Python, Sampling};
use super::origin::NANOSECONDS;
use crate::error::{Error, ErrorKind};
use crate::files::unpacked;
use crate::records::Looks;

/// The name of the format.
pub(super) const SCHEMA: &str = "gmon-rows/1";

/// A row of any kind, with the columns that are of use for a sum.
#[derive(Debug, Deserialize)]
struct ReadRow {
    schema: String,
    kind: String,
    #[serde(default)]
    module: String,
    build_id: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    display: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    caller_module: String,
    #[serde(default)]
    caller: String,
    calls: Option<u64>,
    #[serde(default)]
    samples: u64,
    #[serde(default)]
    inlined: bool,
    #[serde(default)]
    thread: String,
    #[serde(default)]
    frames: Vec<String>,
    #[serde(default)]
    program: String,
    host: Option<String>,
    pid: Option<u64>,
    start_ns: Option<u64>,
    #[serde(default)]
    period_ns: u64,
    paths: Option<Paths>,
    #[serde(default = "seconds")]
    unit: String,
    #[serde(default)]
    waits: bool,
    python: Option<Python>,
    #[serde(default)]
    added: BTreeSet<String>,
}

/// Unit of the samples in the file of an older gmon, which does not say.
fn seconds() -> String {
    "seconds".to_owned()
}

/// The samples of a run: those that it says it has, and those of its rows so far.
#[derive(Default)]
struct Samples {
    paths: Option<Paths>,
    all: u64,
    of_functions: u64,
    of_stacks: u64,
}

impl ByName {
    /// Returns `true` if a file looks like one of rows, which may be compressed: by its first line.
    #[must_use]
    pub fn is_rows(path: &Path) -> bool {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        // A pipe could be read only once.
        let lines = || path.is_file().then(|| unpacked(path).ok()).flatten();
        let mut first = String::new();
        // The longest row is the first one of a run, with the words of its command.
        let Some(lines) = lines() else { return false };
        lines.take(16 << 20).read_line(&mut first).is_ok()
            && serde_json::from_slice(first.as_bytes())
                .is_ok_and(|head: Head| head.schema == SCHEMA)
    }

    /// Adds the profiles in a file of rows.
    ///
    /// # Errors
    /// If it cannot be read, is not a whole one of this format, or does not add to the others.
    pub fn add_rows(&mut self, path: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(path, ErrorKind::Unreadable(error));
        let mut lines = unpacked(path).map_err(unreadable)?;
        let (mut line, mut number) = (String::new(), 0_u64);
        let mut samples = None;
        loop {
            line.clear();
            number += 1;
            if lines.read_line(&mut line).map_err(unreadable)? == 0 {
                break;
            }
            self.add_row(&line, &mut samples).map_err(|why| {
                Error::new(path, ErrorKind::NoModel(format!("line {number}: {why}")))
            })?;
        }
        let fault = match &samples {
            None => Some(format!("not a whole {SCHEMA}: it has no row of a run")),
            Some(samples) => samples.fault(),
        };
        fault.map_or(Ok(()), |why| Err(Error::new(path, ErrorKind::NoModel(why))))
    }

    fn add_row(&mut self, line: &str, samples: &mut Option<Samples>) -> Result<(), String> {
        let row: ReadRow =
            serde_json::from_slice(line.as_bytes()).map_err(|error| error.to_string())?;
        if row.schema != SCHEMA {
            return Err(format!("{}, where {SCHEMA} is expected", row.schema));
        }
        if row.kind == "run" {
            if let Some(fault) = samples.take().and_then(|it| it.fault()) {
                return Err(fault);
            }
            *samples = Some(Samples { paths: row.paths, all: row.samples, ..Samples::default() });
            return self.begin(&run(row));
        }
        let Some(samples) = samples else {
            return Err(format!("a row of kind {} before that of its run", row.kind));
        };
        match row.kind.as_str() {
            "module" => self.add_module(&row.path, row.build_id.as_deref(), None),
            "function" => {
                samples.of_functions = samples.of_functions.saturating_add(row.samples);
                let id = self.function(&row.module, &row.name);
                self.add_function(id, &row.display, row.calls, row.samples);
                self.set_inlined(id, row.inlined);
            }
            "arc" => {
                let is_external = row.caller.as_bytes() == EXTERNAL_CALLER;
                let caller = (!is_external).then(|| self.function(&row.caller_module, &row.caller));
                let callee = self.function(&row.module, &row.name);
                self.add_calls((caller, None), callee, row.calls.unwrap_or(0));
            }
            "stack" => {
                samples.of_stacks = samples.of_stacks.saturating_add(row.samples);
                let thread = self.thread(name_of(&row.thread));
                let mut place = None;
                for (depth, frame) in row.frames.iter().enumerate() {
                    let (module, name) = self.split(frame).ok_or("a frame without a module")?;
                    let function = self.function(module, name);
                    let own = if depth + 1 == row.frames.len() { row.samples } else { 0 };
                    let found = Looks { samples: own, weight: own, ..Looks::default() };
                    // Of a function that was inlined only here and there, rows do not tell where.
                    let is_inlined = place.is_some() && self.is_only_inlined(function);
                    let frame = self.frame(function, is_inlined);
                    place = Some(self.add_node(place, thread, frame, found));
                }
            }
            // Lines are those of a build. What later versions add is not for us.
            _ => {}
        }
        Ok(())
    }
}

impl ByName {
    /// The module and the name of a frame. Either may have a `!`: the longest known module is meant.
    fn split<'a>(&self, frame: &'a str) -> Option<(&'a str, &'a str)> {
        let borders = frame.match_indices('!');
        let mut splits = borders.map(|(at, _)| (&frame[..at], &frame[at + 1..]));
        let known = splits.clone().rfind(|(module, _)| self.has_module(module));
        known.or_else(|| splits.next())
    }
}

impl Samples {
    /// A sum that is not the one that the run says.
    fn fault(&self) -> Option<String> {
        let is_sampled = self.paths == Some(Paths::Sampled);
        let wrong = match () {
            () if self.of_functions != self.all => Some(("functions", self.of_functions)),
            () if is_sampled && self.of_stacks != self.all => Some(("stacks", self.of_stacks)),
            () => None,
        };
        let all = self.all;
        wrong.map(|(list, sum)| {
            format!("the samples of {list} are {sum}, not {all}; was the file cut short?")
        })
    }
}

/// The name of a thread by its label, without its number: threads of one name are one, in whatever runs.
fn name_of(label: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let named = label.strip_suffix(')').and_then(|label| label.rsplit_once(" ("));
    match named.filter(|(_, number)| is_number(number)) {
        Some((name, _)) => name,
        // One without a name.
        None if label.strip_prefix("thread ").is_some_and(is_number) => "",
        None => label,
    }
}

fn run(row: ReadRow) -> Run {
    let rate = (NANOSECONDS + row.period_ns / 2).checked_div(row.period_ns).unwrap_or(0);
    let paths = row.paths.unwrap_or(Paths::None);
    let is_sampled = paths == Paths::Sampled;
    Run {
        program: row.program,
        host: row.host,
        pid: row.pid,
        start_ns: row.start_ns,
        sampling: Sampling {
            rate_hz: u32::try_from(rate).unwrap_or(u32::MAX),
            period_ns: row.period_ns,
            samples: row.samples,
            unit: row.unit,
            paths,
            inclusive: if is_sampled { Inclusive::Sampled } else { Inclusive::Apportioned },
            waits: row.waits,
            ..Sampling::none()
        },
        python: row.python,
        added: row.added,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_names_may_have_the_mark_between_them() {
        let mut sum = ByName::default();
        for module in ["", "w!x", "w"] {
            sum.module(module);
        }
        for (frame, expected) in [
            ("w!x!small", Some(("w!x", "small"))),
            ("w!f!g", Some(("w", "f!g"))),
            ("!start", Some(("", "start"))),
            ("other!f", Some(("other", "f"))),
            ("f", None),
        ] {
            assert_eq!(sum.split(frame), expected, "{frame}");
        }
    }

    #[test]
    fn labels_of_threads_have_names() {
        for (label, name) in [
            ("worker (123)", "worker"),
            ("worker (of two)", "worker (of two)"),
            ("thread 7", ""),
            ("thread pool", "thread pool"),
            ("main thread", "main thread"),
        ] {
            assert_eq!(name_of(label), name);
        }
    }
}
