//! Program and process of a model.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::document::Run;
use crate::measurement::Measurement;

/// Nanoseconds in a second.
pub(super) const NANOSECONDS: u64 = 1_000_000_000;

/// Facts in the data about their process; nothing that differs between several.
#[derive(Default)]
pub(super) struct Origin {
    pub(super) program: String,
    pub(super) command: Option<Vec<String>>,
    pub(super) host: Option<String>,
    pub(super) pid: Option<u64>,
    pub(super) parent_pid: Option<u64>,
    pub(super) start_ns: Option<u64>,
    pub(super) duration_ns: Option<u64>,
    pub(super) run: Run,
}

/// Runs of Python's interpreter in the stacks of samples: each executes functions of Python, one for another until it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Python {
    /// Version, as `3.11`; `None` if it is not known, or not the same everywhere.
    pub version: Option<String>,
    /// Runs in whose place there are the functions that they executed.
    pub runs: u64,
    /// The part of these whose innermost functions are those of a moment after the sample.
    pub runs_late: u64,
    /// Runs that could not be read: the interpreter's own functions stand there.
    pub runs_left: u64,
}

/// Facts about a measurement.
pub(super) fn origin(measurement: &Measurement) -> Origin {
    let program = measurement.program().image().path().to_string_lossy().into_owned();
    let facts = measurement.records().full().facts();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let not_empty = |key: &str| facts.get(key).filter(|value| !value.is_empty());
    let left_alone = facts.get("left_alone").unwrap_or_default().split(|byte| *byte == b',');
    let is_one = facts.runs() == 1;
    let of_one = |number: Option<u64>| number.filter(|_| is_one);
    Origin {
        program,
        command: facts.command(),
        host: not_empty("host").map(text),
        pid: of_one(facts.number("pid")),
        parent_pid: of_one(facts.number("parent")),
        start_ns: of_one(facts.started()).map(|seconds| seconds.saturating_mul(NANOSECONDS)),
        duration_ns: of_one(facts.number("duration_ns")),
        run: Run {
            processes: (facts.runs() > 0).then(|| facts.runs()),
            user_ns: facts.number("user_ns"),
            system_ns: facts.number("system_ns"),
            max_rss_kb: facts.number("max_rss_kb"),
            sampler: not_empty("sampler").map(text),
            clock: not_empty("clock").map(text),
            signal: facts.number("signal"),
            elapsed_ns: facts.number("duration_ns").filter(|_| !is_one),
            added: BTreeSet::new(),
            left_alone: left_alone.filter(|name| !name.is_empty()).map(text).collect(),
            python: facts.number("python_runs_left").map(|runs_left| Python {
                version: not_empty("python").map(text).filter(|version| version != "unknown"),
                runs: facts.number("python_runs").unwrap_or(0),
                runs_late: facts.number("python_runs_late").unwrap_or(0),
                runs_left,
            }),
        },
    }
}

impl Python {
    /// Adds the runs of another process's interpreter.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.version.take_if(|version| Some(&*version) != other.version.as_ref());
        for (sum, runs) in [
            (&mut self.runs, other.runs),
            (&mut self.runs_late, other.runs_late),
            (&mut self.runs_left, other.runs_left),
        ] {
            *sum = sum.saturating_add(runs);
        }
    }
}
