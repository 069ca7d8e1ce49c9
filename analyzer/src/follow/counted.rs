//! Counts by the positions of things.
//!
//! Each look makes one of its own, so that whoever shows it need not copy it before the next look. It takes the memory of the
//! one before the last, and of that only what has changed since.

use super::sums::{Call, Change, Sums};

/// Calls or ticks of each thing of a list, by its position, as far as the last that has any.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    now: Vec<u64>,
    all: Vec<u64>,
    /// Positions that grew since the last look; empty if there are too many to list.
    touched: Vec<u32>,
    are_many: bool,
}

/// Counts of each function, by its position.
#[derive(Clone, Debug, Default)]
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

/// Counts up to a look.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Counts by function.
    pub functions: Changes,
    /// Calls by [`Follower::calls`](super::Follower::calls).
    pub calls: Tally,
    /// With call stacks: which functions called which, each two once.
    pub pairs: Vec<Call>,
    /// Ticks by pair: those in the function called on the caller's behalf.
    pub times: Tally,
    /// As `times`, but ticks in which threads waited there.
    pub waits: Tally,
}

impl Tally {
    /// Joins counts from before and since.
    #[must_use]
    pub fn new(before: &[u64], since: &[u64]) -> Self {
        let last = Self { all: before.into(), ..Self::default() };
        let mut tally = Self { now: since.into(), are_many: true, ..Self::default() };
        tally.end(&last);
        tally
    }

    /// Since the last look.
    #[must_use]
    pub fn now(&self) -> &[u64] {
        &self.now
    }

    /// Positions that grew since the last look, and by how much.
    pub fn news(&self) -> impl Iterator<Item = (usize, u64)> {
        let all = if self.are_many { 0..self.now.len() } else { 0..0 };
        let listed = if self.are_many { &[][..] } else { &self.touched };
        let positions = listed.iter().map(|position| *position as usize).chain(all);
        let news = positions.map(|position| (position, self.now[position]));
        news.filter(|(_, more)| *more != 0)
    }

    /// Since the program began, or set its counts to zero.
    #[must_use]
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// Adds what has come since the last look.
    #[inline]
    pub(super) fn add(&mut self, position: usize, more: u64) {
        /// With more than one in so many places touched, walks over all of them cost less than a list.
        const FEW: usize = 16;
        if self.now.len() <= position {
            self.now.resize(position + 1, 0);
        }
        let len = self.now.len();
        let now = &mut self.now[position];
        if !self.are_many && *now == 0 && more != 0 {
            self.touched.push(position as u32);
            self.are_many = self.touched.len() > len / FEW;
        }
        *now = now.saturating_add(more);
    }

    /// Growth since the last look, to be changed: of so many things at least.
    pub(super) fn now_mut(&mut self, len: usize) -> &mut [u64] {
        self.are_many = true;
        self.now.resize(len.max(self.now.len()), 0);
        &mut self.now
    }

    /// Begins a look: nothing has come yet.
    fn begin(&mut self) {
        if std::mem::take(&mut self.are_many) {
            self.now.fill(0);
        } else {
            self.touched.iter().for_each(|position| self.now[*position as usize] = 0);
        }
        self.touched.clear();
    }

    /// Ends a look after `last`. This is the one before it, or it once more, but for what has come since.
    fn end(&mut self, last: &Self) {
        self.now.resize(last.all.len().max(self.now.len()), 0);
        if self.are_many || last.are_many {
            let (earlier, new) = self.now.split_at(last.all.len());
            let earlier = earlier.iter().zip(&last.all);
            self.all.clear();
            self.all.extend(earlier.map(|(now, before)| before.saturating_add(*now)));
            self.all.extend(new);
            return;
        }
        self.all.resize(self.now.len(), 0);
        for position in &last.touched {
            self.all[*position as usize] = last.all[*position as usize];
        }
        for position in &self.touched {
            let (all, now) = (&mut self.all[*position as usize], self.now[*position as usize]);
            *all = all.saturating_add(now);
        }
    }
}

impl Changes {
    /// Counts of the thing at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Change {
        let count = |counts: &[u64]| counts.get(position).copied().unwrap_or_default();
        let sums = |counts: fn(&Tally) -> &[u64]| Sums {
            calls: count(counts(&self.calls)),
            own: count(counts(&self.own)),
            total: count(counts(&self.total)),
            waiting: count(counts(&self.waiting)),
        };
        Change { now: sums(|tally| tally.now()), all: sums(|tally| tally.all()) }
    }
}

impl Counted {
    /// Begins a look after `last`: nothing has come yet.
    pub(super) fn begin(&mut self, last: &Self) {
        self.beside(last).into_iter().for_each(|(tally, _)| tally.begin());
        self.pairs.extend(last.pairs.iter().skip(self.pairs.len()));
    }

    /// The pairs, of which nothing was counted yet.
    pub(super) fn without_counts(&self) -> Self {
        Self { pairs: self.pairs.clone(), ..Self::default() }
    }

    /// Ends a look after `last`. This is the one before it, or it once more, but for what has come since.
    pub(super) fn end(&mut self, last: &Self) {
        self.beside(last).into_iter().for_each(|(tally, last)| tally.end(last));
    }

    /// Each tally, beside that of another look.
    fn beside<'c>(&'c mut self, other: &'c Self) -> [(&'c mut Tally, &'c Tally); 7] {
        let Self { functions, calls, times, waits, .. } = self;
        let Changes { calls: of, own, total, waiting } = functions;
        let functions = &other.functions;
        [
            (of, &functions.calls),
            (own, &functions.own),
            (total, &functions.total),
            (waiting, &functions.waiting),
            (calls, &other.calls),
            (times, &other.times),
            (waits, &other.waits),
        ]
    }
}
