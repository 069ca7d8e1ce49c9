//! The states of threads over time: running, runnable, waiting.

use std::ops::Range;

use gmon_format::live::GapKind;
use serde::{Deserialize, Serialize};

use super::ids::ThreadId;
use super::timeline::Moment;
use crate::records::{Interval, TimedGap};

/// State of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// On a processor.
    Running,
    /// Able to run, but others had the processors.
    Runnable,
    /// Waiting for something. Where only samples tell, it may have been runnable instead.
    Waiting,
    /// Nothing is known.
    Unknown,
}

/// The states of a thread over time. It ran between its gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadStates {
    /// The thread.
    pub thread: ThreadId,
    /// From when on they are known, in microseconds since the run began.
    pub from_us: u64,
    /// Until when.
    pub to_us: u64,
    /// Microseconds that it ran before each gap.
    pub steps_us: Vec<u64>,
    /// Lengths of the gaps, in microseconds. In those that the two lists below do not name it waited.
    pub lengths_us: Vec<u64>,
    /// Positions of the gaps in which it was runnable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runnable: Vec<u32>,
    /// Positions of those of which nothing is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<u32>,
    /// True if only samples tell: times between them in which the clock of the thread stood still are waits, runnable or not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_samples: bool,
}

impl ThreadStates {
    fn new(thread: ThreadId, known: Range<u64>, from_samples: bool) -> Self {
        let (from_us, to_us) = (known.start, known.end.max(known.start));
        Self { thread, from_us, to_us, from_samples, ..Self::default() }
    }

    /// The states of a thread with these gaps, by their starts, until a time. `None` without any.
    pub(super) fn of_gaps(
        thread: ThreadId,
        gaps: impl Iterator<Item = TimedGap>,
        end_us: u64,
    ) -> Option<Self> {
        let mut gaps = gaps.peekable();
        let first = gaps.peek()?.begun_us;
        let mut states = Self::new(thread, first..end_us, false);
        let mut at = first;
        for gap in gaps {
            let state = match gap.kind {
                GapKind::Waiting => State::Waiting,
                GapKind::Runnable => State::Runnable,
                GapKind::Unknown => State::Unknown,
            };
            states.push(&mut at, gap.begun_us..gap.ended_us, state);
        }
        states.to_us = states.to_us.max(at);
        Some(states)
    }

    /// The states of a thread that had samples at these times, and lived so long.
    pub(super) fn of_moments(
        thread: ThreadId,
        moments: impl Iterator<Item = (Moment, u64)>,
        life: Range<u64>,
        longest_gap: u64,
    ) -> Self {
        let mut states = Self::new(thread, life.clone(), true);
        // Until when it is decided, and until when there are samples.
        let (mut at, mut seen) = (life.start, life.start);
        for (moment, length) in moments {
            let end = moment.at_us.max(seen);
            let start = end.saturating_sub(length).max(seen);
            if start - seen > longest_gap {
                states.push(&mut at, seen..start, State::Waiting);
            }
            if moment.waits {
                states.push(&mut at, start..end, State::Waiting);
            }
            seen = end;
        }
        if life.end.saturating_sub(seen) > longest_gap {
            states.push(&mut at, seen..life.end, State::Waiting);
        }
        states.to_us = states.to_us.max(seen);
        states
    }

    /// Adds a gap behind the others, which end at a time.
    fn push(&mut self, at: &mut u64, gap: Range<u64>, state: State) {
        let start = gap.start.max(*at);
        let Some(length) = gap.end.checked_sub(start) else { return };
        let place = self.lengths_us.len() as u32;
        let last = place.checked_sub(1).map(|last| self.state_of(last));
        if let Some(length_before) = self.lengths_us.last_mut() {
            if start == *at && last == Some(state) {
                *length_before += length;
                *at = gap.end;
                return;
            }
        }
        self.steps_us.push(start - *at);
        self.lengths_us.push(length);
        match state {
            State::Runnable => self.runnable.push(place),
            State::Unknown => self.unknown.push(place),
            State::Waiting | State::Running => {}
        }
        *at = gap.end;
    }

    fn state_of(&self, place: u32) -> State {
        match place {
            it if self.runnable.binary_search(&it).is_ok() => State::Runnable,
            it if self.unknown.binary_search(&it).is_ok() => State::Unknown,
            _ => State::Waiting,
        }
    }

    /// All of its time, in order: stretches, in microseconds since the run began, and the state in each.
    pub fn stretches(&self) -> impl Iterator<Item = (Range<u64>, State)> + '_ {
        let mut at = self.from_us;
        let steps = self.steps_us.iter().zip(&self.lengths_us);
        let gaps = (0..).zip(steps).flat_map(move |(place, (step, length))| {
            let start = at.saturating_add(*step);
            let end = start.saturating_add(*length);
            let ran = (at..start, State::Running);
            at = end;
            [ran, (start..end, self.state_of(place))]
        });
        let gone: u64 = self.steps_us.iter().chain(&self.lengths_us).sum();
        let tail = (self.from_us + gone..self.to_us, State::Running);
        gaps.chain([tail]).filter(|(time, _)| !time.is_empty())
    }

    /// Microseconds in a state, in parts of the run, which are apart; in all of it if there are none.
    #[must_use]
    pub fn sum(&self, state: State, parts: &[Interval]) -> u64 {
        let of_state = self.stretches().filter(|(_, its)| *its == state);
        let within = |time: &Range<u64>, part: &Interval| {
            let start = time.start.max(part.start_us);
            time.end.min(part.end_us).saturating_sub(start)
        };
        let length = |(time, _): (Range<u64>, State)| match parts {
            [] => time.end - time.start,
            parts => parts.iter().map(|part| within(&time, part)).sum(),
        };
        of_state.map(length).sum()
    }

    /// The part of it in an interval; `None` if that is none of it.
    pub(super) fn during(&self, interval: Range<u64>) -> Option<Self> {
        let start = self.from_us.max(interval.start);
        let end = self.to_us.min(interval.end);
        if start >= end {
            return None;
        }
        let mut part = Self::new(self.thread, start..end, self.from_samples);
        let mut at = start;
        let gaps = self.stretches().filter(|(_, state)| *state != State::Running);
        for (gap, state) in gaps.filter(|(gap, _)| gap.end > start && gap.start < end) {
            part.push(&mut at, gap.start..gap.end.min(end), state);
        }
        Some(part)
    }

    /// Tells if the lists are as long as they say.
    pub(super) fn is_whole(&self, threads: usize) -> bool {
        let gaps = self.lengths_us.len();
        let mut gone = self.steps_us.iter().chain(&self.lengths_us);
        let gone = gone.try_fold(self.from_us, |sum, length| sum.checked_add(*length));
        let is_list = |list: &[u32]| {
            list.is_sorted() && list.last().is_none_or(|last| (*last as usize) < gaps)
        };
        self.thread.index() < threads
            && self.steps_us.len() == gaps
            && gone.is_some_and(|gone| gone <= self.to_us)
            && is_list(&self.runnable)
            && is_list(&self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: ThreadId = ThreadId(3);

    fn gap(begun_us: u64, ended_us: u64, kind: GapKind) -> TimedGap {
        TimedGap { begun_us, ended_us, thread: THREAD, kind }
    }

    #[test]
    fn states_are_a_partition_of_the_time() {
        let gaps = [
            gap(100, 120, GapKind::Unknown),
            gap(200, 300, GapKind::Waiting),
            gap(300, 350, GapKind::Waiting),
            gap(350, 360, GapKind::Runnable),
            gap(355, 380, GapKind::Waiting),
        ];
        let states = ThreadStates::of_gaps(THREAD, gaps.into_iter(), 500).expect("gaps");
        let expected = [
            (100..120, State::Unknown),
            (120..200, State::Running),
            (200..350, State::Waiting),
            (350..360, State::Runnable),
            (360..380, State::Waiting),
            (380..500, State::Running),
        ];
        assert!(states.stretches().eq(expected));
        assert!(states.is_whole(4) && !states.is_whole(3));
        let sums = [State::Running, State::Waiting, State::Runnable, State::Unknown];
        assert_eq!(sums.map(|state| states.sum(state, &[])), [200, 170, 10, 20]);
        let parts = [110..130, 345..365].map(|it| Interval { start_us: it.start, end_us: it.end });
        assert_eq!(sums.map(|state| states.sum(state, &parts)), [10, 10, 10, 10]);
        let part = states.during(110..365).expect("a part");
        let expected = [
            (110..120, State::Unknown),
            (120..200, State::Running),
            (200..350, State::Waiting),
            (350..360, State::Runnable),
            (360..365, State::Waiting),
        ];
        assert!(part.stretches().eq(expected));
        assert!(states.during(0..100).is_none());
        for border in 100..=500 {
            let parts = [states.during(0..border), states.during(border..900)];
            for state in sums {
                let sum: u64 = parts.iter().flatten().map(|part| part.sum(state, &[])).sum();
                assert_eq!(sum, states.sum(state, &[]), "{border}");
            }
        }
    }

    #[test]
    fn samples_tell_when_a_thread_did_not_run() {
        let moment = |at_us, samples, waits| {
            (
                Moment { at_us, stack: 0, samples, is_look: true, waits, kernel: None },
                u64::from(samples) * 1000,
            )
        };
        let moments = [
            moment(1000, 1, false),
            moment(2100, 1, false),
            moment(50_000, 2, false),
            moment(51_000, 1, true),
            moment(52_000, 1, true),
        ];
        let states = ThreadStates::of_moments(THREAD, moments.into_iter(), 0..60_000, 2000);
        let expected = [
            (0..2100, State::Running),
            (2100..48_000, State::Waiting),
            (48_000..50_000, State::Running),
            (50_000..60_000, State::Waiting),
        ];
        assert!(states.stretches().eq(expected), "{:?}", states.stretches().collect::<Vec<_>>());
    }
}
