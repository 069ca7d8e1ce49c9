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

    /// Whether the functions are known. Of others nothing was counted.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }
}

/// Calls or ticks of each thing of a list, by its position. Most looks visit all of them, so they lie close together.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Since the last look.
    pub now: Vec<u64>,
    /// Since the program began, or set its counts to zero.
    pub all: Vec<u64>,
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

impl Tally {
    /// How many things there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Takes so many things.
    pub(super) fn resize(&mut self, len: usize) {
        self.now.resize(len, 0);
        self.all.resize(len, 0);
    }

    /// Begins a look.
    pub(super) fn begin(&mut self) {
        self.now.fill(0);
    }

    pub(super) fn forget(&mut self) {
        self.begin();
        self.all.fill(0);
    }

    /// Adds what has come since the last look.
    pub(super) fn add(&mut self, position: usize, more: u64) {
        self.now[position] = self.now[position].saturating_add(more);
        self.all[position] = self.all[position].saturating_add(more);
    }
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        Self { now: self.now.clone(), all: self.all.clone() }
    }

    /// Uses the memory again.
    fn clone_from(&mut self, other: &Self) {
        self.now.clone_from(&other.now);
        self.all.clone_from(&other.all);
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
