//! Tracks that the page draws beside the samples of threads: marks of the program, and the states of the threads.

use std::cmp::Reverse;

use gmon_analyzer::model::{Mark, State, ThreadStates};
use serde::Serialize;

use super::over_time::Steps;

/// More marks than these make the page slow; the longest phases stay.
const MOST_MARKS: usize = 2000;
/// More entries of states than these make it large; then the threads that changed their states most often have none.
const MOST_STATES: usize = 300_000;

/// Marks by their times. Each list has one entry for each.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Marks<'a> {
    name: Vec<&'a str>,
    thread: Vec<u32>,
    at_us: Vec<u64>,
    /// Lengths; -1 for moments.
    length_us: Vec<i64>,
    /// Number of marks that the lists are without.
    left_out: usize,
}

/// The states of threads, by steps.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct States {
    thread: Vec<u32>,
    /// For each of the threads: number of steps, and microseconds that it was running, runnable and waiting in each of
    /// them; and so on for the steps that follow.
    runs: Vec<Vec<u64>>,
    /// True if only samples tell: then what waits may be runnable.
    from_samples: bool,
    /// Number of threads that have none here.
    left_out: usize,
}

impl<'a> Marks<'a> {
    pub(super) fn new(all: &'a [Mark]) -> Self {
        let mut kept: Vec<&Mark> = all.iter().collect();
        if kept.len() > MOST_MARKS {
            kept.sort_by_cached_key(|mark| Reverse(mark.length_ns));
            kept.truncate(MOST_MARKS);
            kept.sort_unstable_by_key(|mark| (mark.at_ns, Reverse(mark.length_ns)));
        }
        let mut marks = Self { left_out: all.len() - kept.len(), ..Self::default() };
        for mark in kept {
            marks.name.push(&mark.name);
            marks.thread.push(mark.thread.0);
            marks.at_us.push(mark.at_ns / 1000);
            let end = mark.end_ns() / 1000;
            let length = mark.length_ns.map(|_| (end - mark.at_ns / 1000) as i64);
            marks.length_us.push(length.unwrap_or(-1));
        }
        marks
    }
}

impl States {
    pub(super) fn new(all: &[ThreadStates], steps: Steps) -> Self {
        let mut runs: Vec<(u32, Vec<u64>)> =
            all.iter().map(|states| (states.thread.0, runs(states, steps))).collect();
        // Threads that wait all of the time take next to nothing.
        runs.sort_by_key(|(_, runs)| runs.len());
        let mut room = MOST_STATES;
        let known = runs.iter().take_while(|(_, runs)| {
            let rest = room.checked_sub(runs.len());
            room = rest.unwrap_or(0);
            rest.is_some()
        });
        let known = known.count();
        runs.truncate(known);
        runs.sort_unstable_by_key(|(thread, _)| *thread);
        let (thread, runs) = runs.into_iter().unzip();
        let from_samples = all.iter().any(|it| it.from_samples);
        Self { thread, runs, from_samples, left_out: all.len() - known }
    }
}

/// Steps in which a thread was as long in each state, one run after the other.
fn runs(states: &ThreadStates, steps: Steps) -> Vec<u64> {
    let mut by_step = vec![[0_u64; 3]; steps.steps as usize];
    let end_us = steps.start_us + steps.steps * steps.step_us;
    for (time, state) in states.stretches() {
        let place = match state {
            State::Running => 0,
            State::Runnable => 1,
            State::Waiting => 2,
            State::Unknown => continue,
        };
        let (mut at, end) = (time.start.max(steps.start_us), time.end.min(end_us));
        while at < end {
            let step = (at - steps.start_us) / steps.step_us;
            let next = (steps.start_us + (step + 1) * steps.step_us).min(end);
            by_step[step as usize][place] += next - at;
            at = next;
        }
    }
    let equal = by_step.chunk_by(|a, b| a == b);
    equal.flat_map(|run| [run.len() as u64, run[0][0], run[0][1], run[0][2]]).collect()
}

#[cfg(test)]
mod tests {
    use gmon_analyzer::model::ThreadId;

    use super::*;

    fn mark(at_ns: u64, length_ns: Option<u64>) -> Mark {
        Mark { name: at_ns.to_string(), thread: ThreadId(0), at_ns, length_ns, is_open: false }
    }

    #[test]
    fn the_longest_phases_stay() {
        let mut all: Vec<Mark> = (0..3000).map(|at| mark(at * 1000, None)).collect();
        all.push(mark(4_000_000, Some(2_500_000)));
        let marks = Marks::new(&all);
        assert_eq!((marks.name.len(), marks.left_out), (2000, 1001));
        assert_eq!((marks.at_us.last(), marks.length_us.last()), (Some(&4000), Some(&2500)));
        assert_eq!(marks.length_us[0], -1);
    }

    #[test]
    fn states_of_steps_add_up() {
        // It runs from 1.5 ms to 2.5 ms, waits until 5.5 ms, and runs until 6 ms.
        let states = ThreadStates {
            thread: ThreadId(3),
            from_us: 1500,
            to_us: 6000,
            steps_us: vec![1000],
            lengths_us: vec![3000],
            runnable: Vec::new(),
            unknown: Vec::new(),
            from_samples: false,
        };
        let steps = Steps { start_us: 1000, step_us: 1000, steps: 5 };
        let all = States::new(&[states], steps);
        assert_eq!(all.thread, [3]);
        let expected = [1, 500, 0, 0, 1, 500, 0, 500, 2, 0, 0, 1000, 1, 500, 0, 500];
        assert_eq!(all.runs, [expected]);
    }
}
