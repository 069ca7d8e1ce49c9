//! The rows of a summary: every function that was called or in which time went, and the time that is no
//! function's, so that all rows together are the CPU time of the processes.

use std::cmp::Reverse;

use gmon_analyzer::Model;
use gmon_analyzer::model::{Function, Kind};
use gmon_format::hooks;

use super::apart::{HOOKS, NOT_SAMPLED, PAUSED, is_apart};
use super::subject::Subject;
use crate::processes::Usage;

/// A function, or a place that is none.
pub(super) struct SummaryRow {
    pub(super) name: String,
    /// Nanoseconds in the function itself.
    pub(super) own: u64,
    /// Nanoseconds in it and in what it called; none if it is no function.
    pub(super) total: Option<u64>,
    pub(super) calls: u64,
}

impl SummaryRow {
    fn place(name: &str, own: u64) -> Option<Self> {
        (own > 0).then(|| Self { name: name.to_owned(), own, total: None, calls: 0 })
    }
}

/// All rows.
pub(super) struct Rows {
    /// Functions, the first ones first.
    pub(super) functions: Vec<SummaryRow>,
    /// Time outside of functions.
    pub(super) places: Vec<SummaryRow>,
}

impl Rows {
    /// The rows of a profile, of whose processes it may be known what they used.
    pub(super) fn new(subject: &Subject<'_>) -> Self {
        let model = &subject.model;
        let is_hook = |it: &&Function| {
            it.kind == Kind::Hooks
                || it.calls.is_none() && hooks::is_of_a_profiler(it.name.as_bytes())
        };
        let (in_hooks, others): (Vec<_>, Vec<_>) = model.functions.iter().partition(is_hook);
        let (unknown, functions): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|it| it.kind == Kind::NoSymbol);
        let functions = functions.into_iter().filter(|it| it.calls.is_some() || it.self_ns > 0);
        let row = |function: &Function| SummaryRow {
            name: subject.readable(function),
            own: function.self_ns,
            total: Some(function.total_ns),
            calls: function.calls.unwrap_or(0),
        };
        let mut functions: Vec<_> = functions.map(row).collect();
        functions.sort_by(|a, b| {
            let key = |row: &SummaryRow| Reverse((row.own, row.calls));
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        let sum = |functions: &[&Function]| functions.iter().map(|it| it.self_ns).sum::<u64>();
        let mut places = vec![SummaryRow::place("[unknown]", sum(&unknown))];
        match subject.processes.filter(|_| model.sampling.is_time()) {
            None => places.push(SummaryRow::place(HOOKS, sum(&in_hooks))),
            Some((_, usage)) => places.extend(outside(model, usage, sum(&in_hooks))),
        }
        Self { functions, places: places.into_iter().flatten().collect() }
    }

    /// The time of all rows.
    pub(super) fn time(&self) -> u64 {
        self.functions.iter().chain(&self.places).fold(0, |sum, row| sum.saturating_add(row.own))
    }

    /// The program's own time.
    pub(super) fn own_time(&self) -> u64 {
        let apart = self.places.iter().filter(|row| is_apart(&row.name));
        apart.fold(self.time(), |sum, row| sum.saturating_sub(row.own))
    }
}

/// Usage of the processes outside of the program's functions, `in_hooks` of whose time fell into its hooks.
fn outside(model: &Model, usage: Usage, in_hooks: u64) -> [Option<SummaryRow>; 3] {
    let sampling = &model.sampling;
    let (samples, in_program) = (usage.samples, sampling.time(sampling.samples));
    // Hooks of a library that was preloaded lie outside of the program.
    let preloaded = sampling.time(samples.hooks).saturating_sub(in_hooks);
    let rest = usage.cpu.saturating_sub(usage.paused);
    let rest = rest.saturating_sub(in_program).saturating_sub(preloaded);
    let rest_is = match samples.inside + samples.outside {
        0 if in_program == 0 => NOT_SAMPLED,
        _ => "[other modules and kernel]",
    };
    // What is less than half a sample is rounding.
    let place = |name, own| SummaryRow::place(name, own).filter(|_| own >= sampling.period_ns / 2);
    [
        place(HOOKS, in_hooks.saturating_add(preloaded)),
        place(rest_is, rest),
        place(PAUSED, usage.paused),
    ]
}
