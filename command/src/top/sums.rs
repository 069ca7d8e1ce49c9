//! The numbers that add up to a row, and by which rows are ordered.

use std::cmp::Ordering;

use gmon_analyzer::follow::{Change, Changes, Sums, Tally};

use super::picture::Process;
use crate::text::grouped;

/// Relation of a function to the one that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    Caller,
    /// That function itself, or none is looked at.
    #[default]
    Itself,
    Callee,
}

/// Calls and seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Amounts {
    pub(super) calls: f64,
    pub(super) own: f64,
    pub(super) total: f64,
    pub(super) waiting: f64,
}

impl Amounts {
    pub(super) fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.own += other.own;
        self.total += other.total;
        self.waiting += other.waiting;
    }

    /// Calls as text; `-` where none were counted, as of code without hooks.
    pub(super) fn counted_calls(&self) -> String {
        if self.calls < 1.0 { "-".to_owned() } else { grouped(self.calls as u64) }
    }
}

/// Sums that a row is made of.
#[derive(Debug)]
pub(super) struct Sum {
    pub(super) subject: u32,
    pub(super) relation: Relation,
    pub(super) now: Amounts,
    pub(super) all: Amounts,
    /// Part of a processor that each process took.
    pub(super) each: Vec<f64>,
}

/// Orders of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    OwnNow,
    TotalNow,
    CallsNow,
    Own,
    Total,
    Calls,
    Name,
}

impl Sort {
    pub(super) const ALL: [Self; 7] = [
        Self::OwnNow,
        Self::TotalNow,
        Self::CallsNow,
        Self::Own,
        Self::Total,
        Self::Calls,
        Self::Name,
    ];

    /// The next one.
    pub(super) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::OwnNow => "self now",
            Self::TotalNow => "total now",
            Self::CallsNow => "calls now",
            Self::Own => "self",
            Self::Total => "total",
            Self::Calls => "calls",
            Self::Name => "name",
        }
    }

    /// The numbers that order rows, the first one first. Calls have no time of their own, so the time of the function called
    /// orders them.
    pub(super) fn numbers(self) -> &'static [Number] {
        use Number::{Calls, CallsNow, Own, OwnNow, Total, TotalNow};
        match self {
            Self::OwnNow => &[OwnNow, TotalNow, Own, Calls],
            Self::TotalNow => &[TotalNow, OwnNow, Total, Calls],
            Self::CallsNow => &[CallsNow, OwnNow, Calls, Own],
            Self::Own => &[Own, Total, Calls],
            Self::Total => &[Total, Own, Calls],
            Self::Calls => &[Calls, Own, Total],
            Self::Name => &[],
        }
    }

    pub(super) fn compare(self, a: &Sum, b: &Sum) -> Ordering {
        let by = |number: &Number| number.of(b.now, b.all).total_cmp(&number.of(a.now, a.all));
        let by_numbers = self.numbers().iter().map(by).find(|order| order.is_ne());
        let order = a.relation.cmp(&b.relation).then(by_numbers.unwrap_or(Ordering::Equal));
        // Subjects are numbered by their names.
        order.then_with(|| a.subject.cmp(&b.subject))
    }
}

/// A number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    OwnNow,
    TotalNow,
    CallsNow,
    Own,
    Total,
    Calls,
}

impl Number {
    /// The number among all that there are.
    pub(super) fn of(self, now: Amounts, all: Amounts) -> f64 {
        match self {
            Self::OwnNow => now.own,
            Self::TotalNow => now.total,
            Self::CallsNow => now.calls,
            Self::Own => all.own,
            Self::Total => all.total,
            Self::Calls => all.calls,
        }
    }

    /// The counts behind the number, by function.
    pub(super) fn tally(self, changes: &Changes) -> &Tally {
        match self {
            Self::OwnNow | Self::Own => &changes.own,
            Self::TotalNow | Self::Total => &changes.total,
            Self::CallsNow | Self::Calls => &changes.calls,
        }
    }

    /// Returns `true` if it is of all the time that the program runs.
    pub(super) fn is_of_all(self) -> bool {
        matches!(self, Self::Own | Self::Total | Self::Calls)
    }

    /// Meaning of a count.
    pub(super) fn amount(self, count: u64, scale: Scale) -> f64 {
        let amount = match self {
            Self::CallsNow | Self::Calls => count as f64,
            _ => scale.seconds(count),
        };
        if self.is_of_all() { amount } else { amount * scale.each_second }
    }
}

/// Meaning of the counts of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    rate: f64,
    /// Factor that makes an amount of the time since the last look one of a second.
    each_second: f64,
}

impl Scale {
    pub(super) fn of(process: &Process) -> Self {
        let seconds = process.elapsed.as_secs_f64();
        let each_second = if seconds > 0.0 { 1.0 / seconds } else { 0.0 };
        Self { rate: process.rate.max(1).into(), each_second }
    }

    fn seconds(self, ticks: u64) -> f64 {
        ticks as f64 / self.rate
    }

    /// Amounts of a change: for each second since the last look, and in all.
    pub(super) fn of_change(self, Change { now, all }: Change) -> [Amounts; 2] {
        [self.amounts(now, self.each_second), self.amounts(all, 1.0)]
    }

    fn amounts(self, sums: Sums, factor: f64) -> Amounts {
        Amounts {
            calls: sums.calls as f64 * factor,
            own: self.seconds(sums.own) * factor,
            total: self.seconds(sums.total) * factor,
            waiting: self.seconds(sums.waiting) * factor,
        }
    }
}
