//! Samples of threads that often call the system, at the next tick of their CPU clocks.
//!
//! A signal from another processor arrives some microseconds after it was sent, 3 to 20 on a virtual machine. A thread that
//! calls the system every few microseconds has by then most often begun a call, at whose end the signal finds it, wherever
//! it was. The tick of a timer on the thread's CPU clock comes to the processor that the thread runs on, in the midst of what it
//! does. So the watcher only notes how many periods the thread owes, and the sample at the tick has them all.
//!
//! Others get signals: they come at any moment, while a program that works in step with the system's ticks is always at the
//! same place at a tick. If more than one of 32 looks finds a thread at a system call, it gets ticks, so signals
//! make too much of calls by no more than that.
//!
//! The handle of an entry is [`FIRST_HANDLE`] until the thread has such a timer, and then tells its number.
//!
//! *Context:* `ask` the watcher; `take` and `hold` any; `end` whoever has taken the handle.

use core::sync::atomic::Ordering;

use gmon_system::platform::{CpuClock, Timer};

use crate::linux::sampler::signal;
use crate::linux::sampler::threads::roster::{Entry, FIRST_HANDLE};

/// Has a thread take a sample of so many more periods at its next tick, by a signal with this value; false if the
/// system grants no timer.
pub(super) fn ask(entry: &Entry, periods: impl FnOnce() -> u32, value: usize) -> bool {
    let Some(handle) = entry.take() else { return false };
    let known = timer_of(handle);
    let timer = known.or_else(|| {
        let tid = entry.tid();
        Timer::create(CpuClock::of_thread(tid), Some(tid), signal::current(), value).ok()
    });
    if let Some(timer) = timer {
        entry.owed.fetch_add(periods(), Ordering::Relaxed);
        // Set anew each time, so that a signal that was lost is not the last.
        timer.set(1, 0);
    }
    entry.set(timer.map_or(handle, |timer| timer.id() as usize + FIRST_HANDLE + 1));
    timer.is_some()
}

/// Takes the periods that a thread owes.
pub(super) fn take(entry: &Entry) -> u32 {
    entry.owed.swap(0, Ordering::Relaxed)
}

/// Has a thread's timer, if any, not go off until the thread is asked again.
pub(super) fn hold(entry: &Entry) {
    if let Some(timer) = entry.handle().and_then(timer_of) {
        timer.hold();
    }
}

/// Ends the timer that a handle tells of, if any.
pub(super) fn end(handle: usize) {
    if let Some(timer) = timer_of(handle) {
        timer.delete();
    }
}

fn timer_of(handle: usize) -> Option<Timer> {
    let number = handle.checked_sub(FIRST_HANDLE + 1)?;
    Some(Timer::from_id(number as i32))
}
