//! The time of a profile.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicI32, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::{clock, platform};

/// When the profile began, in nanoseconds since the system started, and since 1970.
static BEGUN: AtomicI64 = AtomicI64::new(0);
static BEGUN_AT: AtomicI64 = AtomicI64::new(0);

/// The process that was profiled first, and when that began: forked children have these, too.
static FIRST: AtomicI32 = AtomicI32::new(0);
static FIRST_BEGUN: AtomicI64 = AtomicI64::new(0);

/// The process whose children this one and others are, or this one, and when its profile began.
pub(super) fn first() -> (i32, i64) {
    (FIRST.load(Ordering::Relaxed), FIRST_BEGUN.load(Ordering::Relaxed))
}

/// Has the profile begin now.
pub(super) fn start() {
    clock::begin();
    BEGUN.store(platform::uptime(), Ordering::Relaxed);
    BEGUN_AT.store(platform::wall_clock(), Ordering::Relaxed);
    if FIRST.load(Ordering::Relaxed) == 0 {
        FIRST.store(platform::process_id(), Ordering::Relaxed);
        FIRST_BEGUN.store(origin(), Ordering::Relaxed);
    }
}

/// When it began, in nanoseconds since 1970.
pub(super) fn begun_at() -> i64 {
    BEGUN_AT.load(Ordering::Relaxed)
}

/// When it began, in nanoseconds since the system started: origin of all times.
pub(super) fn origin() -> i64 {
    BEGUN.load(Ordering::Relaxed)
}

/// Microseconds since then, more exactly.
pub(super) fn now_us() -> u64 {
    precise() / 1000
}

/// Nanoseconds since then, more exactly.
pub(super) fn precise() -> u64 {
    (clock::monotonic() - origin()).unsigned_abs()
}

/// Nanoseconds since then.
pub(super) fn now() -> u64 {
    (platform::uptime() - origin()).unsigned_abs()
}
