//! Finds threads that are not sampled yet.
//!
//! A thread that counts a call reports itself. One that never does, because its code was built
//! without `-pg`, is found here, in the process's list of its threads: when another thread makes it, if we see that, or else now
//! and then.
//!
//! *Context:* startup, hook, signal.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::{self, CpuClock};
use gmon_system::region::Region;

/// Nanoseconds between two looks.
const INTERVAL: i64 = 100_000_000;

/// A look may take at most one part of so many of a thread's time: the list may be long.
const SHARE: i64 = 100;

/// Bytes of the list to read at a time.
const BUFFER: usize = 4096;

/// When the next look is due, by [`platform::uptime`].
static DUE: AtomicI64 = AtomicI64::new(0);

/// When looks for threads that somebody has just made will have had no more than their share, by [`platform::uptime`].
static PAID: AtomicI64 = AtomicI64::new(0);

/// True if somebody has made a thread that nobody has looked for.
static IS_MISSED: AtomicBool = AtomicBool::new(false);

/// The process's CPU time at the last look.
static LAST: AtomicI64 = AtomicI64::new(0);

/// True if a thread is looking.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Memory that the list is read into; whoever set [`BUSY`] may use it.
static LIST: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Begins: what the process's threads have done before is nobody's business.
pub(in super::super) fn begin() {
    rest(0);
}

/// Returns `true` if it is time for a look, at `now` by [`platform::uptime`].
pub(in super::super) fn is_due(now: i64) -> bool {
    let is_missed = || IS_MISSED.load(Ordering::Relaxed) && now >= PAID.load(Ordering::Relaxed);
    now >= DUE.load(Ordering::Relaxed) || is_missed()
}

/// Calls `visit` with the id of every thread of the process.
pub(in super::super) fn look(visit: impl FnMut(i32)) {
    look_and(visit, rest);
}

/// Like [`look`] for whoever has just made a thread, unless many were made of late: then the next look is due.
pub(in super::super) fn meet(visit: impl FnMut(i32)) {
    let (now, paid) = (platform::uptime(), PAID.load(Ordering::Relaxed));
    if now + INTERVAL < paid {
        IS_MISSED.store(true, Ordering::Relaxed);
    } else {
        let pay = |took| PAID.store(now.max(paid) + took * SHARE, Ordering::Relaxed);
        // A thread that is cancelled in the middle would keep for ever what others want too.
        platform::without_cancellation(|| look_and(visit, pay));
    }
}

fn look_and(mut visit: impl FnMut(i32), rest: impl FnOnce(i64)) {
    if BUSY.swap(true, Ordering::Acquire) {
        return;
    }
    IS_MISSED.store(false, Ordering::Relaxed);
    let start = CpuClock::THREAD.nanoseconds().unwrap_or(0);
    if let Some(list) = list() {
        // Without /proc there is nothing to find; threads that count calls are sampled all the same.
        _ = platform::each_thread(list, &mut visit);
    }
    rest(CpuClock::THREAD.nanoseconds().unwrap_or(0) - start);
    BUSY.store(false, Ordering::Release);
}

/// Notes a look that took so many nanoseconds.
fn rest(took: i64) {
    LAST.store(CpuClock::PROCESS.nanoseconds().unwrap_or(0), Ordering::Relaxed);
    DUE.store(platform::uptime() + INTERVAL.max(took * SHARE), Ordering::Relaxed);
}

/// The nanoseconds of CPU time that a thread, found just now, may have used since the last look.
pub(in super::super) fn unseen(tid: i32) -> i64 {
    let used = CpuClock::of_thread(tid).nanoseconds().unwrap_or(0);
    let process = CpuClock::PROCESS.nanoseconds().unwrap_or(0);
    used.min(process - LAST.load(Ordering::Relaxed))
}

/// Forgets a look that another thread was at, in a forked child.
pub(in super::super) fn forget() {
    BUSY.store(false, Ordering::Relaxed);
}

fn list() -> Option<&'static mut [u8]> {
    let mut buffer = LIST.load(Ordering::Relaxed);
    if buffer.is_null() {
        buffer = Region::map(BUFFER)?.base().as_ptr();
        LIST.store(buffer, Ordering::Relaxed);
    }
    // SAFETY: a mapping of this size that stays, which only the thread that set BUSY uses, and only
    // until it clears it.
    Some(unsafe { core::slice::from_raw_parts_mut(buffer, BUFFER) })
}
