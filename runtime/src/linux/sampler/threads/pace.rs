//! Pace of a thread's samples: its timer, the beat in the timer's place, and the periods that have ended.
//!
//! *Context:* startup, signal, exit.

use core::sync::atomic::Ordering;

use super::roster::{Entry, FIRST_HANDLE};
use super::{beat, rounding};
use crate::atomic::AtomicI64;
use crate::linux::platform::{self, CpuClock, SECOND, Timer};

/// Nanoseconds of CPU time for which a sample stands.
static PERIOD: AtomicI64 = AtomicI64::new(SECOND);

/// Half a scheduler tick in nanoseconds.
static HALF_TICK: AtomicI64 = AtomicI64::new(0);

/// Sets how many samples a second of CPU time has; whether that is another number than before.
pub(super) fn set(hz: u32) -> bool {
    let period = SECOND / i64::from(hz.max(1));
    HALF_TICK.store(platform::scheduler_tick() / 2, Ordering::Relaxed);
    PERIOD.swap(period, Ordering::Relaxed) != period
}

/// Nanoseconds of CPU time for which a sample stands.
pub(super) fn period() -> i64 {
    PERIOD.load(Ordering::Relaxed)
}

/// Half a scheduler tick in nanoseconds.
pub(super) fn half_tick() -> i64 {
    HALF_TICK.load(Ordering::Relaxed)
}

/// Returns `true` if timers on CPU clocks would be late.
fn is_faster_than_ticks(period: i64) -> bool {
    period < 2 * half_tick()
}

/// Returns `true` if threads have beats, or may yet.
pub(super) fn may_beat() -> bool {
    is_faster_than_ticks(period()) && beat::are_possible()
}

/// Nanoseconds after which a thread's timer looks whether its beat comes.
const WATCH: i64 = SECOND / 20;

/// Has a thread sampled again whose clock is at `now`.
pub(super) fn run(timer: Timer, entry: &Entry, now: i64) {
    if beat::is_there(entry) {
        timer.set(WATCH, WATCH);
    } else {
        let left = entry.clock.load(Ordering::Relaxed) - now;
        timer.set(left.max(1), period());
    }
}

/// Goes back to the timer where a beat does not come, because the thread blocks its signal.
pub(super) fn watch(timer: Timer, entry: &Entry, periods: u32) {
    let period = period();
    if i64::from(periods) * period > WATCH / 2 {
        beat::give_up(entry);
        timer.set(period, period);
    }
}

/// Has a beat take the place of the calling thread's timer, where that is too slow.
pub(super) fn quicken(timer: Timer, entry: &Entry) {
    let period = period();
    if !is_faster_than_ticks(period) || !beat::start(entry, period) {
        return;
    }
    timer.set(WATCH, WATCH);
    // Periods end in the middle between two beats, so that it does not matter when exactly these come.
    if let Some(now) = CpuClock::THREAD.nanoseconds() {
        let due = entry.clock.load(Ordering::Relaxed);
        let moved = now + period / 2 - due;
        let taken = (Ordering::Relaxed, Ordering::Relaxed);
        if entry.clock.compare_exchange(due, due + moved, taken.0, taken.1).is_ok() {
            entry.first.fetch_add(moved, Ordering::Relaxed);
        }
    }
}

/// A timer that only watched its thread samples it again.
pub(super) fn restart(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    if let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) {
        run(timer_of(handle), entry, now);
    }
}

/// Stops a thread's timer. What it has used of a period counts when it goes on.
pub(super) fn pause(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    if let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) {
        timer_of(handle).hold();
        beat::stop(entry);
        entry.paused.store(now, Ordering::Relaxed);
    }
}

pub(super) fn resume(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) else { return };
    let due = entry.clock.load(Ordering::Relaxed) + now - entry.paused.load(Ordering::Relaxed);
    entry.clock.store(due, Ordering::Relaxed);
    // It has not been seen since the pause.
    entry.last_pc.store(0, Ordering::Relaxed);
    run(timer_of(handle), entry, now);
}

/// Samples a thread again after a pause, in periods of another length.
pub(super) fn begin_anew(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) else { return };
    let first = rounding::next_part(period());
    entry.clock.store(now + first, Ordering::Relaxed);
    entry.first.store(first, Ordering::Relaxed);
    run(timer_of(handle), entry, now);
}

pub(super) fn timer_of(handle: usize) -> Timer {
    Timer::from_id((handle - FIRST_HANDLE) as i32)
}

/// Number of periods that have ended since the last call, and begins the next one. Whoever is
/// faster, the thread's handler or who catches up, gets them.
pub(super) fn periods_until(now: i64, entry: &Entry) -> u32 {
    let due = entry.clock.load(Ordering::Relaxed);
    let period = period();
    let Some(ended) = (now - due).checked_div(period).filter(|_| now >= due) else {
        return 0;
    };
    let next = due + (ended + 1) * period;
    match entry.clock.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => u32::try_from(ended + 1).unwrap_or(u32::MAX),
        Err(_) => 0,
    }
}
