//! Limits of change, for those who want to be stopped: `calls(parse*):+0`, `self:+5%`.
//!
//! A limit that had nothing to judge is always unjudged, not kept, and the [`Reason`] says why.

mod judging;
mod text;

use std::fmt;

use crate::records::Figure;

/// With fewer runs a side, nobody knows how much runs differ by themselves.
pub const RUNS_FOR_TIMES: usize = 5;

/// A limit, as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    text: String,
    metric: Metric,
    which: Which,
    direction: Direction,
    amount: Amount,
}

/// Quantity that must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Calls, which are exact.
    Calls,
    /// The time in a function itself.
    Own,
    /// The time in a function and in what it calls.
    Total,
    /// Samples in a function itself, as they are.
    Samples,
    /// A figure of the times of calls.
    Call(Figure),
}

/// Things that it limits, by patterns of names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    All,
    Functions(String),
    /// Of the caller and the callee.
    Arcs(String, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Grows,
    Shrinks,
    Either,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Amount {
    /// A part of the base's.
    Share(f64),
    Seconds(f64),
    Number(u64),
}

/// Findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Number of functions or calls that were judged.
    pub judged: usize,
    /// Things beyond the limit.
    pub exceeded: Vec<Verdict>,
    /// Numbers of functions or arcs whose counts vary from run to run, so that not every difference counts.
    pub varying: usize,
    /// Numbers of functions or arcs whose calls only one side counted.
    pub unknown: usize,
}

/// A thing beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A function, by its number.
    Function(usize),
    /// Calls of one function by another, by their number.
    Arc(usize),
}

/// Why nothing could be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A side has no calls.
    NoCalls,
    /// A side has no samples.
    NoSamples,
    /// The sides were sampled at different rates.
    OtherRate,
    /// No function of the base has such a name.
    NoMatch(String),
    /// Nobody counts calls of such functions.
    NotCounted,
    /// Only one side counts calls of such functions.
    CountedOnce,
    /// There are too few runs for times.
    FewRuns([usize; 2]),
    /// Times with all that was called were not measured.
    Apportioned,
    /// A run has no times of calls.
    NoCallTimes,
    /// No calls of such functions were timed in enough runs of both sides.
    NotTimed,
    /// All such functions have too few samples.
    FewSamples,
    /// All such counts vary, and no difference of so few runs could count; so many of each side are enough.
    Varying([usize; 2], usize),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCalls => f.write_str("one side has no counted calls; was it compiled with -pg?"),
            Self::NoSamples => f.write_str("a run has no samples; let it run longer"),
            Self::OtherRate => f.write_str("the sides were sampled at different rates"),
            Self::NoMatch(glob) => write!(f, "no function of the base matches {glob}"),
            Self::NotCounted => f.write_str("no such calls were counted on either side"),
            Self::CountedOnce => f.write_str(
                "only one side counted such calls; record both alike: -pg or not, --libcalls or not",
            ),
            Self::FewRuns([base, new]) => write!(
                f,
                "times need at least {RUNS_FOR_TIMES} runs of each side, and there are {base} and {new}: gmon run --runs {RUNS_FOR_TIMES} makes them"
            ),
            Self::Apportioned => f.write_str(
                "without call stacks total times are guesses, which change with the calls of others; record stacks, or limit self",
            ),
            Self::NoCallTimes => f.write_str(
                "a run has no times of calls; take them with gmon run --times, of programs built by gmon cc --dormant",
            ),
            Self::NotTimed => write!(
                f,
                "no calls of such functions were timed in {RUNS_FOR_TIMES} runs of each side; name them in gmon run --times"
            ),
            Self::FewSamples => {
                f.write_str("all such functions have less than 1 % of the samples, too few to tell")
            }
            Self::Varying([base, new], enough) => write!(
                f,
                "all such counts vary from run to run, and {base} and {new} runs cannot show a difference; take {enough} of each"
            ),
        }
    }
}
