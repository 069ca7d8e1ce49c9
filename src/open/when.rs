//! `--from`, `--to` and `--last`: the stretch of time whose samples are looked at.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};
use gmon_analyzer::records::{Interval, Timeline};

use crate::say;

/// A stretch of time as the user wrote it, in microseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct When {
    from: Option<u64>,
    to: Option<u64>,
    last: Option<u64>,
}

/// Advice on samples without times.
const REMEDY: &str = "run the program by gmon run, or with GMON_OPTIONS=record";

impl When {
    /// The options that choose it.
    pub(super) fn arguments() -> [Arg; 3] {
        let option = |name, help| {
            let option = Arg::new(name).long(name).value_name("TIME").help(help);
            option.value_parser(microseconds)
        };
        [
            option("from", "Take only samples from this time of the run on, as 2.5s or 300ms"),
            option("to", "Take only samples before this time of the run"),
            option("last", "Take only samples of so much time before the last one")
                .conflicts_with_all(["from", "to"]),
        ]
    }

    /// Choice in these options.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Self {
        let time = |name| arguments.get_one::<u64>(name).copied();
        Self { from: time("from"), to: time("to"), last: time("last") }
    }

    /// The first option that was given; nothing if all of the time is meant.
    pub(super) fn option(&self) -> Option<&'static str> {
        let options = [(self.from, "--from"), (self.to, "--to"), (self.last, "--last")];
        options.into_iter().find(|(time, _)| time.is_some()).map(|(_, option)| option)
    }

    /// Description of it.
    pub(super) fn words(&self) -> Option<String> {
        let seconds = |us: u64| format!("{} s", us as f64 / 1e6);
        Some(match (self.from, self.to, self.last) {
            (_, _, Some(last)) => format!("the last {}", seconds(last)),
            (Some(from), Some(to), _) => format!("{} to {}", seconds(from), seconds(to)),
            (Some(from), None, _) => format!("{} to the end", seconds(from)),
            (None, Some(to), _) => format!("the start to {}", seconds(to)),
            (None, None, None) => return None,
        })
    }

    /// The interval of a timeline, whose profile has so many ticks altogether.
    ///
    /// # Errors
    ///
    /// There are no times, or no sample of that time.
    pub(super) fn interval(&self, timeline: &Timeline, ticks: u64) -> Result<Interval> {
        let option = self.option().unwrap_or_default();
        if timeline.is_of_several_runs() {
            bail!(
                "{option} needs one run: these profiles are of several, whose clocks have nothing in common"
            );
        }
        if timeline.is_empty() {
            bail!("{option} needs the times of samples, which were not kept; {REMEDY}");
        }
        let (first, end) = (timeline.start_us(), timeline.end_us() + 1);
        let interval = match self.last {
            Some(last) => Interval { start_us: end.saturating_sub(last), end_us: end },
            None => {
                let (start_us, end_us) = (self.from.unwrap_or(0), self.to.unwrap_or(u64::MAX));
                Interval { start_us, end_us: end_us.min(end.max(start_us)) }
            }
        };
        let seconds = |us: u64| format!("{:.3} s", us as f64 / 1e6);
        if !timeline.samples().any(|sample| interval.contains(sample.at_us)) {
            bail!(
                "no sample was taken in {}; the first came after {}, the last after {}",
                self.words().unwrap_or_default(),
                seconds(first),
                seconds(end)
            );
        }
        let lost = ticks.saturating_sub(timeline.weight());
        if lost != 0 && interval.start_us < first {
            say(&anyhow!(
                "warning: times are kept from {} on, and {:.1} % of all samples are without; keep more with GMON_OPTIONS=record=MB",
                seconds(first),
                100.0 * lost as f64 / ticks as f64
            ));
        }
        Ok(interval)
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

#[cfg(test)]
mod tests {
    use super::*;

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
