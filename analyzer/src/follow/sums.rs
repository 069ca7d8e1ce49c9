//! Numbers that only grow, and by how much they have grown.

use std::ops::AddAssign;

/// Counts of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Calls.
    pub calls: u64,
    /// Ticks in it, by the rate of the samples.
    pub own: u64,
    /// Ticks in it and in all that it called; 0 without call stacks.
    pub total: u64,
    /// Ticks in which threads waited in it, or in what it called.
    pub waiting: u64,
}

/// A count, and its growth since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Since the last look.
    pub now: Sums,
    /// Since the program began, or set its counts to zero.
    pub all: Sums,
}

/// Two functions, by their positions, of which one called the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The function that called.
    pub caller: u32,
    /// The one that was called.
    pub callee: u32,
}

impl Call {
    /// In place of functions that were not looked up yet, since nothing was counted of them.
    pub(super) const UNKNOWN: Self = Self { caller: u32::MAX, callee: u32::MAX };
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.own = self.own.saturating_add(other.own);
        self.total = self.total.saturating_add(other.total);
        self.waiting = self.waiting.saturating_add(other.waiting);
    }
}

impl Sums {
    /// Growth since `earlier`. Counts that went down were set to zero in between.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            calls: growth(earlier.calls, self.calls),
            own: growth(earlier.own, self.own),
            total: growth(earlier.total, self.total),
            waiting: growth(earlier.waiting, self.waiting),
        }
    }
}

/// Growth of a number. A smaller one began again from zero.
#[must_use]
pub fn growth(before: u64, now: u64) -> u64 {
    now.checked_sub(before).unwrap_or(now)
}

impl Change {
    /// Adds what has come since the last look.
    pub(super) fn add(&mut self, more: Sums) {
        self.now += more;
        self.all += more;
    }

    /// Begins a look.
    pub(super) fn begin(&mut self) {
        self.now = Sums::default();
    }
}

impl AddAssign for Change {
    fn add_assign(&mut self, other: Self) {
        self.now += other.now;
        self.all += other.all;
    }
}
