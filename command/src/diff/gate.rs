//! `--fail-on`: limits, what became of them, and the exit status.

use std::process::ExitCode;

use anyhow::{Context, Error, anyhow};
use clap::{Arg, ArgAction, ArgMatches};
use gmon_analyzer::diff::{
    ArcChange, Comparison, Counts, Judged, Limit, Metric, RUNS_FOR_TIMES, Reason, Verdict,
};
use gmon_analyzer::numbers::duration;
use gmon_analyzer::records::Figure;

use super::Compared;
use super::words::{calls, percent, probability};
use crate::command_line::option;
use crate::say;
use crate::text::counted;

/// The exit status if a limit is exceeded: 1 is a failure of ours, and 2 is bad usage.
const EXCEEDED: u8 = 3;

/// The limits.
pub(super) struct Gate {
    limits: Vec<Limit>,
    /// Probability that chance alone exceeds a limit.
    level: f64,
}

/// Result of judging a limit.
pub(super) struct Result<'g> {
    pub(super) limit: &'g Limit,
    pub(super) judged: std::result::Result<Judged, Reason>,
}

/// Results of all.
pub(super) struct Outcome<'g> {
    results: Vec<Result<'g>>,
}

impl Gate {
    /// The options.
    pub(super) fn arguments() -> [Arg; 2] {
        [
            option(
                "fail-on",
                "LIMIT",
                "End with status 3 if a change is beyond LIMIT, such as calls:+0 or self:+5%; may be repeated",
            )
            .action(ArgAction::Append)
            .allow_hyphen_values(true),
            option("alpha", "P", "How often chance alone may exceed a limit [default: 0.01]")
                .value_parser(level),
        ]
    }

    /// The limits that the options ask for.
    ///
    /// # Errors
    ///
    /// A limit makes no sense.
    pub(super) fn asked_for(arguments: &ArgMatches) -> anyhow::Result<Self> {
        let words = arguments.get_many::<String>("fail-on").into_iter().flatten();
        let limit = |text: &String| {
            text.parse().map_err(Error::msg).with_context(|| format!("--fail-on {text}"))
        };
        let limits = words.map(limit).collect::<anyhow::Result<_>>()?;
        Ok(Self { limits, level: arguments.get_one("alpha").copied().unwrap_or(0.01) })
    }

    /// Returns `true` if there are no limits.
    pub(super) fn is_open(&self) -> bool {
        self.limits.is_empty()
    }

    /// Judges all.
    pub(super) fn judge(&self, comparison: &Comparison) -> Outcome<'_> {
        let judge = |limit| {
            let judged = Limit::judge(limit, comparison, self.level);
            Result { limit, judged }
        };
        Outcome { results: self.limits.iter().map(judge).collect() }
    }
}

fn level(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "a probability between 0 and 1 is expected".to_owned())
}

impl Outcome<'_> {
    /// Results of the limits.
    pub(super) fn results(&self) -> &[Result<'_>] {
        &self.results
    }

    /// Results of all, in lines: what is beyond a limit first.
    pub(super) fn lines(&self, compared: &Compared) -> Vec<String> {
        let mut lines = self.failures(compared);
        for Result { limit, judged } in &self.results {
            match judged {
                Err(reason) => lines.push(format!("NOT JUDGED {limit}: {reason}")),
                Ok(judged) if judged.exceeded.is_empty() => {
                    lines.push(format!("kept {limit}: {}", extent(limit, judged)));
                }
                Ok(_) => {}
            }
        }
        lines
    }

    /// Things beyond a limit.
    fn failures(&self, compared: &Compared) -> Vec<String> {
        /// Of each limit.
        const MOST: usize = 20;
        let mut lines = Vec::new();
        for Result { limit, judged } in &self.results {
            let Ok(judged) = judged else { continue };
            for verdict in judged.exceeded.iter().take(MOST) {
                let what = match verdict {
                    Verdict::Function(number) => of_function(compared, limit.metric(), *number),
                    Verdict::Arc(number) => of_arc(compared, *number),
                };
                lines.push(format!("EXCEEDED {limit}: {what}"));
            }
            if let Some(more @ 1..) = judged.exceeded.len().checked_sub(MOST) {
                lines.push(format!("EXCEEDED {limit}: {more} more"));
            }
        }
        lines
    }

    /// Says on the standard error stream what is beyond a limit, unless it was shown already, and what could not
    /// be judged.
    pub(super) fn complain(&self, compared: &Compared, is_shown: bool) {
        if !is_shown {
            self.failures(compared).into_iter().for_each(|line| say(&anyhow!(line)));
        }
        for Result { limit, judged } in &self.results {
            if let Err(reason) = judged {
                say(&anyhow!("--fail-on {limit}: {reason}"));
            }
        }
    }

    /// 3 if a limit is exceeded, 1 if one could not be judged, else 0.
    pub(super) fn exit_code(&self) -> ExitCode {
        let is_exceeded =
            |it: &Result<'_>| it.judged.as_ref().is_ok_and(|it| !it.exceeded.is_empty());
        match () {
            () if self.results.iter().any(is_exceeded) => ExitCode::from(EXCEEDED),
            () if self.results.iter().any(|it| it.judged.is_err()) => ExitCode::FAILURE,
            () => ExitCode::SUCCESS,
        }
    }
}

/// Extent of a limit that is kept.
fn extent(limit: &Limit, judged: &Judged) -> String {
    let varying = match judged.varying {
        0 => String::new(),
        1 => ", 1 count varies from run to run".to_owned(),
        number => format!(", {} vary from run to run", counted(number as u64, "count")),
    };
    let unknown = match judged.unknown {
        0 => String::new(),
        number => format!(", {} counted on one side only", counted(number as u64, limit.noun())),
    };
    let number = counted(judged.judged as u64, limit.noun());
    format!("{number} judged{varying}{unknown}")
}

/// A function that is beyond a limit, with those of its callers whose calls changed.
fn of_function(compared: &Compared, metric: Metric, number: usize) -> String {
    let comparison = &compared.comparison;
    let function = &comparison.functions[number];
    let (name, place) = compared.name(function);
    let name = format!("{name}{place}");
    let times = match metric {
        Metric::Calls => {
            let Some(counts) = &function.calls else { return name };
            let of = |arc: &&ArcChange| arc.callee as usize == number && arc.calls.differ(1.0);
            let mut by: Vec<String> = comparison
                .arcs
                .iter()
                .filter(of)
                .take(6)
                .map(|arc| format!("by {} {}", compared.caller(arc), change(&arc.calls)))
                .collect();
            if by.len() > 5 {
                by[5] = "…".to_owned();
            }
            let by = if by.is_empty() { String::new() } else { format!("; {}", by.join(", ")) };
            return format!("{name} was called {}{by}", change(counts));
        }
        Metric::Samples => {
            let sum = |runs: &[u64]| runs.iter().sum::<u64>();
            let (base, new) = (sum(&function.own.base), sum(&function.own.new));
            return format!("{name} has {base} → {new} samples");
        }
        Metric::Call(figure) => {
            return format!(
                "{figure} of {name} {}",
                growth(compared, figure, number),
                figure = figure.name()
            );
        }
        Metric::Total => function.total.as_ref().unwrap_or(&function.own),
        Metric::Own => &function.own,
    };
    let [base, new] = times.per_run_ns.map(|ns| compared.seconds(ns));
    let [low, high] = times.interval_ns.map(|ns| compared.change(ns));
    let holm = probability(times.holm.unwrap_or(1.0));
    let percent = percent(times);
    format!(
        "{name} takes {base} → {new} {} ({percent} %; {low} … {high}; p {holm} after Holm)",
        compared.unit()
    )
}

/// The change of a figure of the times of a function's calls, as the table has it, and that of a run, which is judged.
fn growth(compared: &Compared, figure: Figure, number: usize) -> String {
    let comparison = &compared.comparison;
    let growth = comparison.growth(number, figure, RUNS_FOR_TIMES);
    let times = comparison.call_times.iter().find(|it| it.function as usize == number);
    let (Some(growth), Some([Some(base), Some(new)])) = (growth, times.map(|it| it.figure(figure)))
    else {
        return String::new();
    };
    let percent = |part: f64| format!("{:+.1}", 100.0 * part);
    let [low, high] = growth.interval_ns.map(|ns| percent(ns / growth.sides_ns[0].max(1.0)));
    let [base, new] = [base, new].map(|ns| ns as f64);
    format!(
        "takes {} → {} ({} %); a run {low} … {high} % (p {})",
        duration(base / 1e9),
        duration(new / 1e9),
        percent(new / base.max(1.0) - 1.0),
        probability(growth.p)
    )
}

fn of_arc(compared: &Compared, number: usize) -> String {
    let arc = &compared.comparison.arcs[number];
    let callee = &compared.comparison.functions[arc.callee as usize];
    format!("{} calls {} {}", compared.caller(arc), callee.display, change(&arc.calls))
}

fn change(counts: &Counts) -> String {
    let [base, new, change] = calls(counts);
    format!("{base} → {new} times ({change})")
}
