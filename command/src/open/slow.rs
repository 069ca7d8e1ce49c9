//! `--slower`: the samples that were taken in slow calls.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};
use gmon_analyzer::Model;
use gmon_analyzer::model::{FunctionId, Slow, SlowCalls};
use gmon_analyzer::numbers::{counted, duration};
use gmon_analyzer::records::Figure;

use super::door::needs_call_times;
use super::when::microseconds;
use crate::command_line::option;
use crate::named::find;

/// Calls that are slow, as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slower {
    least: Slow,
    function: Option<String>,
}

impl Slower {
    /// The option.
    pub(super) fn argument() -> Arg {
        option(
            "slower",
            "TIME|p99[,FUNCTION]",
            "Take only samples in timed calls that took so long: of 10ms, or of p99 of their function",
        )
        .value_parser(slower)
        .conflicts_with_all(["from", "to", "last", "phase"])
    }

    /// Choice in this option.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        arguments.get_one::<Self>("slower").cloned()
    }

    /// Description of it.
    pub(super) fn words(&self) -> String {
        let of = self.function.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
        format!("in calls{of} that took {} or longer", self.least_words())
    }

    fn least_words(&self) -> String {
        match self.least {
            Slow::From(ns) => duration(ns as f64 / 1e9),
            Slow::Figure(figure) => figure.name().to_owned(),
        }
    }

    /// The slow calls of a profile, at least one.
    ///
    /// # Errors
    ///
    /// There are none, or nothing is known of them.
    pub(super) fn calls<'m>(&self, model: &'m Model) -> Result<SlowCalls<'m>> {
        if model.call_times.is_empty() {
            return Err(needs_call_times("--slower"));
        }
        if model.timeline.as_ref().is_none_or(|it| it.weight() == 0) {
            bail!(
                "--slower needs the times of samples of one run, which this profile does not have; gmon run keeps them"
            );
        }
        let functions = self.function.as_deref().map(|name| timed(model, name)).transpose()?;
        let calls = model.slow_calls(self.least, functions.as_deref());
        if let Some((id, ns)) = calls.too_short {
            let what = match self.least {
                Slow::From(_) => String::new(),
                Slow::Figure(figure) => {
                    let name = &model.functions[id.index()].display;
                    format!(": {} of {name} is {}", figure.name(), duration(ns as f64 / 1e9))
                }
            };
            bail!(
                "--slower knows calls of 1 ms and longer, shorter ones are not kept one by one{what}"
            );
        }
        if calls.is_unknown() {
            bail!(
                "--slower needs histograms, and these were too full to tell {}",
                self.least_words()
            );
        }
        if calls.number() == 0 {
            let kept = match calls.number_by_histograms() {
                0 => String::new(),
                known => format!(
                    "; {} did, and none is known by itself: GMON_OPTIONS=record=MB keeps more",
                    counted(known, "call")
                ),
            };
            let longest = calls.timed().map(|times| times.longest_ns).max().unwrap_or(0);
            bail!(
                "no call that took {} or longer is known; the longest took {}{kept}",
                self.least_words(),
                duration(longest as f64 / 1e9)
            );
        }
        Ok(calls)
    }

    /// The samples in them.
    ///
    /// # Errors
    ///
    /// There are none.
    pub(super) fn samples(&self, model: &Model) -> Result<Model> {
        let calls = self.calls(model)?;
        let samples = calls.samples().filter(|samples| samples.sampling.samples > 0);
        samples.ok_or_else(|| {
            anyhow!(
                "no sample was taken in the {}: they used no processor; gmon run --wall samples what waits, too",
                counted(calls.number(), "slow call")
            )
        })
    }
}

/// The functions of a name whose calls were timed.
fn timed(model: &Model, name: &str) -> Result<Vec<FunctionId>> {
    let timed: Vec<FunctionId> = model.times_by_function().into_iter().map(|(id, _)| id).collect();
    let found = find(model, name).into_iter().filter(|id| timed.contains(id)).collect::<Vec<_>>();
    if found.is_empty() {
        const MOST: usize = 10;
        let known = timed.iter().map(|id| model.functions[id.index()].display.as_str());
        let known: Vec<&str> = known.take(MOST).collect();
        bail!("--slower: no calls of {name} were timed; those of {} were", known.join(", "));
    }
    Ok(found)
}

fn slower(text: &str) -> Result<Slower, String> {
    let (least, function) = match text.split_once(',') {
        Some((least, function)) => (least, Some(function.to_owned())),
        None => (text, None),
    };
    if function.as_ref().is_some_and(String::is_empty) {
        return Err("a function is missing behind the comma".to_owned());
    }
    let least = match Figure::named(least) {
        Some(figure) => Slow::Figure(figure),
        None => {
            let time = microseconds(least);
            let expected =
                || "must be a time, as 10ms, or mean, p50, p90, p99, p99.9 or max".to_owned();
            Slow::From(time.map_err(|_| expected())?.saturating_mul(1000))
        }
    };
    Ok(Slower { least, function })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_is_a_time_or_a_figure() {
        let named = |name: &str| Some(name.to_owned());
        for (text, least, function) in [
            ("10ms", Slow::From(10_000_000), None),
            ("p99", Slow::Figure(Figure::P99), None),
            ("p99.9,handle", Slow::Figure(Figure::P999), named("handle")),
            ("2,pair<int,int>::f", Slow::From(2_000_000_000), named("pair<int,int>::f")),
        ] {
            assert_eq!(slower(text), Ok(Slower { least, function }), "{text}");
        }
        for text in ["", "p75", "10ms,", "-1ms", ",f"] {
            assert!(slower(text).is_err(), "{text}");
        }
    }
}
