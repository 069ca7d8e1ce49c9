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

/// Calls or ticks of each thing of a list, by its position, as far as the last that has any. Most looks visit all of them, so
/// they lie close together.
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
        Self {
            calls: growth(earlier.calls, self.calls),
            own: growth(earlier.own, self.own),
            total: growth(earlier.total, self.total),
            waiting: growth(earlier.waiting, self.waiting),
        }
    }
}

/// By how much a number has grown. One that is smaller began again from zero.
#[must_use]
pub fn growth(before: u64, now: u64) -> u64 {
    now.checked_sub(before).unwrap_or(now)
}

/// What was counted of each thing of a list, by its position.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Calls.
    pub calls: Tally,
    /// Ticks in it.
    pub own: Tally,
    /// Ticks in it and in all that it called.
    pub total: Tally,
    /// Ticks in which threads waited in it, or in what it called.
    pub waiting: Tally,
}

impl Tally {
    /// Takes so many things.
    fn resize(&mut self, len: usize) {
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
        if self.now.len() <= position {
            self.resize(position + 1);
        }
        self.now[position] = self.now[position].saturating_add(more);
    }

    /// Ends a look: what has come counts for all, too.
    pub(super) fn end(&mut self) {
        let both = self.all.iter_mut().zip(&self.now);
        both.for_each(|(all, now)| *all = all.saturating_add(*now));
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

impl Changes {
    /// What was counted of the thing at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Change {
        let count = |counts: &[u64]| counts.get(position).copied().unwrap_or_default();
        let sums = |counts: fn(&Tally) -> &[u64]| Sums {
            calls: count(counts(&self.calls)),
            own: count(counts(&self.own)),
            total: count(counts(&self.total)),
            waiting: count(counts(&self.waiting)),
        };
        Change { now: sums(|tally| &tally.now), all: sums(|tally| &tally.all) }
    }

    /// Begins a look.
    pub(super) fn begin(&mut self) {
        self.tallies().for_each(Tally::begin);
    }

    /// Ends a look.
    pub(super) fn end(&mut self) {
        self.tallies().for_each(Tally::end);
    }

    pub(super) fn forget(&mut self) {
        self.tallies().for_each(Tally::forget);
    }

    fn tallies(&mut self) -> impl Iterator<Item = &mut Tally> {
        [&mut self.calls, &mut self.own, &mut self.total, &mut self.waiting].into_iter()
    }
}

impl Clone for Changes {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    /// Uses the memory again.
    fn clone_from(&mut self, other: &Self) {
        let others = [&other.calls, &other.own, &other.total, &other.waiting];
        self.tallies().zip(others).for_each(|(tally, other)| tally.clone_from(other));
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
