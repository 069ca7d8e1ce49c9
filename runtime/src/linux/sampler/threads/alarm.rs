//! The alarm that goes off when the process uses CPU time and no thread that is sampled does.
//!
//! It is a timer on the process's clock. Its signal goes to the thread that runs, as the kernel has
//! it since Linux 6.4, unless that thread blocks the signal; then, and on older kernels, to one that
//! may be waiting, whose `poll` or `nanosleep` would end. So each tick of a sampled thread puts the
//! alarm off, there is none on older kernels, and none any more once it has woken the wrong thread.
//!
//! *Context:* as in [`sampler`](super::super).

use core::sync::atomic::{AtomicI32, Ordering};

use crate::atomic::AtomicI64;
use crate::linux::platform::{self, CpuClock, Info, Timer};
use crate::linux::sampler::signal;

/// Nanoseconds of the process's CPU time until it goes off, if the sampling period is not long.
const INTERVAL: i64 = 100_000_000;

/// The number of the timer, plus 1; 0 if there is none.
static TIMER: AtomicI32 = AtomicI32::new(0);

/// Nanoseconds until it goes off.
static DELAY: AtomicI64 = AtomicI64::new(INTERVAL);

/// Value of its signal: an address that no timer of the program's has a reason to say.
fn value() -> usize {
    &raw const TIMER as usize
}

fn timer() -> Option<Timer> {
    Some(TIMER.load(Ordering::Relaxed)).filter(|n| *n != 0).map(|n| Timer::from_id(n - 1))
}

/// Sets the alarm, unless it is set, for threads that are sampled each `period` nanoseconds.
pub(super) fn start(period: i64) {
    /// Since then the thread whose time it was is preferred.
    const FAIR: (u32, u32) = (6, 4);
    if platform::kernel_version() < FAIR || timer().is_some() {
        return;
    }
    DELAY.store(INTERVAL.max(3 * period), Ordering::Relaxed);
    if let Ok(timer) = Timer::create(CpuClock::PROCESS, None, signal::current(), value()) {
        TIMER.store(timer.id() + 1, Ordering::Relaxed);
        put_off();
    }
}

/// Begins the delay anew.
pub(super) fn put_off() {
    let delay = DELAY.load(Ordering::Relaxed);
    if let Some(timer) = timer() {
        timer.set(delay, delay);
    }
}

/// Notes a tick of a thread that is sampled, at `now` by [`platform::uptime`]. Of many it is enough to put the
/// alarm off at some.
pub(super) fn note_tick(now: i64) {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now + DELAY.load(Ordering::Relaxed) / 8, Ordering::Relaxed);
        put_off();
    }
}

/// Silences the alarm until [`put_off`].
pub(super) fn hold() {
    if let Some(timer) = timer() {
        timer.hold();
    }
}

/// Returns `true` if a signal is the alarm's.
pub(super) fn has_sent(info: &Info) -> bool {
    platform::timer_value(info) == Some(value())
}

/// Ends the alarm.
pub(super) fn end() {
    if let Some(timer) = timer() {
        TIMER.store(0, Ordering::Relaxed);
        timer.delete();
    }
}

/// Forgets the parent's alarm, in a forked child.
pub(super) fn forget() {
    TIMER.store(0, Ordering::Relaxed);
}
