//! Accounts of the process's time that was sampled, and of what is missing from the histogram.
//!
//! *Context:* `begin` and `end` as a sampler's start and stop; the rest exit.

use core::sync::atomic::Ordering;

use gmon_system::atomic::{AtomicI64, AtomicU64};
use gmon_system::platform::{CpuClock, SECOND};

use crate::histogram;

/// The process's CPU time in nanoseconds while it was sampled, but for the time since [`SINCE`].
static SAMPLED: AtomicI64 = AtomicI64::new(0);

/// The process's CPU time when sampling began or went on; [`STOPPED`] while it is not sampled.
static SINCE: AtomicI64 = AtomicI64::new(STOPPED);
const STOPPED: i64 = -1;

/// Samples that found no room before the runtime could take them.
static LOST: AtomicU64 = AtomicU64::new(0);

/// Times that the kernel stopped sampling for a moment.
static SLOWED_DOWN: AtomicU64 = AtomicU64::new(0);

/// Notes that sampling begins.
pub(super) fn begin() {
    SINCE.store(process_time(), Ordering::Relaxed);
}

/// Notes that sampling ends.
pub(super) fn end() {
    let since = SINCE.swap(STOPPED, Ordering::Relaxed);
    if since != STOPPED {
        SAMPLED.fetch_add(process_time() - since, Ordering::Relaxed);
    }
}

/// Returns `true` if the process is sampled now.
pub(super) fn is_sampled() -> bool {
    SINCE.load(Ordering::Relaxed) != STOPPED
}

/// Notes that samples were lost.
pub(super) fn lose(samples: u64) {
    LOST.fetch_add(samples, Ordering::Relaxed);
}

/// Notes that the kernel took fewer samples than it was asked for.
pub(super) fn slow_down() {
    SLOWED_DOWN.fetch_add(1, Ordering::Relaxed);
}

/// Forgets what the parent was sampled, in a forked child.
pub(super) fn forget() {
    SINCE.store(STOPPED, Ordering::Relaxed);
    reset();
}

/// Begins again from zero, as the histogram does.
pub(crate) fn reset() {
    SAMPLED.store(0, Ordering::Relaxed);
    LOST.store(0, Ordering::Relaxed);
    SLOWED_DOWN.store(0, Ordering::Relaxed);
    if is_sampled() {
        begin();
    }
}

/// Samples per second of CPU time as they really came, for samplers that may lose some. It is the
/// nominal rate unless clearly another: a few samples tell little.
pub(super) fn measured_rate(hz: u32) -> u32 {
    let samples = histogram::inside() + histogram::outside();
    rate_of(samples, sampled_time(), hz)
}

fn rate_of(samples: u64, nanoseconds: i64, hz: u32) -> u32 {
    /// Samples more or less that are chance, and the part of them that does not matter.
    const CHANCE: u64 = 3;
    const PART: u64 = 50;
    let second = SECOND.unsigned_abs();
    let time = nanoseconds.unsigned_abs();
    let expected = (time / 1000).saturating_mul(hz.into()) / (second / 1000);
    if samples == 0 || samples.abs_diff(expected) <= CHANCE.max(expected / PART) {
        return hz;
    }
    let rate = samples.saturating_mul(second / 1000).saturating_add(time / 2000);
    rate.checked_div(time / 1000).map_or(hz, |rate| u32::try_from(rate).unwrap_or(hz).max(1))
}

/// Samples that the kernel should have taken, and that the histogram has not got.
pub(crate) struct Lost {
    /// Samples that found no room.
    pub(crate) samples: u64,
    /// True if the kernel took fewer samples than it was asked for.
    pub(crate) was_slow: bool,
}

/// Samples lost since it was asked last.
pub(crate) fn take_lost() -> Lost {
    Lost {
        samples: LOST.swap(0, Ordering::Relaxed),
        was_slow: SLOWED_DOWN.swap(0, Ordering::Relaxed) != 0,
    }
}

/// Nanoseconds of CPU time while the process was sampled.
pub(crate) fn sampled_time() -> i64 {
    let since = SINCE.load(Ordering::Relaxed);
    let running = if since == STOPPED { 0 } else { process_time() - since };
    SAMPLED.load(Ordering::Relaxed) + running
}

fn process_time() -> i64 {
    CpuClock::PROCESS.nanoseconds().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_nominal_until_clearly_another() {
        for (samples, nanoseconds, hz, rate) in [
            (0, 0, 100, 100),
            (0, SECOND, 100, 100),
            (7, SECOND / 10, 100, 100),
            (41, SECOND * 8 / 10, 100, 51),
            (99, SECOND, 100, 100),
            (2_500, 10 * SECOND, 1_000, 250),
            (830, 10 * SECOND, 100, 83),
            (1_000, 0, 100, 100),
            (60, 600 * SECOND, 100, 1),
        ] {
            assert_eq!(rate_of(samples, nanoseconds, hz), rate, "{samples} in {nanoseconds}");
        }
    }
}
