//! The rows of a summary: every function that was called or in which time went, and the time that is no
//! function's, so that all rows together are the CPU time of the processes.

use std::cmp::Ordering;

use gmon_analyzer::Measurement;
use gmon_format::hooks;

use super::apart::{HOOKS, NOT_SAMPLED, PAUSED, is_apart};
use crate::naming::Naming;
use crate::processes::Usage;
use crate::text::harmless;

/// A function, or a place that is none.
pub(super) struct SummaryRow {
    pub(super) name: String,
    /// Samples in the function itself.
    pub(super) own: f64,
    /// Samples in it and in what it called; none if it is no function.
    pub(super) total: Option<f64>,
    pub(super) calls: u64,
}

impl SummaryRow {
    /// The most time first, then the most calls.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.own.total_cmp(&self.own))
            .then_with(|| other.calls.cmp(&self.calls))
            .then_with(|| self.name.cmp(&other.name))
    }

    fn place(name: &str, own: f64) -> Option<Self> {
        (own >= 0.5).then(|| Self { name: name.to_owned(), own, total: None, calls: 0 })
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
    /// The rows of a measurement, of whose processes it may be known what they used.
    pub(super) fn new(measurement: &Measurement, naming: Naming, usage: Option<Usage>) -> Self {
        let graph = measurement.graph();
        let names = measurement.names(naming.style());
        let (mut functions, mut in_hooks, mut own) = (Vec::new(), 0.0, 0.0);
        for id in measurement.program().symbols().ids() {
            let costs = graph.function(id);
            own += costs.time;
            if costs.all_calls() == 0 && hooks::is_of_a_profiler(names.raw(id)) {
                in_hooks += costs.time;
            } else if costs.all_calls() != 0 || costs.time > 0.0 {
                functions.push(SummaryRow {
                    name: harmless(&String::from_utf8_lossy(names.plain(id))).into_owned(),
                    own: costs.time,
                    total: Some(costs.time + costs.child_time),
                    calls: costs.all_calls(),
                });
            }
        }
        functions.sort_by(SummaryRow::cmp);

        let in_program = graph.total_ticks();
        let mut places = vec![SummaryRow::place("[unknown]", in_program - own)];
        match usage.filter(|_| is_time(measurement)) {
            None => places.push(SummaryRow::place(HOOKS, in_hooks)),
            Some(usage) => places.extend(outside(measurement, usage, in_program, in_hooks)),
        }
        Self { functions, places: places.into_iter().flatten().collect() }
    }

    /// The samples of all rows.
    pub(super) fn samples(&self) -> f64 {
        self.functions.iter().chain(&self.places).fold(0.0, |sum, row| sum + row.own)
    }

    /// The samples of the program's own time.
    pub(super) fn own_samples(&self) -> f64 {
        let apart = self.places.iter().filter(|row| is_apart(&row.name));
        apart.fold(self.samples(), |sum, row| sum - row.own)
    }
}

/// Returns `true` if samples stand for time.
fn is_time(measurement: &Measurement) -> bool {
    let sampling = measurement.records().histograms().sampling();
    sampling.is_some_and(|sampling| sampling.abbreviation == b's')
}

/// Usage of the processes outside of the program's functions. `in_program` are the samples that fell into
/// the program, `in_hooks` those of them that fell into its hooks.
fn outside(
    measurement: &Measurement,
    usage: Usage,
    in_program: f64,
    in_hooks: f64,
) -> [Option<SummaryRow>; 3] {
    let rate = measurement.records().histograms().sampling().map_or(0, |sampling| sampling.rate);
    let ticks = |nanoseconds: u64| nanoseconds as f64 / 1e9 * f64::from(rate);
    let samples = usage.samples;
    // Hooks of a library that was preloaded lie outside of the program.
    let preloaded = (samples.hooks as f64 - in_hooks).max(0.0);
    let rest = ticks(usage.cpu.saturating_sub(usage.paused)) - in_program - preloaded;
    let rest_is = match samples.inside + samples.outside {
        0 if in_program == 0.0 => NOT_SAMPLED,
        _ => "[other modules and kernel]",
    };
    [
        SummaryRow::place(HOOKS, in_hooks + preloaded),
        SummaryRow::place(rest_is, rest),
        SummaryRow::place(PAUSED, ticks(usage.paused)),
    ]
}
