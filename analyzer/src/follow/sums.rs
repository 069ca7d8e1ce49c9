//! Numbers that only grow, and by how much they have grown.

use std::ops::AddAssign;

/// What was counted of something.
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

/// What was counted, and how much of that since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Since the last look.
    pub now: Sums,
    /// Since the program began, or set its counts to zero.
    pub all: Sums,
}

/// Calls of one function by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The position of the function that called.
    pub caller: u32,
    /// The position of the one that was called.
    pub callee: u32,
    /// The calls and, with call stacks, the time in the callee on the caller's behalf.
    pub change: Change,
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
    /// What has come since `earlier`. Counts that went down were set to zero in between.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        let since = |now: u64, before: u64| now.checked_sub(before).unwrap_or(now);
        Self {
            calls: since(self.calls, earlier.calls),
            own: since(self.own, earlier.own),
            total: since(self.total, earlier.total),
            waiting: since(self.waiting, earlier.waiting),
        }
    }
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
