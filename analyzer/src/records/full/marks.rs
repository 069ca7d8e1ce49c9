//! Marks of programs, and stretches in which their threads did not run.

use gmon_format::live::{self, GapKind};
use serde::{Deserialize, Serialize};

use super::parts::{CodePlace, ThreadId};

/// A moment or a phase that the program marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMark {
    /// When it began, in nanoseconds since the system started.
    pub begun_ns: u64,
    /// When it ended; `None` for a phase that had not when the profile was written.
    pub ended_ns: Option<u64>,
    /// True if it is a moment, which has no length.
    pub is_moment: bool,
    /// The thread that marked it.
    pub thread: ThreadId,
    /// Its name.
    pub name: Vec<u8>,
}

/// A timed call that took long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedCall {
    /// A place in the function.
    pub function: CodePlace,
    /// The thread.
    pub thread: ThreadId,
    /// When it began, in nanoseconds since the system started.
    pub begun_ns: u64,
    /// When it ended.
    pub ended_ns: u64,
}

/// A stretch in which a thread ran on no processor. The first of a thread says from when on they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedGap {
    /// Its start, in microseconds since the system started.
    pub begun_us: u64,
    /// Its end.
    pub ended_us: u64,
    /// The thread.
    pub thread: ThreadId,
    /// Knowledge of it.
    pub kind: GapKind,
}

/// A stretch of time, from its start to before its end, in microseconds since the first process of a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Its start.
    pub start_us: u64,
    /// Its end.
    pub end_us: u64,
}

/// Stretches of time, at least one, which do not touch, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretches(Vec<Interval>);

impl Interval {
    /// Returns `true` if a time is in it.
    #[must_use]
    pub fn contains(self, at_us: u64) -> bool {
        (self.start_us..self.end_us).contains(&at_us)
    }

    /// Its length, in microseconds.
    #[must_use]
    pub fn len_us(self) -> u64 {
        self.end_us.saturating_sub(self.start_us)
    }
}

impl From<Interval> for Stretches {
    fn from(interval: Interval) -> Self {
        Self(vec![interval])
    }
}

impl Stretches {
    /// The time that is in any of these intervals; `None` if there are none.
    #[must_use]
    pub fn union(mut intervals: Vec<Interval>) -> Option<Self> {
        intervals.sort_unstable_by_key(|it| it.start_us);
        let mut union: Vec<Interval> = Vec::new();
        for interval in intervals {
            match union.last_mut().filter(|last| interval.start_us <= last.end_us) {
                Some(last) => last.end_us = last.end_us.max(interval.end_us),
                None => union.push(interval),
            }
        }
        (!union.is_empty()).then_some(Self(union))
    }

    /// The stretches.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.0
    }

    /// From the start of the first to the end of the last.
    #[must_use]
    pub fn hull(&self) -> Interval {
        let start_us = self.0.first().map_or(0, |it| it.start_us);
        let end_us = self.0.last().map_or(0, |it| it.end_us);
        Interval { start_us, end_us }
    }

    /// Returns `true` if a time is in one of them.
    #[must_use]
    pub fn contains(&self, at_us: u64) -> bool {
        let after = self.0.partition_point(|it| it.start_us <= at_us);
        after.checked_sub(1).is_some_and(|last| self.0[last].contains(at_us))
    }

    /// Their length together, in microseconds.
    #[must_use]
    pub fn len_us(&self) -> u64 {
        self.0.iter().map(|it| it.len_us()).sum()
    }
}

impl TimedMark {
    /// A mark of a process, whose profile began then, in nanoseconds since the system started.
    pub(super) fn of(mark: &live::Mark, thread: ThreadId, origin_ns: u64) -> Self {
        Self {
            begun_ns: origin_ns.saturating_add(mark.begun_ns),
            ended_ns: mark.ended_ns.map(|ended| origin_ns.saturating_add(ended)),
            is_moment: mark.is_moment,
            thread,
            name: mark.name().to_vec(),
        }
    }

    pub(super) fn since(self, origin_ns: u64) -> Self {
        Self {
            begun_ns: self.begun_ns.saturating_sub(origin_ns),
            ended_ns: self.ended_ns.map(|ended| ended.saturating_sub(origin_ns)),
            ..self
        }
    }
}

impl TimedGap {
    /// A gap of a process, whose profile began then, in microseconds since the system started.
    pub(super) fn of(gap: live::Gap, thread: ThreadId, origin_us: u64) -> Self {
        let live::Gap { begun_us, ended_us, kind, .. } = gap;
        let [begun_us, ended_us] = [begun_us, ended_us].map(|us| origin_us.saturating_add(us));
        Self { begun_us, ended_us, thread, kind }
    }

    pub(super) fn since(self, origin_us: u64) -> Self {
        let [begun_us, ended_us] =
            [self.begun_us, self.ended_us].map(|us| us.saturating_sub(origin_us));
        Self { begun_us, ended_us, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(start_us: u64, end_us: u64) -> Interval {
        Interval { start_us, end_us }
    }

    #[test]
    fn stretches_are_the_union_of_intervals() {
        let union = Stretches::union(vec![
            interval(10, 20),
            interval(40, 50),
            interval(15, 30),
            interval(12, 13),
            interval(30, 31),
        ]);
        let union = union.expect("some");
        assert_eq!(union.intervals(), [interval(10, 31), interval(40, 50)]);
        assert_eq!((union.hull(), union.len_us()), (interval(10, 50), 31));
        for at in 0..60 {
            assert_eq!(
                union.contains(at),
                (10..31).contains(&at) || (40..50).contains(&at),
                "{at}"
            );
        }
        assert_eq!(Stretches::union(Vec::new()), None);
    }
}
