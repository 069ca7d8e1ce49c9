//! The system's clock, on processors whose own clock not every program may read, or does not always run at one rate. A tick is a
//! nanosecond.
//!
//! *Context:* any.

use gmon_system::clock;

/// Ticks until now.
pub(super) fn now() -> u64 {
    clock::monotonic().unsigned_abs()
}

/// Nanoseconds of a tick, times 2^32.
pub(super) fn scale() -> u64 {
    1 << 32
}

/// Nanoseconds of so many ticks.
pub(super) fn nanoseconds(ticks: u64) -> u64 {
    ticks
}

/// Ticks of so many nanoseconds.
pub(super) fn ticks(nanoseconds: u64) -> u64 {
    nanoseconds
}

/// Returns `true`, as there always is one.
pub(super) fn calibrate() -> bool {
    true
}
