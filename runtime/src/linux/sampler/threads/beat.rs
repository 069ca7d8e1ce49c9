//! The exact clocks of threads that are sampled more often than the scheduler looks at timers.
//!
//! A thread starts its own at its first sample: most threads are shorter than that. A kernel that does not let this
//! user have them is not asked again. Nor is one used in a process that is traced: its debugger would stop at each
//! signal.
//!
//! The period of such a clock cannot be changed without its descriptor, which the program must not meet. So after a few beats
//! another one takes its place, with a period by chance.
//!
//! *Context:* `start` and `note` signal; `stop` any.

use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_system::brief;
use gmon_system::platform::{self, Beat, CpuClock, Errno};
use gmon_system::program::Program;

use super::roster::{self, Entry};
use super::{chance, pace};
use crate::linux::sampler::signal;

/// State of the beats: whether they can be had.
static STATE: AtomicUsize = AtomicUsize::new(UNKNOWN);
const UNKNOWN: usize = 0;
const GRANTED: usize = 1;
const REFUSED: usize = 2;

/// Beats of a clock before another takes its place.
fn beats_of_each(period: i64) -> i64 {
    const BEATS: i64 = 3;
    /// Nanoseconds that it serves on average: at high rates making it would take too much of the time.
    const SERVICE: i64 = 3_000_000;
    SERVICE.checked_div(period).unwrap_or(BEATS).max(BEATS)
}

/// Starts one for the calling thread, unless it has one; whether it has just got it.
pub(super) fn start(entry: &Entry, period: i64) -> bool {
    if entry.beat.load(Ordering::Acquire) != 0 || !can_be_had() {
        return false;
    }
    let behind = CpuClock::THREAD.nanoseconds().map_or(0, |now| pace::behind(now, entry));
    match make(entry, behind, period) {
        Some(Ok(beat)) => replace(entry, beat.into_address()),
        Some(Err(error)) => {
            if !is_short(error) {
                refuse();
            }
            return false;
        }
        None => return false,
    }
    true
}

/// Notes a beat of the calling thread, after which so many nanoseconds of its time are still to be counted, or have been
/// counted too early; false if timers are to take the place of beats.
pub(super) fn note(entry: &Entry, behind: i64, period: i64) -> bool {
    let beats = entry.beats.fetch_add(1, Ordering::Relaxed) + 1;
    if (beats as i64) < beats_of_each(period) {
        return true;
    }
    let old = entry.beat.load(Ordering::Acquire);
    match make(entry, behind, period) {
        Some(Ok(beat)) => {
            let new = beat.into_address();
            let is_replaced =
                entry.beat.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok();
            // Somebody else has stopped the old one meanwhile.
            let stopped = if is_replaced { old } else { new };
            // SAFETY: who has taken an address out of the entry, or not put it there, is the only one who has it.
            unsafe { Beat::stop(stopped, page()) };
        }
        // The old one would go on at its distance, which is no period but one by chance: each of its beats would count
        // too much or too little. A process that is another user's by now is refused for good.
        Some(Err(error)) => {
            if is_short(error) {
                stop(entry)
            } else {
                leave()
            };
            return false;
        }
        // The old one serves until the fork is over, and the next ones make up for it.
        None => {}
    }
    true
}

/// Returns `true` of an error that says what is short for the moment and may be there later.
fn is_short(error: Errno) -> bool {
    [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::EAGAIN].contains(&error.0)
}

/// Makes one for the calling thread, with a period by chance; `None` while a fork goes on.
fn make(entry: &Entry, behind: i64, period: i64) -> Option<Result<Beat, Errno>> {
    /// Clocks after which what is behind is made up for.
    const CLOCKS: i64 = 4;
    let owed = behind / CLOCKS / beats_of_each(period);
    let next = distance((period - owed).max(period / 2).min(period * 3 / 2));
    let start = || Beat::start(next, page());
    let made = brief::run(start)?;
    if made.is_ok() {
        entry.beats.store(0, Ordering::Relaxed);
        entry.distance.store(next, Ordering::Relaxed);
        // What happened until now is no beat's that is missing.
        let now = CpuClock::THREAD.nanoseconds().unwrap_or(0);
        entry.beat_at.store(now, Ordering::Relaxed);
    }
    Some(made)
}

/// A distance between beats by chance, for distances of this mean, in nanoseconds.
///
/// Distances are from a sixteenth of the mean to nearly twice the mean: so the samples of a program that has a rhythm of its own
/// vary as if each were at any moment, which is what `±` says. To draw for every single beat would cost more, and to
/// draw seldom would leave a rhythm.
fn distance(mean: i64) -> i64 {
    /// On virtual machines a beat takes up to 35 µs. If the next one is due by then, the thread does not go on, nor does
    /// its handler: for a quarter of a second, at 20 µs.
    const LEAST: i64 = 50_000;
    let shortest = (mean / 16).max(LEAST);
    shortest + chance::below((2 * (mean - shortest)).max(0))
}

fn can_be_had() -> bool {
    if STATE.load(Ordering::Acquire) == UNKNOWN {
        let granted = !platform::is_traced() && signal::handle_beats() && page() != 0;
        STATE.store(if granted { GRANTED } else { REFUSED }, Ordering::Release);
    }
    STATE.load(Ordering::Acquire) == GRANTED
}

/// Ends that of a thread.
pub(super) fn stop(entry: &Entry) {
    replace(entry, 0);
}

/// Ends that of a thread for good.
pub(super) fn give_up(entry: &Entry) {
    replace(entry, NO_MORE);
}

/// In place of an address: the thread is not to have one.
const NO_MORE: usize = 1;

fn replace(entry: &Entry, new: usize) {
    let address = entry.beat.swap(new, Ordering::AcqRel);
    if address != NO_MORE {
        // SAFETY: who has taken the address out of the entry is the only one who has it.
        unsafe { Beat::stop(address, page()) };
    }
}

/// Returns `true` if a thread has one.
pub(super) fn is_there(entry: &Entry) -> bool {
    ![0, NO_MORE].contains(&entry.beat.load(Ordering::Relaxed))
}

/// Ends all of them for good.
pub(super) fn leave() {
    refuse();
    roster::sampled().for_each(stop);
}

fn refuse() {
    STATE.store(REFUSED, Ordering::Release);
}

/// Returns `true` if threads have them, or may yet.
pub(super) fn are_possible() -> bool {
    STATE.load(Ordering::Acquire) != REFUSED
}

/// Returns `true` if threads have them.
pub(super) fn are_granted() -> bool {
    STATE.load(Ordering::Acquire) == GRANTED
}

fn page() -> usize {
    Program::get().map_or(0, |program| program.page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_their_mean_and_let_the_thread_go_on() {
        const DRAWS: i64 = 20_000;
        for mean in [100_000, 300_000, 1_000_000] {
            let all = || (0..DRAWS).map(|_| distance(mean));
            assert!((all().sum::<i64>() / DRAWS - mean).abs() < mean / 50, "{mean}");
            assert!(all().min() >= Some(50_000) && all().max() > Some(mean * 7 / 5), "{mean}");
        }
        // A thread that is behind at the highest rate.
        assert_eq!(distance(50_000), 50_000);
    }
}
