//! Limits of change, for those who want to be stopped: `calls(parse*):+0`, `self:+5%`.
//!
//! What always holds: a limit that had nothing to judge is not kept but unjudged, and the [`Reason`] says why.

use std::fmt;
use std::str::FromStr;

use super::comparison::{ArcChange, Comparison, FunctionChange, Presence};
use super::counts::{Counts, least_p};
use super::glob::Glob;
use super::times::Times;

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

/// What must not change.
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
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    All,
    Functions(Glob),
    Arcs(Glob, Glob),
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

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How many functions or calls were judged.
    pub judged: usize,
    /// Those beyond the limit.
    pub exceeded: Vec<Verdict>,
    /// Numbers of functions or arcs whose counts vary from run to run, so that no difference counts.
    pub varying: usize,
}

/// What is beyond a limit.
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
    /// There are too few runs for times.
    FewRuns([usize; 2]),
    /// Times with all that was called were not measured.
    Apportioned,
    /// All such functions have too few samples.
    FewSamples,
    /// All such counts vary, and no difference of so few runs could count.
    Varying([usize; 2]),
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, change) = text
            .rsplit_once(':')
            .ok_or("METRIC:CHANGE or METRIC(GLOB):CHANGE is expected, as in calls:+0")?;
        let (metric, glob) = match what.split_once('(') {
            Some((metric, glob)) => {
                let glob = glob.strip_suffix(')').ok_or("a ) is missing before the :")?;
                (metric, Some(glob))
            }
            None => (what, None),
        };
        let metric = match metric {
            "calls" => Metric::Calls,
            "self" => Metric::Own,
            "total" => Metric::Total,
            "samples" => Metric::Samples,
            _ => return Err(format!("{metric} is none of calls, self, total and samples")),
        };
        let which = match glob {
            None => Which::All,
            Some("") => {
                return Err("the pattern between ( and ) is empty; * stands for all".to_owned());
            }
            Some(glob) => match arc(glob) {
                Some((caller, callee)) if metric == Metric::Calls => {
                    Which::Arcs(Glob(caller.to_owned()), Glob(callee.to_owned()))
                }
                Some(_) => return Err("CALLER>CALLEE is for calls".to_owned()),
                None => Which::Functions(Glob(glob.to_owned())),
            },
        };
        let (direction, amount) = change_of(change)?;
        match (metric, amount) {
            (Metric::Calls | Metric::Samples, Amount::Seconds(_)) => {
                return Err("calls and samples have no seconds".to_owned());
            }
            (Metric::Own | Metric::Total, Amount::Number(number)) if number > 0 => {
                return Err(format!("{number} of what? Say {number}s or {number}%"));
            }
            _ => {}
        }
        Ok(Self { text: text.to_owned(), metric, which, direction, amount })
    }
}

/// Caller and callee, if there is a `>` between two names: outside of `<…>`, and not that of `->`.
fn arc(glob: &str) -> Option<(&str, &str)> {
    let (mut depth, mut before) = (0_u32, ' ');
    for (place, c) in glob.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before == '-' => {}
            '>' if depth == 0 => {
                let (caller, callee) = (glob[..place].trim(), glob[place + 1..].trim());
                return (!caller.is_empty() && !callee.is_empty()).then_some((caller, callee));
            }
            '>' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    None
}

fn change_of(text: &str) -> Result<(Direction, Amount), String> {
    let expected = || format!("{text}: a change like +0, +5%, +0.05s, -1% or ~2% is expected");
    let mut rest = text.chars();
    let direction = match rest.next() {
        Some('+') => Direction::Grows,
        Some('-') => Direction::Shrinks,
        Some('~') => Direction::Either,
        _ => return Err(expected()),
    };
    let rest = rest.as_str();
    let number = |text: &str, factor: f64| -> Result<f64, String> {
        // No sign, no "inf", no "nan".
        let is_plain = text.starts_with(|c: char| c.is_ascii_digit());
        let number = text.parse().ok().filter(|number: &f64| is_plain && number.is_finite());
        number.map(|number| number * factor).ok_or_else(expected)
    };
    let units = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];
    if let Some(percent) = rest.strip_suffix('%') {
        return Ok((direction, Amount::Share(number(percent, 0.01)?)));
    }
    for (unit, factor) in units {
        if let Some(seconds) = rest.strip_suffix(unit) {
            return Ok((direction, Amount::Seconds(number(seconds, factor)?)));
        }
    }
    rest.parse().map(|number| (direction, Amount::Number(number))).map_err(|_| expected())
}

impl Limit {
    /// What must not change.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// What it judges, as a word for one of them.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        if matches!(self.which, Which::Arcs(..)) { "pair" } else { "function" }
    }

    /// Judges a comparison. Differences that chance makes more often than `level` do not count.
    ///
    /// # Errors
    /// There is nothing to judge.
    pub fn judge(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        match self.metric {
            Metric::Calls => self.judge_calls(comparison, level),
            Metric::Own | Metric::Total => self.judge_times(comparison, level),
            Metric::Samples => self.judge_samples(comparison),
        }
    }

    fn judge_calls(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        let called = |side: fn(&Counts) -> &Vec<u64>| {
            let mut counts = comparison.functions.iter().filter_map(|it| it.calls.as_ref());
            counts.any(|counts| side(counts).iter().any(|count| *count > 0))
        };
        if !called(|it| &it.base) || !called(|it| &it.new) {
            return Err(Reason::NoCalls);
        }
        let subjects: Vec<(Verdict, &Counts)> = match &self.which {
            Which::Arcs(caller, callee) => {
                self.check_known(comparison, caller)?;
                self.check_known(comparison, callee)?;
                let is_meant = |arc: &ArcChange| {
                    let name =
                        |glob: &Glob, id: u32| names(glob, &comparison.functions[id as usize]);
                    arc.caller.is_some_and(|id| name(caller, id)) && name(callee, arc.callee)
                };
                let arcs = comparison.arcs.iter().enumerate().filter(|(_, arc)| is_meant(arc));
                arcs.map(|(number, arc)| (Verdict::Arc(number), &arc.calls)).collect()
            }
            Which::All | Which::Functions(_) => {
                let of = |number: usize| {
                    let calls = comparison.functions[number].calls.as_ref();
                    calls.map(|calls| (Verdict::Function(number), calls))
                };
                self.functions(comparison)?.into_iter().filter_map(of).collect()
            }
        };
        if subjects.is_empty() {
            return Err(Reason::NotCounted);
        }
        let varying = subjects.iter().filter(|(_, counts)| !counts.is_steady()).count();
        let [base, new] = comparison.runs;
        if varying == subjects.len() && least_p(base, new) >= level {
            return Err(Reason::Varying(comparison.runs));
        }
        let is_beyond = |counts: &Counts| {
            let [base, new] = counts.per_run();
            let grown = match counts.difference() {
                Some(difference) => difference as f64,
                None => new - base,
            };
            counts.differ(level) && self.is_beyond(grown, grown, base)
        };
        let exceeded = subjects.iter().filter(|(_, counts)| is_beyond(counts));
        let exceeded = exceeded.map(|(verdict, _)| *verdict).collect();
        Ok(Judged { judged: subjects.len(), exceeded, varying })
    }

    fn judge_times(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        check_samples(comparison)?;
        if comparison.runs.iter().any(|runs| *runs < RUNS_FOR_TIMES) {
            return Err(Reason::FewRuns(comparison.runs));
        }
        let is_total = self.metric == Metric::Total;
        if is_total && comparison.has_stacks != [true; 2] {
            return Err(Reason::Apportioned);
        }
        let of = |number: &usize| -> Option<(usize, &Times)> {
            let function = &comparison.functions[*number];
            let times = if is_total { function.total.as_ref()? } else { &function.own };
            times.holm.map(|_| (*number, times))
        };
        let functions = self.functions(comparison)?;
        let tested: Vec<_> = functions.iter().filter_map(of).collect();
        if tested.is_empty() {
            return Err(Reason::FewSamples);
        }
        let exceeded = tested.iter().filter(|(_, times)| {
            let [low, high] = times.interval_ns;
            let is_shown = times.holm.is_some_and(|p| p < level);
            is_shown && self.is_beyond(low, high, times.per_run_ns[0])
        });
        let exceeded = exceeded.map(|(number, _)| Verdict::Function(*number)).collect();
        Ok(Judged { judged: tested.len(), exceeded, varying: 0 })
    }

    fn judge_samples(&self, comparison: &Comparison) -> Result<Judged, Reason> {
        check_samples(comparison)?;
        let functions = self.functions(comparison)?;
        let is_beyond = |number: &&usize| {
            let times = &comparison.functions[**number].own;
            let per_run = |runs: &[u64]| {
                runs.iter().map(|it| *it as f64).sum::<f64>() / runs.len().max(1) as f64
            };
            let (base, new) = (per_run(&times.base), per_run(&times.new));
            self.is_beyond(new - base, new - base, base)
        };
        let exceeded =
            functions.iter().filter(is_beyond).map(|it| Verdict::Function(*it)).collect();
        Ok(Judged { judged: functions.len(), exceeded, varying: 0 })
    }

    /// Whether a growth that lies between two numbers is beyond the limit for certain.
    fn is_beyond(&self, low: f64, high: f64, base: f64) -> bool {
        let limit = match self.amount {
            Amount::Share(share) => share * base,
            Amount::Seconds(seconds) => seconds * 1e9,
            Amount::Number(number) => number as f64,
        };
        let (grows, shrinks) = (low > limit, -high > limit);
        match self.direction {
            Direction::Grows => grows,
            Direction::Shrinks => shrinks,
            Direction::Either => grows || shrinks,
        }
    }

    /// The numbers of the functions that it is about.
    fn functions(&self, comparison: &Comparison) -> Result<Vec<usize>, Reason> {
        let Which::Functions(glob) = &self.which else {
            return Ok((0..comparison.functions.len()).collect());
        };
        self.check_known(comparison, glob)?;
        let functions = comparison.functions.iter().enumerate();
        Ok(functions.filter(|(_, it)| names(glob, it)).map(|(number, _)| number).collect())
    }

    /// Whether the base has such a function.
    fn check_known(&self, comparison: &Comparison, glob: &Glob) -> Result<(), Reason> {
        let mut base = comparison.functions.iter().filter(|it| it.presence != Presence::OnlyNew);
        let is_known = base.any(|function| names(glob, function));
        if is_known { Ok(()) } else { Err(Reason::NoMatch(glob.0.clone())) }
    }
}

/// Whether a pattern stands for a function, by its name for people or for the linker.
fn names(glob: &Glob, function: &FunctionChange) -> bool {
    glob.matches(&function.display) || glob.matches(&function.name)
}

fn check_samples(comparison: &Comparison) -> Result<(), Reason> {
    let sides = [&comparison.total.base, &comparison.total.new];
    if sides.iter().any(|runs| runs.contains(&0)) {
        return Err(Reason::NoSamples);
    }
    if comparison.has_one_rate() { Ok(()) } else { Err(Reason::OtherRate) }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCalls => f.write_str("one side has no counted calls; was it compiled with -pg?"),
            Self::NoSamples => f.write_str("a run has no samples; let it run longer"),
            Self::OtherRate => f.write_str("the sides were sampled at different rates"),
            Self::NoMatch(glob) => write!(f, "no function of the base matches {glob}"),
            Self::NotCounted => f.write_str("no such calls were counted on either side"),
            Self::FewRuns([base, new]) => write!(
                f,
                "times need at least {RUNS_FOR_TIMES} runs of each side, and there are {base} and {new}: gmon run --runs {RUNS_FOR_TIMES} makes them"
            ),
            Self::Apportioned => f.write_str(
                "without call stacks total times are guesses, which change with the calls of others; record stacks, or limit self",
            ),
            Self::FewSamples => {
                f.write_str("all such functions have less than 1 % of the samples, too few to tell")
            }
            Self::Varying([base, new]) => write!(
                f,
                "all such counts vary from run to run, and {base} and {new} runs cannot show a difference; take 6 of each"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        for (text, metric, direction, amount) in [
            ("calls:+0", Metric::Calls, Direction::Grows, Amount::Number(0)),
            ("self:+5%", Metric::Own, Direction::Grows, Amount::Share(0.05)),
            ("total:-0.05s", Metric::Total, Direction::Shrinks, Amount::Seconds(0.05)),
            ("samples:~10", Metric::Samples, Direction::Either, Amount::Number(10)),
            ("self:+0", Metric::Own, Direction::Grows, Amount::Number(0)),
        ] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!((limit.metric, limit.direction), (metric, direction), "{text}");
            let close = match (limit.amount, amount) {
                (Amount::Share(a), Amount::Share(b)) => (a - b).abs() < 1e-12,
                (a, b) => a == b,
            };
            assert!(close && limit.which == Which::All, "{limit:?}");
        }
        for (text, which) in [
            ("calls(parse*):+0", Which::Functions(Glob("parse*".into()))),
            ("calls(f(int, int)):+0", Which::Functions(Glob("f(int, int)".into()))),
            ("calls(main>parse*):+0", Which::Arcs(Glob("main".into()), Glob("parse*".into()))),
            ("calls(std::map<int>::at):+0", Which::Functions(Glob("std::map<int>::at".into()))),
            ("calls(A::operator->):+0", Which::Functions(Glob("A::operator->".into()))),
            (
                "calls(v<int> > w<int>):+0",
                Which::Arcs(Glob("v<int>".into()), Glob("w<int>".into())),
            ),
        ] {
            assert_eq!(text.parse::<Limit>().unwrap().which, which, "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "calls",
            "calls:",
            "calls:0",
            "calls:+",
            "calls:+x",
            "calls:+1s",
            "self:+5",
            "time:+0",
            "calls():+0",
            "calls(x:+0",
            "self(a>b):+1%",
            "self:+-1%",
            "self:+inf%",
            "self:+nans",
            "calls:+1.5",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }
}
