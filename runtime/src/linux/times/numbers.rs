//! The numbers of a function in a thread, as a full profile has them.
//!
//! *Context:* any.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU32, Ordering};

use gmon_format::live::Timing;
use gmon_system::atomic::AtomicU64;

use super::{choice, clock};
use crate::linux::options::Options;

/// [`Timing`]: the same fields in the same order.
#[repr(C)]
pub(crate) struct Numbers {
    function: AtomicU64,
    thread: AtomicU64,
    timed: AtomicU64,
    without_end: AtomicU64,
    total_ns: AtomicU64,
    longest_ns: AtomicU64,
    /// Of every so many calls, less one, one is timed: a power of two, less one.
    every: AtomicU64,
    seen: AtomicU64,
    buckets: [AtomicU32; Timing::BUCKETS],
    /// Address to which the calls returned, or 0.
    caller: AtomicU64,
}

/// `asm/shared.times.S` says where the fields are.
const _: () = {
    assert!(size_of::<Numbers>() == Timing::LEN);
    assert!(offset_of!(Numbers, timed) == 16 && offset_of!(Numbers, total_ns) == 32);
    assert!(offset_of!(Numbers, longest_ns) == 40 && offset_of!(Numbers, every) == 48);
    assert!(offset_of!(Numbers, seen) == 56 && offset_of!(Numbers, buckets) == 64);
    assert!(Timing::MOST_NS == (1 << 39) - 1);
};

impl Numbers {
    /// Makes them those of a function in a thread.
    pub(super) fn begin(&self, function: usize, thread: i32) {
        self.thread.store(thread.unsigned_abs().into(), Ordering::Relaxed);
        self.function.store(function as u64, Ordering::Release);
    }

    /// An address in the function; 0 if they are of none.
    pub(super) fn function(&self) -> u64 {
        self.function.load(Ordering::Acquire)
    }

    /// The address to which the calls returned; 0 if they are not told apart by that.
    pub(super) fn caller(&self) -> u64 {
        self.caller.load(Ordering::Relaxed)
    }

    /// Makes them those of a function's calls in a thread that return to an address, if they are nobody's. False if they are
    /// another's.
    pub(super) fn take(&self, function: u64, thread: i32, caller: u64) -> bool {
        let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
        let known = match self.caller() {
            0 => match self.caller.compare_exchange(0, caller, success, failure) {
                Ok(_) => {
                    self.begin(function as usize, thread);
                    return true;
                }
                Err(known) => known,
            },
            known => known,
        };
        known == caller && self.function() == function
    }

    /// Makes them nobody's again, once there is nothing in them.
    pub(super) fn leave(&self) {
        self.function.store(0, Ordering::Relaxed);
        self.caller.store(0, Ordering::Release);
    }

    pub(super) fn has_some(&self) -> bool {
        let is_there = |number: &AtomicU64| number.load(Ordering::Relaxed) != 0;
        is_there(&self.timed) || is_there(&self.without_end)
    }

    /// Of every so many calls, less one, one is timed.
    pub(super) fn every(&self) -> u64 {
        self.every.load(Ordering::Relaxed)
    }

    /// Notes of how many calls of its function one is timed.
    pub(super) fn with_every(&self, function: &Self) -> &Self {
        self.every.store(function.every(), Ordering::Relaxed);
        self
    }

    /// Adds a call that took so many nanoseconds, and stands for as many others.
    pub(super) fn add(&self, ns: u64, others: u64) {
        let calls = others.saturating_add(1);
        self.timed.fetch_add(1, Ordering::Relaxed);
        self.total_ns.fetch_add(ns.saturating_mul(calls), Ordering::Relaxed);
        self.longest_ns.fetch_max(ns, Ordering::Relaxed);
        self.add_to(Timing::bucket_of(ns), calls);
    }

    fn add_to(&self, bucket: usize, calls: u64) {
        let Some(count) = self.buckets.get(bucket) else { return };
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        let sum = |count: u32| Some(count.saturating_add(calls));
        // Several threads may end at once, and hand over what they have.
        _ = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
    }

    /// Counts a call whose end was not seen.
    pub(super) fn lose(&self) {
        self.without_end.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a call. Hooks that time calls do that themselves, but for the first call of all, which comes before they know where to.
    pub(super) fn see(&self) {
        if choice::are_by_state() {
            _ = self.seen.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            self.seen.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes that no call was seen yet.
    pub(super) fn see_none(&self) {
        self.seen.store(0, Ordering::Relaxed);
    }

    /// Returns `true` if the call that the hook has just seen is one that is timed.
    pub(super) fn is_due(&self) -> bool {
        let last = self.seen.load(Ordering::Relaxed).wrapping_sub(1);
        last & self.every() == 0
    }

    /// Decides which calls are timed from now on, by the ticks that the last [`JUDGED`] took: times of calls are to cost no more
    /// than a twentieth of the thread's time.
    pub(super) fn judge(&self, ticks: u64) {
        const PART: u64 = 20;
        /// Of fewer calls nobody would learn anything.
        const MOST: u64 = (1 << 12) - 1;
        let every = self.every();
        // Nanoseconds of timing a call, and of telling it apart by caller. Only those of x86-64 are measured.
        let [cost, by_caller] = match choice::are_by_state() {
            true if cfg!(target_arch = "x86_64") => [30, 40],
            true => [80, 40],
            false => [200, 20],
        };
        let cost = cost + if Options::get().times_by_caller { by_caller } else { 0 };
        let cost = JUDGED.checked_div(every.wrapping_add(1)).unwrap_or(0) * cost;
        let elapsed = clock::nanoseconds(ticks).max(1);
        let next = match cost * PART / elapsed {
            0 if cost * PART * 4 < elapsed => every >> 1,
            0 => every,
            _ => (every << 1 | 1).min(MOST),
        };
        self.every.store(next, Ordering::Relaxed);
    }

    /// Returns `true` if it is time to [`judge`](Self::judge).
    pub(super) fn is_to_be_judged(&self) -> bool {
        self.seen.load(Ordering::Relaxed) % JUDGED == 1
    }

    /// Moves all to others.
    pub(super) fn pour_into(&self, others: &Self) {
        for (own, other) in [
            (&self.timed, &others.timed),
            (&self.without_end, &others.without_end),
            (&self.total_ns, &others.total_ns),
        ] {
            other.fetch_add(own.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        }
        let longest = self.longest_ns.swap(0, Ordering::Relaxed);
        others.longest_ns.fetch_max(longest, Ordering::Relaxed);
        others.with_every(self);
        for (bucket, count) in self.buckets.iter().enumerate() {
            if count.load(Ordering::Relaxed) != 0 {
                others.add_to(bucket, count.swap(0, Ordering::Relaxed).into());
            }
        }
    }

    pub(super) fn reset(&self) {
        for number in [&self.timed, &self.without_end, &self.total_ns, &self.longest_ns] {
            number.store(0, Ordering::Relaxed);
        }
        self.buckets.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }
}

/// Calls after which it is decided again which are timed; the hook's `TIMES_JUDGED` is one less.
const JUDGED: u64 = 1 << 12;

impl AsRef<[u8]> for Numbers {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: numbers without gaps, of any value. They may change meanwhile: whoever writes them takes what is there.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(self).cast(), size_of::<Self>()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gmon_system::region::Region;

    fn none() -> &'static Numbers {
        let region = Region::map(size_of::<Numbers>()).expect("memory");
        // SAFETY: zeroed memory of its size, which stays; all of it is numbers.
        unsafe { region.base().cast::<Numbers>().as_ref() }
    }

    #[test]
    fn no_call_is_lost_when_threads_end_at_once() {
        const CALLS: u64 = 100_000;
        let all = none();
        let threads = [1_000, 1_001].map(|ns| {
            std::thread::spawn(move || {
                let own = none();
                for _ in 0..CALLS {
                    own.add(ns, 0);
                    own.pour_into(all);
                }
            })
        });
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        let bucket = &all.buckets[Timing::bucket_of(1_000)];
        let calls = u64::from(bucket.load(Ordering::Relaxed));
        assert_eq!((calls, all.timed.load(Ordering::Relaxed)), (2 * CALLS, 2 * CALLS));
    }
}
