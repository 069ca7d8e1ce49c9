//! The thread that looks at all others, once in each period.
//!
//! *Context:* `start` startup or hook; `wait` as [`Sampler::stop`](super::Sampler::stop); the rest the watcher.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gmon_system::platform;

use super::look::{self, Outcome};
use super::{PERIOD, is_held, is_wanted};
use crate::linux::sampler::own_thread::OwnThread;
use crate::linux::sampler::threads::{chance, roster};
use crate::linux::sampler::tick;

static WATCHER: OwnThread = OwnThread::new();

/// True if it looks just now.
static IS_LOOKING: AtomicBool = AtomicBool::new(false);

/// The threads' entries from which on it looks next.
static TURN: AtomicUsize = AtomicUsize::new(0);

/// Signals that it sends, and stacks that it walks, at a time. The threads that come after it wait for the next time.
const MOST_SIGNALS: usize = 256;

/// Rest, as a multiple of the time that a look took, at least.
const REST: i64 = 9;

/// Starts the watcher if there is none; false if the system grants no thread.
pub(super) fn start() -> bool {
    WATCHER.start(watch)
}

/// Returns `true` if a thread is the watcher.
pub(super) fn is(tid: i32) -> bool {
    WATCHER.is(tid)
}

/// Forgets the parent's watcher, in a forked child.
pub(super) fn forget() {
    WATCHER.forget();
    IS_LOOKING.store(false, Ordering::SeqCst);
}

/// Waits until it does not look, but not for ever.
pub(super) fn wait() {
    const PATIENCE: usize = 1000;
    for _ in 0..PATIENCE {
        // Signals that were sent to the calling thread arrive here.
        platform::yield_cpu();
        if !IS_LOOKING.load(Ordering::SeqCst) {
            break;
        }
    }
}

extern "C" fn watch() -> ! {
    WATCHER.introduce();
    let (mut earliest, mut due) = (0, 0);
    loop {
        let now = platform::monotonic();
        platform::sleep(next_look(now, earliest) - now);
        let begun = platform::monotonic();
        WATCHER.follow_rights(begun);
        IS_LOOKING.store(true, Ordering::SeqCst);
        let is_anybody_left = match is_wanted() {
            true => look_at_all(),
            false => !is_due(begun, &mut due) || !WATCHER.is_last(|_| ()),
        };
        IS_LOOKING.store(false, Ordering::SeqCst);
        if !is_anybody_left {
            WATCHER.end();
        }
        if !is_held() {
            tick();
        }
        let ended = platform::monotonic();
        earliest = ended + (ended - begun) * REST;
    }
}

/// Returns `true` if it is time to see whether somebody is left, in a pause or after the profile's end.
fn is_due(now: i64, due: &mut i64) -> bool {
    const PAUSE: i64 = platform::SECOND / 10;
    let is_due = now >= *due;
    if is_due {
        *due = now + PAUSE;
    }
    is_due
}

/// When to look next, `now` or later, but not before a moment: in a later period, at the part that is its turn.
fn next_look(now: i64, earliest: i64) -> i64 {
    let period = PERIOD.load(Ordering::Relaxed).max(1);
    let first = (now / period + 1).max(earliest / period);
    let moment = |number: i64| number * period + chance::part(period, number as u32);
    let at = moment(first);
    if at < earliest { moment(first + 1) } else { at }
}

/// Looks at all threads, each in its turn. False if there are none that could be sampled any more.
fn look_at_all() -> bool {
    // Without /proc those are known that count calls.
    if WATCHER.is_last(look::arm) {
        return false;
    }
    let entries = || (0..).map_while(|index| Some((index, roster::at(index)?)));
    let turn = TURN.load(Ordering::Relaxed);
    let mut signals = 0;
    for (index, entry) in entries().skip(turn).chain(entries().take(turn)) {
        if entry.handle().is_none() || look::look_at(entry, index) == Outcome::Done {
            continue;
        }
        signals += 1;
        if signals == MOST_SIGNALS {
            TURN.store(index + 1, Ordering::Relaxed);
            break;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use gmon_system::platform::SECOND;

    #[test]
    fn each_period_has_one_look_at_a_moment_of_its_own() {
        let period = SECOND / 100;
        PERIOD.store(period, Ordering::Relaxed);
        let mut now = 12_345_678_901;
        let mut parts = std::vec::Vec::new();
        for _ in 0..1000 {
            let next = next_look(now, now + 1000);
            assert_eq!(next / period, now / period + 1);
            parts.push(next % period);
            now = next;
        }
        for quarter in 0..4 {
            let within = quarter * period / 4..(quarter + 1) * period / 4;
            let number = parts.iter().filter(|part| within.contains(part)).count();
            // The moments are those of the numbers, and always the same.
            assert!((200..=300).contains(&number), "{number}");
        }
        // Who takes long to look looks less often.
        assert!((0..100).all(|_| next_look(now, now + 7 * period) >= now + 7 * period));
    }
}
