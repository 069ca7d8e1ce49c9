//! Style of measured times.

use gmon_analyzer::analysis::stacks::{Precision, StackCosts};
use gmon_analyzer::model::Sampling;
use gmon_analyzer::numbers::{duration, places};
use gmon_analyzer::records::Looks;
use gmon_analyzer::table::{Cell, Column, Unit};

/// Meaning of a tick of the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Ticks in each second.
    rate: u32,
    /// Places behind the point that show a tick.
    places: usize,
}

/// A measured time with its error, as text.
#[derive(Debug)]
pub(super) struct Amount {
    /// Seconds, or the most that they can be, behind `<`.
    pub(super) time: String,
    /// Text behind ±; nothing where there is only a bound.
    pub(super) error: String,
    /// The seconds that `time` tells, and those that were measured.
    seconds: f64,
    measured: f64,
    is_bound: bool,
}

/// The columns of a measured time: all of it, or, by the clock on the wall, what threads ran and what they waited;
/// then its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeColumns {
    pub(super) clock: Clock,
    /// True if waits were sampled.
    pub(super) has_waits: bool,
    /// The width of a time.
    pub(super) time: usize,
    /// The width of an error; 0 for none.
    pub(super) error: usize,
}

impl TimeColumns {
    /// The columns; the name of that of all time is given.
    pub(super) fn columns(self, all: &'static str) -> Vec<Column> {
        let times = if self.has_waits { &["running", "waiting"][..] } else { &[all] };
        let times = times.iter().map(|name| Column::number(name, Unit::Time, self.time));
        let error = Column::number("half_interval", Unit::Time, self.error).headed("±");
        times.chain((self.error != 0).then_some(error)).collect()
    }

    /// The cells of samples.
    pub(super) fn of(self, looks: Looks, costs: &StackCosts) -> Vec<Cell> {
        let amount = self.clock.amount(looks, costs.precision());
        let said = |ticks: u64, words: String| Cell::Said(Some(self.clock.ns(ticks as f64)), words);
        let time = |ticks: u64| said(ticks, self.clock.time(ticks as f64));
        let mut cells = match (self.has_waits, amount.is_bound, looks.running() >= looks.waiting) {
            (false, ..) => vec![said(looks.weight, amount.time)],
            (true, false, _) => vec![time(looks.running()), time(looks.waiting)],
            // A bound is of both; people see it where most of the time is.
            (true, true, true) => {
                vec![said(looks.running(), amount.time), said(looks.waiting, "-".to_owned())]
            }
            (true, true, false) => {
                vec![said(looks.running(), "-".to_owned()), said(looks.waiting, amount.time)]
            }
        };
        if self.error != 0 {
            let half = costs.precision().interval(looks).half_width();
            let half = (!amount.error.is_empty()).then(|| self.clock.ns(half));
            cells.push(half.map_or(Cell::Unknown, |half| Cell::Said(Some(half), amount.error)));
        }
        cells
    }

    /// The cells of samples, without their errors.
    pub(super) fn plain(self, looks: Looks) -> Vec<Cell> {
        let time = |ticks: u64| self.clock.cell(ticks);
        match self.has_waits {
            false => vec![time(looks.weight)],
            true => vec![time(looks.running()), time(looks.waiting)],
        }
    }

    /// The cells where a time would say nothing.
    pub(super) fn none(self) -> Vec<Cell> {
        let times = vec![Cell::dash(); if self.has_waits { 2 } else { 1 }];
        times.into_iter().chain((self.error != 0).then_some(Cell::Unknown)).collect()
    }
}

/// The cells of a name that stands the more to the right the deeper it is.
pub(super) fn at_depth(depth: usize, mut name: Vec<Cell>) -> Vec<Cell> {
    if let Cell::Name(forms) = &mut name[0] {
        name[0] = Cell::Branch(depth, std::mem::take(forms));
    }
    name
}

impl Clock {
    /// The clock of samples.
    pub(super) fn new(sampling: &Sampling) -> Self {
        Self::of_rate(sampling.rate_hz)
    }

    /// A clock of so many ticks in each second.
    fn of_rate(rate: u32) -> Self {
        Self { rate, places: places(rate) }
    }

    /// Ticks as seconds.
    pub(super) fn seconds(self, ticks: f64) -> f64 {
        if self.rate == 0 { 0.0 } else { ticks / f64::from(self.rate) }
    }

    /// As many ticks as these nanoseconds have.
    pub(super) fn ticks(self, nanoseconds: u64) -> u64 {
        let ticks = u128::from(nanoseconds) * u128::from(self.rate) / 1_000_000_000;
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }

    /// Seconds with as many places as the clock has.
    pub(super) fn time(self, ticks: f64) -> String {
        format!("{:.*}", self.places, self.seconds(ticks))
    }

    /// Ticks as nanoseconds.
    pub(super) fn ns(self, ticks: f64) -> f64 {
        (self.seconds(ticks) * 1e9).round()
    }

    /// The cell of a time.
    pub(super) fn cell(self, ticks: u64) -> Cell {
        Cell::Said(Some(self.ns(ticks as f64)), self.time(ticks as f64))
    }

    /// The cell of nanoseconds.
    pub(super) fn cell_of(self, nanoseconds: f64) -> Cell {
        Cell::Said(Some(nanoseconds), self.time_of(nanoseconds))
    }

    /// Nanoseconds as [`time`](Self::time).
    pub(super) fn time_of(self, nanoseconds: f64) -> String {
        format!("{:.*}", self.places, nanoseconds / 1e9)
    }

    /// Samples as a time and its error.
    pub(super) fn amount(self, looks: Looks, precision: &Precision) -> Amount {
        let interval = precision.interval(looks);
        let ticks = looks.weight as f64;
        let measured = self.seconds(ticks);
        if precision.is_known() && precision.is_bound(looks) {
            let time = format!("<{}", self.time(interval.high));
            let seconds = self.seconds(interval.high);
            return Amount { time, error: String::new(), seconds, measured, is_bound: true };
        }
        let error = precision.is_known().then(|| self.time(interval.half_width()));
        let (time, error) = (self.time(ticks), error.unwrap_or_default());
        Amount { time, error, seconds: measured, measured, is_bound: false }
    }
}

impl Amount {
    /// The time of each of so many calls; a dash if they were not counted.
    pub(super) fn per_call(&self, calls: Option<u64>) -> Cell {
        let Some(calls) = calls.filter(|calls| *calls > 0) else { return Cell::dash() };
        let [shown, measured] = [self.seconds, self.measured].map(|time| time / calls as f64);
        let bound = if self.is_bound { "<" } else { "" };
        Cell::Said(Some((measured * 1e12).round() / 1e3), format!("{bound}{}", duration(shown)))
    }

    /// [`per_call`](Self::per_call) of the hooks of so many calls; a dash also if it is more than any hook takes: then
    /// most of the time is not theirs.
    pub(super) fn per_hook(&self, calls: Option<u64>) -> Cell {
        const MOST: f64 = 5e-6;
        self.per_call(calls.filter(|calls| self.seconds <= MOST * *calls as f64))
    }
}

/// Part of a whole, in percent.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_take_no_milliseconds() {
        let amount = |seconds| Amount {
            time: String::new(),
            error: String::new(),
            seconds,
            measured: seconds,
            is_bound: false,
        };
        assert_eq!(amount(0.05).per_hook(Some(1)), Cell::dash());
        assert_eq!(amount(0.05).per_hook(None), Cell::dash());
        let hook = amount(0.05).per_hook(Some(5_000_000));
        assert_eq!(hook, Cell::Said(Some(10.0), "10.0 ns".to_owned()));
    }

    #[test]
    fn a_bound_is_for_people_and_files_have_what_was_measured() {
        let (time, error) = ("<0.04".to_owned(), String::new());
        let amount = Amount { time, error, seconds: 0.04, measured: 0.01, is_bound: true };
        let each = Cell::Said(Some(2_500_000.0), "<10.0 ms".to_owned());
        assert_eq!(amount.per_call(Some(4)), each);
    }

    #[test]
    fn waits_have_a_column_where_they_were_sampled() {
        let clock = Clock::of_rate(100);
        let names = |columns: TimeColumns| {
            columns.columns("total").iter().map(Column::key).collect::<Vec<_>>()
        };
        let columns = TimeColumns { clock, has_waits: false, time: 8, error: 6 };
        assert_eq!(names(columns), ["total_ns", "half_interval_ns"]);
        assert_eq!(columns.none(), [Cell::dash(), Cell::Unknown]);
        let columns = TimeColumns { has_waits: true, error: 0, ..columns };
        assert_eq!(names(columns), ["running_ns", "waiting_ns"]);
        assert_eq!(columns.none(), [Cell::dash(), Cell::dash()]);
    }
}
