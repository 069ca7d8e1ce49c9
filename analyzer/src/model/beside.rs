//! Marks and states of threads, as full profiles have them.

use super::draft::Draft;
use super::ids::ThreadId;
use super::states::ThreadStates;
use super::timeline::{Beside, Mark};
use crate::measurement::Measurement;
use crate::records::{FullRecords, TimedMark};

/// Marks and states of the threads.
pub(super) fn beside(measurement: &Measurement, draft: &Draft, period_us: u64) -> Beside {
    let records = measurement.records().full();
    let timeline = records.timeline();
    let end_us = records.end_us();
    let mark = |it: TimedMark| Mark {
        name: String::from_utf8_lossy(&it.name).into_owned(),
        thread: it.thread,
        at_ns: it.begun_ns,
        length_ns: (!it.is_moment).then(|| {
            it.ended_ns.unwrap_or(end_us.saturating_mul(1000)).saturating_sub(it.begun_ns)
        }),
        is_open: !it.is_moment && it.ended_ns.is_none(),
    };
    let beside = Beside {
        marks: timeline.marks().map(mark).collect(),
        states: states(records, draft, end_us, period_us),
        part: None,
    };
    match timeline.part() {
        Some(part) => beside.during(part),
        None => beside,
    }
}

/// The states of the threads of which something is known.
fn states(records: &FullRecords, draft: &Draft, end_us: u64, period_us: u64) -> Vec<ThreadStates> {
    let timeline = records.timeline();
    let mut gaps = vec![Vec::new(); records.threads().len()];
    timeline.gaps().for_each(|gap| gaps[gap.thread.index()].push(gap));
    let mut moments = vec![Vec::new(); records.threads().len()];
    for moment in &draft.moments {
        let thread = draft.nodes[moment.stack as usize].thread;
        if gaps[thread.index()].is_empty() {
            moments[thread.index()].push(*moment);
        }
    }
    let threads = (0..).map(ThreadId).zip(records.threads()).zip(gaps.into_iter().zip(moments));
    let states = threads.filter_map(|((id, thread), (gaps, moments))| {
        let life = records.life_us(thread, end_us);
        if !gaps.is_empty() {
            return ThreadStates::of_gaps(id, gaps.into_iter(), life.end);
        }
        if moments.is_empty() {
            return None;
        }
        // Signals come late.
        let longest_gap = 2 * period_us;
        let lengths = moments.into_iter().map(|it| (it, u64::from(it.samples) * period_us));
        Some(ThreadStates::of_moments(id, lengths, life, longest_gap))
    });
    states.collect()
}
