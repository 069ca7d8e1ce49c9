//! The alarm that goes off when the process uses CPU time and no thread that is sampled does.
//!
//! It is a timer on the process's clock. Its signal goes to the thread that runs, as the kernel has
//! it since Linux 6.4, unless that thread blocks the signal; then, and on older kernels, to one that
//! may be waiting, whose `poll` or `nanosleep` would end. So each tick of a sampled thread puts the
//! alarm off, there is none on older kernels, and none any more once it has woken the wrong thread.
//!
//! Threads may end before anybody looks for them, and where one is found late there are others. So at first, and once a thread
//! has been found, the alarm goes off soon. Still it must not do so at a tick at which a sampled thread's own timer goes off: while
//! that is handled the signal is blocked, and the kernel would give it to a thread that waits.
//!
//! *Context:* as in [`sampler`](super::super).

use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::{self, CpuClock, Info, Timer};

use crate::linux::sampler::signal;

/// Nanoseconds of the process's CPU time until it goes off, if the sampling period is not long.
const INTERVAL: i64 = 100_000_000;

/// The number of the timer, plus 1; 0 if there is none.
static TIMER: AtomicI32 = AtomicI32::new(0);

/// Nanoseconds until it goes off.
static DELAY: AtomicI64 = AtomicI64::new(INTERVAL);

/// Nanoseconds until it goes off where threads are found: longer than it takes a sampled thread to put it off.
static SOON: AtomicI64 = AtomicI64::new(INTERVAL);

/// True if it is to go off soon.
static IS_SOON: AtomicBool = AtomicBool::new(false);

/// Value of its signal: an address that no timer of the program's has a reason to say.
fn value() -> usize {
    &raw const TIMER as usize
}

fn timer() -> Option<Timer> {
    Some(TIMER.load(Ordering::Relaxed)).filter(|n| *n != 0).map(|n| Timer::from_id(n - 1))
}

/// Sets the alarm, unless it is set, for threads that are sampled each `period` nanoseconds.
pub(super) fn start(period: i64, tick: i64) {
    /// Since then the thread whose time it was is preferred.
    const FAIR: (u32, u32) = (6, 4);
    if platform::kernel_version() < FAIR || timer().is_some() {
        return;
    }
    DELAY.store(INTERVAL.max(3 * period), Ordering::Relaxed);
    // While so many threads run, this is the time of the process from one look to the next; some are late by chance.
    let between = tick.max(period).saturating_mul(platform::processors() as i64);
    SOON.store(3 * between + tick, Ordering::Relaxed);
    // Many programs are over before anybody would look.
    IS_SOON.store(true, Ordering::Relaxed);
    if let Ok(timer) = Timer::create(CpuClock::PROCESS, None, signal::current(), value()) {
        TIMER.store(timer.id() + 1, Ordering::Relaxed);
        put_off();
    }
}

/// Begins the delay anew.
pub(super) fn put_off() {
    let delay = delay();
    if let Some(timer) = timer() {
        timer.set(delay, delay);
    }
}

fn delay() -> i64 {
    let usual = DELAY.load(Ordering::Relaxed);
    if IS_SOON.load(Ordering::Relaxed) { usual.min(SOON.load(Ordering::Relaxed)) } else { usual }
}

/// Notes that a thread was found: there may be others like it.
pub(super) fn note_found() {
    if !IS_SOON.swap(true, Ordering::Relaxed) {
        put_off();
    }
}

/// Notes that it has woken a thread that is sampled already. That may have run unseen, but where the alarm does not go off
/// soon, it was another's time.
pub(super) fn note_in_vain() {
    if IS_SOON.swap(false, Ordering::Relaxed) {
        put_off();
    } else {
        end();
    }
}

/// Notes a tick of a thread that is sampled, at `now` by [`platform::uptime`]. Of many it is enough to put the
/// alarm off at some.
pub(super) fn note_tick(now: i64) {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now + delay() / 8, Ordering::Relaxed);
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
