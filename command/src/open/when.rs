//! `--from`, `--to`, `--last` and `--phase`: the stretch of time whose samples are looked at.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};
use gmon_analyzer::Model;
use gmon_analyzer::model::Timeline;
use gmon_analyzer::records::{self, FullRecords, Interval, Stretches};

use super::sources::full_of;
use crate::command_line::option;
use crate::say;

/// A stretch of time as the user wrote it, in microseconds since the run began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct When {
    from: Option<u64>,
    to: Option<u64>,
    last: Option<u64>,
    /// Name of the phases.
    phase: Option<String>,
    /// When the run began that the profile is a part of, in microseconds since the system started, if that is known and not the
    /// start of the profile.
    run_began_us: Option<u64>,
}

/// Advice on samples without times.
const REMEDY: &str = "run the program by gmon run, or with GMON_OPTIONS=record";

impl When {
    /// The options that choose it.
    pub(super) fn arguments() -> [Arg; 4] {
        let time = |name, help| option(name, "TIME", help).value_parser(microseconds);
        [
            time("from", "Take only samples from this time of the run on, as 2.5s or 300ms"),
            time("to", "Take only samples before this time of the run"),
            time("last", "Take only samples of so much time before the last one")
                .conflicts_with_all(["from", "to"]),
            Self::phase_argument(
                "Take only samples in phases of this name, which the program marked",
            )
            .conflicts_with_all(["from", "to", "last"]),
        ]
    }

    /// The option for a phase alone.
    pub(crate) fn phase_argument(help: &'static str) -> Arg {
        option("phase", "NAME", help)
    }

    /// The option for the last time alone.
    pub(super) fn last_argument(help: &'static str) -> Arg {
        option("last", "TIME", help).value_parser(microseconds)
    }

    /// The time before the last sample that such an option asks for.
    pub(super) fn last_asked_for(arguments: &ArgMatches) -> Self {
        Self { last: arguments.get_one::<u64>("last").copied(), ..Self::default() }
    }

    /// Choice in these options.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Self {
        let time = |name| arguments.get_one::<u64>(name).copied();
        let phase = arguments.get_one::<String>("phase").cloned();
        Self { from: time("from"), to: time("to"), last: time("last"), phase, run_began_us: None }
    }

    /// The stretch between two times.
    pub(super) fn between(from: u64, to: u64) -> Self {
        Self { from: Some(from), to: (to < u64::MAX).then_some(to), ..Self::default() }
    }

    /// The time of the phases of a name.
    pub(super) fn in_phase(name: &str) -> Self {
        Self { phase: Some(name.to_owned()), ..Self::default() }
    }

    /// Counts the times from the start of a run, of whichever of its programs. These are the run's data files.
    pub(super) fn of_run<'d>(&self, data: impl Iterator<Item = &'d Path>) -> Self {
        let has_times = self.from.is_some() || self.to.is_some();
        let began_us = || data.filter_map(|file| records::began_us(&full_of(file)?)).min();
        Self { run_began_us: has_times.then(began_us).flatten(), ..self.clone() }
    }

    /// The first option that was given; nothing if all of the time is meant.
    pub(super) fn option(&self) -> Option<&'static str> {
        let options = [(self.from, "--from"), (self.to, "--to"), (self.last, "--last")];
        let times = options.into_iter().find(|(time, _)| time.is_some()).map(|(_, option)| option);
        times.or(self.phase.as_ref().map(|_| "--phase"))
    }

    /// Description of it.
    pub(super) fn words(&self) -> Option<String> {
        let seconds = |us: u64| format!("{} s", us as f64 / 1e6);
        if let Some(phase) = &self.phase {
            return Some(format!("phase {phase}"));
        }
        Some(match (self.from, self.to, self.last) {
            (_, _, Some(last)) => format!("the last {}", seconds(last)),
            (Some(from), Some(to), _) => format!("{} to {}", seconds(from), seconds(to)),
            (Some(from), None, _) => format!("{} to the end", seconds(from)),
            (None, Some(to), _) => format!("the start to {}", seconds(to)),
            (None, None, None) => return None,
        })
    }

    /// The interval that is meant, of a profile with these times.
    ///
    /// # Errors
    ///
    /// There are no times, or no sample of that time.
    pub(super) fn interval(&self, known: &Times) -> Result<Stretches> {
        let option = self.option().unwrap_or_default();
        if known.is_of_several_runs {
            bail!(
                "{option} needs one run: these profiles are of several, whose clocks have nothing in common"
            );
        }
        let (Some(first), Some(last)) = (known.at_us.first(), known.at_us.last()) else {
            bail!("{option} needs the times of samples, which were not kept; {REMEDY}");
        };
        let (first, end) = (*first, last + 1);
        // Times of the run are later by this than those of the profile.
        let later = self.run_began_us.map_or(0, |began| known.origin_us.saturating_sub(began));
        let stretches = match (&self.phase, self.last) {
            (Some(name), _) => known.phases(name)?,
            (None, Some(last)) => {
                Interval { start_us: end.saturating_sub(last), end_us: end }.into()
            }
            (None, None) => {
                let own = |us: u64| us.saturating_sub(later);
                let (start_us, end_us) =
                    (own(self.from.unwrap_or(0)), self.to.map_or(u64::MAX, own));
                Interval { start_us, end_us: end_us.min(end.max(start_us)) }.into()
            }
        };
        let seconds = |us: u64| format!("{:.3} s", (us + later) as f64 / 1e6);
        if !known.at_us.iter().any(|at_us| stretches.contains(*at_us)) {
            bail!(
                "no sample was taken in {}; the first came after {}, the last after {}",
                self.words().unwrap_or_default(),
                seconds(first),
                seconds(end)
            );
        }
        let lost = known.ticks.saturating_sub(known.timed_ticks);
        if lost != 0 && stretches.hull().start_us < first {
            say(&anyhow!(
                "warning: times are kept from {} on, and {:.1} % of all samples are without; keep more with GMON_OPTIONS=record=MB",
                seconds(first),
                100.0 * lost as f64 / known.ticks as f64
            ));
        }
        Ok(stretches)
    }
}

/// Times that a profile knows.
pub(super) struct Times {
    /// The times of samples, in their order, in microseconds since the run began.
    at_us: Vec<u64>,
    /// Ticks of these, and of all.
    timed_ticks: u64,
    ticks: u64,
    is_of_several_runs: bool,
    /// When the profile began, in microseconds since the system started.
    origin_us: u64,
    /// Phases that the program marked, by their names.
    phases: Vec<(String, Interval)>,
}

impl Times {
    /// Times in full profiles.
    pub(super) fn of_records(records: &FullRecords) -> Self {
        let timeline = records.timeline();
        Self {
            at_us: timeline.samples().map(|sample| sample.at_us).collect(),
            timed_ticks: timeline.weight(),
            ticks: records.nodes().iter().map(|node| node.own.weight).sum(),
            is_of_several_runs: timeline.is_of_several_runs(),
            origin_us: timeline.origin_us(),
            phases: phases(timeline.marks().filter(|mark| !mark.is_moment).map(|mark| {
                let name = String::from_utf8_lossy(&mark.name).into_owned();
                (name, mark.begun_ns, mark.ended_ns)
            })),
        }
    }

    /// Times in an exported profile.
    pub(super) fn of_model(model: &Model) -> Self {
        let timeline = model.timeline.iter();
        Self {
            at_us: timeline.clone().flat_map(Timeline::moments).map(|it| it.at_us).collect(),
            timed_ticks: timeline.clone().map(Timeline::weight).sum(),
            ticks: model.sampling.samples,
            is_of_several_runs: false,
            origin_us: 0,
            phases: phases(timeline.flat_map(|it| &it.marks).filter_map(|mark| {
                let length = mark.length_ns?;
                let end = (!mark.is_open).then_some(mark.at_ns.saturating_add(length));
                Some((mark.name.clone(), mark.at_ns, end))
            })),
        }
    }

    /// The phases of a name.
    fn phases(&self, name: &str) -> Result<Stretches> {
        let intervals = self.phases.iter().filter(|(known, _)| known == name);
        let intervals = intervals.map(|(_, interval)| *interval).collect();
        Stretches::union(intervals).ok_or_else(|| {
            let names: BTreeSet<&str> = self.phases.iter().map(|(name, _)| name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            if names.is_empty() {
                anyhow!(
                    "--phase needs phases, and the program marked none; gmon_begin of gmon.h and gmon_control::phase do"
                )
            } else {
                anyhow!("no phase is called {name}; there are: {}", shortened(&names))
            }
        })
    }

    /// Ticks of all samples.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks
    }
}

/// Phases with their starts and ends in nanoseconds; those without end last.
fn phases(phases: impl Iterator<Item = (String, u64, Option<u64>)>) -> Vec<(String, Interval)> {
    let interval = |(name, begun, ended): (String, u64, Option<u64>)| {
        let end_us = ended.map_or(u64::MAX, |ended| ended / 1000);
        (name, Interval { start_us: begun / 1000, end_us })
    };
    phases.map(interval).collect()
}

/// Names in a row, the first ones of many.
fn shortened(names: &[&str]) -> String {
    const MOST: usize = 20;
    match names.len().checked_sub(MOST) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MOST].join(", ")),
    }
}

/// A time in microseconds: a number of seconds, or one with its unit.
pub(crate) fn microseconds(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 7] = [
        ("us", 1.0),
        ("ms", 1e3),
        ("min", 60e6),
        ("s", 1e6),
        ("m", 60e6),
        ("h", 3600e6),
        ("", 1e6),
    ];
    /// More than any run takes: 100 years.
    const MOST: f64 = 100.0 * 366.0 * 86_400e6;
    let found = UNITS.iter().find_map(|(unit, us)| Some((text.strip_suffix(unit)?, us)));
    let number = found.and_then(|(number, us)| Some(number.trim_end().parse::<f64>().ok()? * us));
    let number = number.filter(|us| (0.0..=MOST).contains(us));
    number.map(|us| us.round() as u64).ok_or_else(|| "must be a time, as 2.5s or 300ms".to_owned())
}

/// A stretch of time, as `2s..3s`; the start or the end of the run where nothing stands before or behind the dots.
pub(crate) fn stretch(text: &str) -> Result<(u64, u64), String> {
    let bad = || "must be two times, as 2s..3.5s".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(bad)?;
    let time = |text: &str, missing| match text {
        "" => Ok(missing),
        text => microseconds(text),
    };
    let (from, to) = (time(from, 0)?, time(to, u64::MAX)?);
    if from < to { Ok((from, to)) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_two_times() {
        for (text, expected) in [
            ("2s..3s", Some((2_000_000, 3_000_000))),
            ("..1", Some((0, 1_000_000))),
            ("500ms..", Some((500_000, u64::MAX))),
            ("3s..2s", None),
            ("2s", None),
            ("2s...3s", None),
        ] {
            assert_eq!(stretch(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, us) in [
            ("2", Some(2_000_000)),
            ("2.5s", Some(2_500_000)),
            ("300ms", Some(300_000)),
            ("7us", Some(7)),
            ("1m", Some(60_000_000)),
            ("2 min", Some(120_000_000)),
            ("1h", Some(3_600_000_000)),
            ("0", Some(0)),
            ("-1", None),
            ("s", None),
            ("", None),
            ("nan", None),
            ("inf", None),
            ("1e30h", None),
            ("3 days", None),
        ] {
            assert_eq!(microseconds(text).ok(), us, "{text}");
        }
    }
}
