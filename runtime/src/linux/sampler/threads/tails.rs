//! Time that threads used after their last sample.
//!
//! A thread ends without a word, and the kernel looks at its timer at scheduler ticks only: where
//! many threads share a processor, some milliseconds of each are never seen, of short ones a third.
//! But the process's clock counts them. So the time of the process that is nobody's is shared among
//! the threads that have ended since, each charged where it was last seen.
//!
//! *Context:* signal, startup and exit; one thread at a time, see [`charge_ended`].

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::CpuClock;

use super::pace;
use super::roster::{self, Entry};
use crate::linux::sampler::{Sample, deliver};

/// Nanoseconds of CPU time that samples stand for.
static SAMPLED: AtomicI64 = AtomicI64::new(0);

/// Nanoseconds of the process that are known to be of no thread that was sampled.
static FOREIGN: AtomicI64 = AtomicI64::new(0);

/// Nanoseconds that were found but do not make a whole period yet.
static REST: AtomicI64 = AtomicI64::new(0);

/// The process's CPU time when sampling was paused; [`GOES_ON`] while it is not.
static PAUSED: AtomicI64 = AtomicI64::new(GOES_ON);
const GOES_ON: i64 = -1;

/// True if a thread is settling.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Delivers a sample and notes the time that it stands for.
pub(super) fn deliver_counted(sample: &Sample<'_>, period: i64) {
    SAMPLED.fetch_add(i64::from(sample.weight) * period, Ordering::Relaxed);
    deliver(sample);
}

/// Begins, or goes on after a pause: what the process has done until now is of no interest, nor is what was left of periods of
/// another length.
pub(super) fn begin(is_other_period: bool) {
    PAUSED.store(GOES_ON, Ordering::Relaxed);
    if is_other_period {
        REST.store(0, Ordering::Relaxed);
    }
    FOREIGN.store(unexplained(), Ordering::Relaxed);
}

/// Notes a pause: what the process does from now on is nobody's time.
pub(super) fn pause() {
    PAUSED.store(process_time(), Ordering::Relaxed);
}

fn is_paused() -> bool {
    PAUSED.load(Ordering::Relaxed) != GOES_ON
}

/// CPU time that a thread has used until now, or until sampling was paused; `None` if it has ended meanwhile.
pub(super) fn used(entry: &Entry) -> Option<i64> {
    if is_paused() {
        Some(entry.paused.load(Ordering::Relaxed))
    } else {
        CpuClock::of_thread(entry.tid()).nanoseconds()
    }
}

/// Charges what threads that have ended used after their last sample. `end` ends an entry's timer
/// if its thread has ended, and says whether it has. A thread has left at most `most` nanoseconds.
pub(super) fn charge_ended(period: i64, most: i64, end: impl Fn(&Entry) -> bool) {
    if BUSY.swap(true, Ordering::Acquire) {
        return;
    }
    let (mut ended, mut seen) = (0, 0);
    for entry in roster::sampled() {
        if end(entry) {
            ended += 1;
            seen += i64::from(last_pc(entry) != 0);
        }
    }
    let found = unexplained() - FOREIGN.load(Ordering::Relaxed);
    // `clamp` could panic.
    let granted = found.min(ended * most).max(0);
    // What is too little is the error of reading several clocks, and made up for next time.
    FOREIGN.fetch_add((found - granted).max(0), Ordering::Relaxed);
    share(REST.fetch_add(granted, Ordering::Relaxed) + granted, period, seen);
    roster::ended().for_each(Entry::leave);
    BUSY.store(false, Ordering::Release);
}

/// Shares whole periods among the ended threads that were seen.
fn share(time: i64, period: i64, mut threads: i64) {
    let mut periods = time.checked_div(period).unwrap_or(0);
    for entry in roster::ended().filter(|entry| last_pc(entry) != 0) {
        // Of what is left, what is this one's part.
        let part = periods.checked_div(threads).unwrap_or(0).max(0);
        threads -= 1;
        periods -= part;
        if part != 0 {
            REST.fetch_sub(part * period, Ordering::Relaxed);
            let weight = u32::try_from(part).unwrap_or(u32::MAX);
            let seat = Some(&entry.seat);
            deliver_counted(&Sample { seat, ..Sample::new(last_pc(entry), weight) }, period);
        }
    }
}

/// The process's time that neither samples nor threads that are sampled account for.
fn unexplained() -> i64 {
    let pending: i64 = roster::sampled().map(pending).sum();
    let process = if is_paused() { PAUSED.load(Ordering::Relaxed) } else { process_time() };
    process - SAMPLED.load(Ordering::Relaxed) - REST.load(Ordering::Relaxed) - pending
}

fn process_time() -> i64 {
    CpuClock::PROCESS.nanoseconds().unwrap_or(0)
}

/// Time that a thread has used since its last sample; less than none where that stood for a little more.
fn pending(entry: &Entry) -> i64 {
    used(entry).map_or(0, |used| used - pace::counted_until(entry))
}

fn last_pc(entry: &Entry) -> usize {
    entry.last_pc.load(Ordering::Relaxed)
}

/// Forgets the parent's times, in a forked child.
pub(super) fn forget() {
    for time in [&SAMPLED, &FOREIGN, &REST] {
        time.store(0, Ordering::Relaxed);
    }
    PAUSED.store(GOES_ON, Ordering::Relaxed);
    BUSY.store(false, Ordering::Relaxed);
}
