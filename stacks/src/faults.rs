//! Time in which the kernel brought pages, by the instructions that wanted them.
//!
//! A signal that comes in the meantime is delivered at the instruction that wants the page, where a thread may be for other
//! reasons, too. But the kernel reports one in [`TOLD`] faults with its instruction. That many faults, times what one takes on this
//! machine, is the time that an instruction is owed. As many of the looks that find the thread there count as looks at faults.
//!
//! *Context:* signal.

use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::{self, CpuClock, SECOND};
use gmon_system::program;

/// The kernel reports one fault in so many.
pub(super) const TOLD: u64 = 16;

/// Nanoseconds between samples.
static PERIOD: AtomicI64 = AtomicI64::new(SECOND / 100);

/// Begins to count faults in a profile of so many samples per second.
pub(super) fn begin(rate: u32) {
    PERIOD.store(SECOND / i64::from(rate.max(1)), Ordering::Relaxed);
}

/// The instructions of a thread that want pages. Empty when zero.
pub(super) struct Faults([Place; PLACES]);

const PLACES: usize = 8;

/// An instruction.
#[repr(C)]
struct Place {
    pc: AtomicUsize,
    /// Nanoseconds of its faults that no look has stood for yet; less than zero if looks stood for more.
    owed: AtomicI64,
}

/// Time that is owed to an instruction at most: what is older says nothing of now.
const MOST: i64 = 50_000_000;

impl Faults {
    fn place(&self, pc: usize) -> Option<&Place> {
        self.0.get((pc ^ (pc >> 5)) % PLACES)
    }

    /// Notes a fault that the kernel told.
    pub(super) fn note(&self, pc: usize) {
        let Some(place) = self.place(pc) else { return };
        let time = TOLD as i64 * nanoseconds();
        let owed = place.owed.load(Ordering::Relaxed);
        if place.pc.load(Ordering::Relaxed) == pc {
            place.owed.store((owed + time).min(MOST), Ordering::Relaxed);
        } else if owed > time {
            // The one that is there has had more of them.
            place.owed.store(owed - time, Ordering::Relaxed);
        } else {
            place.owed.store(time, Ordering::Relaxed);
            place.pc.store(pc, Ordering::Relaxed);
        }
    }

    /// Returns `true` if a look at an instruction, of so many periods, is one at its faults.
    pub(super) fn take(&self, pc: usize, weight: u64) -> bool {
        let Some(place) = self.place(pc) else { return false };
        let time = (weight as i64).saturating_mul(PERIOD.load(Ordering::Relaxed));
        let owed = place.owed.load(Ordering::Relaxed);
        let is_one = place.pc.load(Ordering::Relaxed) == pc && owed >= time / 2 && owed > 0;
        if is_one {
            place.owed.store(owed - time, Ordering::Relaxed);
        }
        is_one
    }
}

/// Nanoseconds that a fault takes on this machine, measured once.
fn nanoseconds() -> i64 {
    static KNOWN: AtomicI64 = AtomicI64::new(0);
    match KNOWN.load(Ordering::Relaxed) {
        0 => {
            let measured = measure().unwrap_or(1000).clamp(100, 20_000);
            KNOWN.store(measured, Ordering::Relaxed);
            measured
        }
        known => known,
    }
}

fn measure() -> Option<i64> {
    const PAGES: usize = 32;
    let page_size = program::page_size();
    let len = page_size * PAGES;
    let memory = platform::map(len)?;
    let begun = CpuClock::THREAD.nanoseconds()?;
    for page in 0..PAGES {
        // SAFETY: inside the mapping, which is this function's.
        unsafe { memory.add(page * page_size).write_volatile(1) };
    }
    let ended = CpuClock::THREAD.nanoseconds()?;
    // SAFETY: the mapping that was made above, in which nothing is kept.
    unsafe { platform::unmap(memory, len) };
    Some((ended - begun) / PAGES as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_stand_for_the_time_of_faults() {
        // SAFETY: all of it is valid when zero.
        let faults: Faults = unsafe { core::mem::zeroed() };
        assert!(!faults.take(0x1234, 1) && !faults.take(0, 1));
        const ROUNDS: i64 = 10_000;
        let period = PERIOD.load(Ordering::Relaxed);
        let mut found = 0;
        for _ in 0..ROUNDS {
            faults.note(0x1234);
            found += i64::from(faults.take(0x1234, 1));
            assert!(!faults.take(0x1235, 1));
        }
        let expected = (ROUNDS * TOLD as i64 * nanoseconds() / period).min(ROUNDS);
        assert!(found.abs_diff(expected) <= 1, "{found} {expected}");
    }
}
