//! Looks at threads: what each does, and the sample that its handler takes.
//!
//! The clock of an entry is the number of the last period, counted from the system's start, that is in a sample.
//!
//! *Context:* `look_at` the watcher; `on_signal` signal; the rest as in [`sampler`](super::super).

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_stacks::State;
use gmon_system::platform::{self, Blocked, Context, CpuClock, Info};

use super::{PERIOD, is_wanted, owed};
use crate::linux::sampler::threads::roster::{self, Entry, FIRST_HANDLE};
use crate::linux::sampler::{Sample, deliver, signal, tick};

/// Findings about a thread, in its entry.
mod finding {
    /// Nothing yet, or it ran when it was sampled last.
    pub(super) const RUNS: usize = 0;
    /// Waiting when it was sampled last, and that is where its last stack is.
    pub(super) const WAITS: usize = 1;
    /// Asked for a sample, and found running.
    pub(super) const ASKED_RUNNING: usize = 2;
    /// Asked for a sample, and found waiting.
    pub(super) const ASKED_WAITING: usize = 3;
    /// Not sampled yet, and perhaps where there is no room for a signal.
    pub(super) const NEW: usize = 4;
}

/// Nanoseconds of CPU time that it takes to be interrupted and to go on waiting, at most. A thread that has used
/// more has done something else as well.
const WAKING: i64 = 50_000;

/// Nanoseconds after which a thread that has counted no call is sampled nonetheless, where others have. One that counts some has
/// a stack for signals from then on; before, it may be on that of a coroutine, which has no room for them.
const PATIENCE: i64 = 100_000_000;

/// True if a thread has counted a call.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// Nanoseconds that finding out may take: who takes longer has lost its processor meanwhile.
const PROMPT: i64 = 200_000;

/// Tries to be prompt.
const TRIES: usize = 3;

/// Result of a look.
#[derive(PartialEq, Eq)]
pub(super) enum Outcome {
    /// The thread has been asked for a sample.
    Asked,
    /// Its stack has been walked.
    Walked,
    /// Nothing to do, or an ended thread.
    Done,
}

/// Begins sampling the calling thread, which has just counted its first call.
pub(super) fn arm_counting_thread() {
    COUNTS.store(true, Ordering::Relaxed);
    arm_this_thread();
}

/// Begins sampling the calling thread, which has a stack for signals, unless it is sampled.
pub(super) fn arm_this_thread() {
    let tid = platform::thread_id();
    arm(tid);
    if let Some(entry) = roster::find(tid).filter(|entry| is_new(entry)) {
        entry.finding.store(finding::RUNS, Ordering::Release);
    }
}

/// Begins sampling a thread, unless it is sampled.
pub(super) fn arm(tid: i32) {
    if roster::find(tid).is_some() {
        return;
    }
    let Some(claim) = roster::claim(tid) else { return };
    if let Ok(Some((_, entry))) = claim.entry() {
        entry.last_pc.store(0, Ordering::Relaxed);
        entry.looked.store(0, Ordering::Relaxed);
        entry.handled.store(0, Ordering::Relaxed);
        entry.owed.store(0, Ordering::Relaxed);
        entry.finding.store(finding::NEW, Ordering::Relaxed);
        // It may be asked in this very period.
        entry.clock.store(current_period() - 1, Ordering::Relaxed);
        entry.set(FIRST_HANDLE);
    }
}

/// Begins anew: nothing before now is to be counted.
pub(super) fn begin(entry: &Entry) {
    if !is_new(entry) {
        entry.finding.store(finding::RUNS, Ordering::Relaxed);
    }
    entry.owed.store(0, Ordering::Relaxed);
    entry.clock.store(current_period(), Ordering::Relaxed);
}

fn is_new(entry: &Entry) -> bool {
    entry.finding.load(Ordering::Acquire) == finding::NEW
}

/// Looks at a thread, whose entry has this index.
pub(super) fn look_at(entry: &Entry, index: usize) -> Outcome {
    let tid = entry.tid();
    let Some(used) = CpuClock::of_thread(tid).nanoseconds() else {
        return end(entry);
    };
    let before = entry.looked.swap(used, Ordering::Relaxed);
    if used < before {
        // Another one that has the number of one that has ended.
        return end(entry);
    }
    if is_new(entry) && COUNTS.load(Ordering::Relaxed) && age(entry) < PATIENCE {
        return Outcome::Done;
    }
    let waited = entry.finding.load(Ordering::Acquire) == finding::WAITS;
    let handled = entry.handled.load(Ordering::Relaxed);
    if waited && (used == before || used - handled < WAKING) {
        let weight = new_periods(entry);
        if weight != 0 {
            gmon_stacks::add_again(weight, &entry.seat);
        }
        return Outcome::Done;
    }
    (1..=TRIES)
        .find_map(|this| ask(entry, index, used, before, this == TRIES))
        .unwrap_or(Outcome::Done)
}

/// Finds out what a thread does that has run since the last look, and asks it for a sample if it runs. `None` if that was
/// not done at once: the thread may wait now, and a signal could end that.
fn ask(entry: &Entry, index: usize, used: i64, before: i64, is_last: bool) -> Option<Outcome> {
    let tid = entry.tid();
    let begun = platform::monotonic();
    let is_waiting = match platform::thread_state(tid) {
        Some(state) => state != b'R',
        None => used - before < PERIOD.load(Ordering::Relaxed) / 2,
    };
    let blocked = is_waiting.then(|| platform::blocked(tid)).flatten();
    if let Some(blocked) = blocked.filter(gmon_stacks::can_walk_waiting) {
        return Some(leave_alone(entry, &blocked, used));
    }
    if let Some(blocked) = blocked.filter(Blocked::waits_for_signals) {
        let weight = new_periods(entry);
        if weight != 0 {
            gmon_stacks::add_signal_wait(blocked.pc, weight, &entry.seat, tid);
        }
        // What a later look finds there has to be looked at as closely.
        entry.finding.store(finding::RUNS, Ordering::Release);
        return Some(Outcome::Done);
    }
    let waits_for_tick = !is_waiting && gmon_stacks::is_often_at_calls(&entry.seat);
    if waits_for_tick && owed::ask(entry, || new_periods(entry), value_of(index)) {
        entry.finding.store(finding::RUNS, Ordering::Release);
        return Some(Outcome::Asked);
    }
    if !is_last && platform::monotonic() - begun > PROMPT {
        return None;
    }
    let asked = if is_waiting { finding::ASKED_WAITING } else { finding::ASKED_RUNNING };
    entry.finding.store(asked, Ordering::Release);
    platform::send(tid, signal::current(), value_of(index));
    Some(Outcome::Asked)
}

/// Walks the stack of a thread that waits, which had used so much CPU time when it was found: a signal could end its wait.
fn leave_alone(entry: &Entry, blocked: &Blocked, used: i64) -> Outcome {
    let tid = entry.tid();
    let weight = new_periods(entry);
    if weight == 0 {
        return Outcome::Done;
    }
    let is_still_there = || {
        CpuClock::of_thread(tid).nanoseconds() == Some(used)
            && platform::blocked(tid).as_ref() == Some(blocked)
    };
    let is_counted = gmon_stacks::add_waiting(blocked, weight, &entry.seat, tid, is_still_there);
    if is_counted {
        entry.last_pc.store(blocked.pc, Ordering::Relaxed);
        // Nobody has woken it: if its clock goes on, it is elsewhere.
        entry.handled.store(used - WAKING, Ordering::Relaxed);
    }
    let found = if is_counted { finding::WAITS } else { finding::RUNS };
    entry.finding.store(found, Ordering::Release);
    Outcome::Walked
}

fn end(entry: &Entry) -> Outcome {
    if let Some(handle) = entry.take() {
        owed::end(handle);
        pay(entry);
        entry.leave();
    }
    Outcome::Done
}

/// Counts what a thread owes where it was seen last, as no tick is to come any more.
fn pay(entry: &Entry) {
    let (pc, weight) = (entry.last_pc.load(Ordering::Relaxed), owed::take(entry));
    if weight != 0 {
        _ = deliver(&Sample { seat: Some(&entry.seat), ..Sample::new(pc, weight) });
    }
}

/// Counts the periods that were missed, where the thread was seen last. That which goes on has its look yet to come,
/// or has had it.
pub(super) fn catch_up(entry: &Entry) {
    let found = entry.finding.load(Ordering::Acquire);
    let waits = [finding::WAITS, finding::ASKED_WAITING].contains(&found);
    let pc = entry.last_pc.load(Ordering::Relaxed);
    if pc == 0 {
        return;
    }
    pay(entry);
    let weight = periods(entry, current_period() - 1);
    let seat = Some(&entry.seat);
    match weight {
        0 => {}
        _ if waits => gmon_stacks::add_again(weight, &entry.seat),
        _ => _ = deliver(&Sample { seat, ..Sample::new(pc, weight) }),
    }
}

/// Value in the signal: an address that no signal of the program's has a reason to say.
fn value_of(index: usize) -> usize {
    (on_signal as *const () as usize).wrapping_add(index)
}

/// The handler in a thread that was asked for a sample.
pub(super) fn on_signal(info: &Info, context: &Context) -> bool {
    let at_tick = platform::timer_value(info);
    let value = at_tick.or_else(|| platform::sent_value(info));
    let index = value.map(|value| value.wrapping_sub(value_of(0)));
    let Some(entry) = index.and_then(roster::at) else { return false };
    if is_wanted() && entry.is_of(platform::thread_id()) {
        sample(entry, context, at_tick.is_some());
        tick();
    }
    true
}

/// Takes a sample of the calling thread: `at_tick` of the periods that it owes, else of those since the last one.
fn sample(entry: &Entry, context: &Context, at_tick: bool) {
    let used = || CpuClock::THREAD.nanoseconds().unwrap_or(0);
    let was_waiting = entry.finding.load(Ordering::Acquire) == finding::ASKED_WAITING;
    // It may have woken before the signal came.
    let waits = !at_tick && was_waiting && used() - entry.looked.load(Ordering::Relaxed) < WAKING;
    let weight = if at_tick { owed::take(entry) } else { new_periods(entry) };
    let mut is_counted = false;
    if weight != 0 {
        let (pc, seat) = (context.pc(), Some(&entry.seat));
        entry.last_pc.store(pc, Ordering::Relaxed);
        let state = if waits { State::Waiting } else { State::Running };
        is_counted = deliver(&Sample { pc, weight, context: Some(context), seat, state });
    }
    let found = if waits && is_counted { finding::WAITS } else { finding::RUNS };
    entry.handled.store(used(), Ordering::Relaxed);
    entry.finding.store(found, Ordering::Release);
}

/// The number of the period that goes on.
fn current_period() -> i64 {
    platform::monotonic() / PERIOD.load(Ordering::Relaxed).max(1)
}

/// Nanoseconds since the last period that is in a sample.
fn age(entry: &Entry) -> i64 {
    (current_period() - entry.clock.load(Ordering::Relaxed)) * PERIOD.load(Ordering::Relaxed)
}

/// Number of periods since the last call, up to that which goes on.
fn new_periods(entry: &Entry) -> u32 {
    periods(entry, current_period())
}

/// Number of periods since the last call, up to this one, which are then counted. Whoever is faster, the thread's
/// handler or the watcher, gets them.
fn periods(entry: &Entry, until: i64) -> u32 {
    let before = entry.clock.load(Ordering::Relaxed);
    if until <= before {
        return 0;
    }
    match entry.clock.compare_exchange(before, until, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => u32::try_from(until - before).unwrap_or(u32::MAX),
        Err(_) => 0,
    }
}
