//! Pace of a thread's samples: its timer, the beat in the timer's place, and the periods that have ended.
//!
//! *Context:* startup, signal, exit.

use core::sync::atomic::Ordering;

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::{self, CpuClock, SECOND, Timer};

use super::roster::{self, Entry, FIRST_HANDLE};
use super::{beat, chance, rounding};

/// Nanoseconds of CPU time for which a sample stands.
static PERIOD: AtomicI64 = AtomicI64::new(SECOND);

/// Half a scheduler tick in nanoseconds.
static HALF_TICK: AtomicI64 = AtomicI64::new(0);

/// Sets how many samples a second of CPU time has; whether that is another number than before.
pub(super) fn set(hz: u32) -> bool {
    let period = SECOND / i64::from(hz.max(1));
    HALF_TICK.store(platform::scheduler_tick() / 2, Ordering::Relaxed);
    PERIOD.swap(period, Ordering::Relaxed) != period
}

/// Nanoseconds of CPU time for which a sample stands.
pub(super) fn period() -> i64 {
    PERIOD.load(Ordering::Relaxed)
}

/// Half a scheduler tick in nanoseconds.
pub(super) fn half_tick() -> i64 {
    HALF_TICK.load(Ordering::Relaxed)
}

/// Returns `true` if timers on CPU clocks would be late, so that they could not choose their moments.
fn is_faster_than_ticks(period: i64) -> bool {
    period <= 2 * half_tick()
}

/// Returns `true` if threads have beats, or may yet.
pub(super) fn may_beat() -> bool {
    is_faster_than_ticks(period()) && beat::are_possible()
}

/// Nanoseconds that are counted before they are used. A thread ends, on average, half a tick after the last look at it where looks
/// come at ticks. Beats see nearly all of its time but the [first tick](periods_of_timer).
fn advance() -> i64 {
    if may_beat() { 0 } else { half_tick() }
}

/// Nanoseconds after which a thread's timer looks whether its beat comes.
const WATCH: i64 = SECOND / 20;

/// Begins a thread's periods: nothing of its CPU time from `since` on is in samples yet.
pub(super) fn begin(entry: &Entry, since: i64) {
    entry.clock.store(since - advance(), Ordering::Relaxed);
    entry.offset.store(rounding::next_part(period()), Ordering::Relaxed);
    entry.first_until.store(0, Ordering::Relaxed);
}

/// The CPU time of a thread until which it is in samples.
pub(super) fn counted_until(entry: &Entry) -> i64 {
    entry.clock.load(Ordering::Relaxed) + advance()
}

/// Has a thread sampled again whose clock is at `now`.
pub(super) fn run(timer: Timer, entry: &Entry, now: i64) {
    if beat::is_there(entry) {
        timer.set(WATCH, WATCH);
    } else if awaits_first(entry) {
        timer.set(1, period());
    } else {
        let due = entry.clock.load(Ordering::Relaxed) + entry.offset.load(Ordering::Relaxed);
        timer.set((due - now).max(1), period());
    }
}

/// Returns `true` if the next look is the first, at a tick, and a beat may follow.
fn awaits_first(entry: &Entry) -> bool {
    entry.last_pc.load(Ordering::Relaxed) == 0 && may_beat()
}

/// Has the timer of the calling thread go off when the next look is due. One that is too slow goes off at each tick.
pub(super) fn proceed(timer: Timer, entry: &Entry) {
    if !is_faster_than_ticks(period()) {
        restart_own(timer, entry);
    }
}

fn restart_own(timer: Timer, entry: &Entry) {
    if let Some(now) = CpuClock::THREAD.nanoseconds() {
        run(timer, entry, now);
    }
}

/// Goes back to the timer where a beat does not come, because the thread blocks its signal.
pub(super) fn watch(timer: Timer, entry: &Entry, periods: u32) {
    if periods != 0 {
        beat::give_up(entry);
        restart_own(timer, entry);
    }
}

/// Has a beat take the place of the calling thread's timer, where that is too slow; whether it has.
pub(super) fn quicken(timer: Timer, entry: &Entry) -> bool {
    let has = is_faster_than_ticks(period()) && beat::start(entry, period());
    if has {
        timer.set(WATCH, WATCH);
    }
    has
}

/// Has timers that only watched their threads sample them again, where beats have ended.
pub(super) fn leave_to_timers() {
    roster::sampled().for_each(restart);
}

fn restart(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    if let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) {
        run(timer_of(handle), entry, now);
    }
}

/// Stops a thread's timer. What it has used of a period counts when it goes on.
pub(super) fn pause(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    if let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) {
        timer_of(handle).hold();
        beat::stop(entry);
        entry.paused.store(now, Ordering::Relaxed);
    }
}

pub(super) fn resume(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) else { return };
    let due = entry.clock.load(Ordering::Relaxed) + now - entry.paused.load(Ordering::Relaxed);
    entry.clock.store(due, Ordering::Relaxed);
    // It has not been seen since the pause.
    entry.last_pc.store(0, Ordering::Relaxed);
    run(timer_of(handle), entry, now);
}

/// Samples a thread again after a pause, in periods of another length.
pub(super) fn begin_anew(entry: &Entry) {
    let clock = CpuClock::of_thread(entry.tid());
    let (Some(handle), Some(now)) = (entry.handle(), clock.nanoseconds()) else { return };
    begin(entry, now);
    run(timer_of(handle), entry, now);
}

pub(super) fn timer_of(handle: usize) -> Timer {
    Timer::from_id((handle - FIRST_HANDLE) as i32)
}

/// Number of periods that a look by the calling thread's timer stands for.
///
/// The first comes at a tick, and then a beat follows. What a thread does in its first tick is seen with equal chances at each moment
/// of it: so the look stands for all of that tick, however early it comes, and beats for what comes behind it.
pub(super) fn periods_of_timer(now: i64, entry: &Entry) -> u32 {
    if !awaits_first(entry) {
        return periods_until(now, entry);
    }
    let until = now.max(entry.clock.load(Ordering::Relaxed) + 2 * half_tick());
    entry.first_until.store(until, Ordering::Relaxed);
    due_until(until, entry)
}

/// Nanoseconds of the calling thread's time that are still to be counted at `now`, or were counted too early.
pub(super) fn behind(now: i64, entry: &Entry) -> i64 {
    now.max(entry.first_until.load(Ordering::Relaxed)) - counted_until(entry)
}

/// Number of periods whose looks were due since the last call, and begins the next one. Whoever is
/// faster, the thread's handler or who catches up, gets them.
pub(super) fn periods_until(now: i64, entry: &Entry) -> u32 {
    if beat::is_there(entry) { missed_until(now, entry) } else { due_until(now, entry) }
}

/// Number of periods whose looks are overdue, as of a thread that may be about to end.
///
/// Periods that begin early have counted at the last look, which was a tick ago at most if signals come, what came after it, on
/// average. To count up to now as well would give each process half a tick too much.
pub(super) fn overdue_until(now: i64, entry: &Entry) -> u32 {
    match periods_until(now - 2 * advance(), entry) {
        0 => 0,
        overdue => overdue + periods_until(now - advance(), entry),
    }
}

/// Each period has one look, at a moment of its own.
fn due_until(now: i64, entry: &Entry) -> u32 {
    let (from, period) = (entry.clock.load(Ordering::Relaxed), period());
    let Some((counted, offset)) =
        looks_due(now - from, entry.offset.load(Ordering::Relaxed), period)
    else {
        return 0;
    };
    if !count(entry, from, counted * period) {
        return 0;
    }
    entry.offset.store(offset, Ordering::Relaxed);
    u32::try_from(counted).unwrap_or(u32::MAX)
}

/// Number of looks that are due so long after a period began whose own is at `offset`, and the offset of the next in its
/// period; `None` if there are none.
pub(in super::super) fn looks_due(since: i64, offset: i64, period: i64) -> Option<(i64, i64)> {
    if since < offset {
        return None;
    }
    let whole = since.checked_div(period)?;
    let next = chance::below(period);
    let has_current = whole == 0 || since - whole * period >= next;
    Some(if has_current { (whole + 1, chance::below(period)) } else { (whole, next) })
}

/// Periods that a beat should have counted, which does not come.
fn missed_until(now: i64, entry: &Entry) -> u32 {
    let last = entry.beat_at.load(Ordering::Relaxed);
    if now - last <= WATCH / 2 + 2 * entry.distance.load(Ordering::Relaxed) {
        return 0;
    }
    let from = entry.clock.load(Ordering::Relaxed);
    let missed = (now - counted_until(entry)).checked_div(period()).unwrap_or(0).max(0);
    if missed == 0 || !count(entry, from, missed * period()) {
        return 0;
    }
    entry.beat_at.store(now, Ordering::Relaxed);
    u32::try_from(missed).unwrap_or(u32::MAX)
}

/// Number of periods that a beat of the calling thread stands for. The thread's next beats come sooner or later, as too
/// few or too many periods are counted.
pub(super) fn periods_of_beat(now: i64, entry: &Entry) -> u32 {
    let last = entry.beat_at.swap(now, Ordering::Relaxed);
    if now < entry.first_until.load(Ordering::Relaxed) {
        return 0;
    }
    let late = now - last - entry.distance.load(Ordering::Relaxed);
    let periods = periods_of_late_beat(late, period());
    entry.clock.fetch_add(periods * period(), Ordering::Relaxed);
    if !beat::note(entry, behind(now, entry), period()) {
        leave_to_timers();
    }
    u32::try_from(periods).unwrap_or(u32::MAX)
}

/// Number of periods that a beat stands for which is so many nanoseconds late: its own, however long or short its
/// distance was by chance, and those that have passed since it was due.
fn periods_of_late_beat(late: i64, period: i64) -> i64 {
    1 + (late.max(0) + period / 2).checked_div(period).unwrap_or(0)
}

/// Counts so much more of a thread's time, unless somebody else has done so.
fn count(entry: &Entry, from: i64, time: i64) -> bool {
    let (done, failed) = (Ordering::Relaxed, Ordering::Relaxed);
    entry.clock.compare_exchange(from, from + time, done, failed).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever looks, and when: over time there is one look for each period, at any part of it.
    #[test]
    fn each_period_has_one_look_at_a_moment_of_its_own() {
        const PERIOD: i64 = 1_000_000;
        for step in [10_000, 250_000, PERIOD, 3_700_000] {
            let (mut from, mut offset, mut looks, mut sum) = (0, 0, 0, 0);
            let steps = 2_000 * PERIOD / step;
            for now in (1..=steps).map(|n| n * step) {
                if let Some((due, next)) = looks_due(now - from, offset, PERIOD) {
                    (from, offset, looks) = (from + due * PERIOD, next, looks + due);
                    sum += now % PERIOD;
                    assert!((0..PERIOD).contains(&offset) && from - now <= PERIOD);
                }
            }
            assert!((looks - 2_000).abs() <= 4, "{step}: {looks}");
            // Steps that are short let the moment be anywhere.
            let mean = sum / looks;
            assert!(step > 10_000 || (mean - PERIOD / 2).abs() < PERIOD / 20, "{step}: {mean}");
        }
        assert_eq!(looks_due(4, 5, 10), None);
    }

    /// A thread whose host takes the processor away, or that blocks the signal, has late beats. They count the time that
    /// passed, and not the beats that would have fitted into it: those of a short distance would be many.
    #[test]
    fn late_beats_count_the_time_that_passed() {
        const PERIOD: i64 = 1_000_000;
        let (mut passed, mut counted) = (0, 0);
        for number in 0..10_000 {
            let distance = PERIOD / 16 + chance::part(PERIOD * 15 / 8, number);
            let late = if number % 10 == 0 { 20 * PERIOD } else { 0 };
            passed += distance + late;
            counted += periods_of_late_beat(late, PERIOD) * PERIOD;
        }
        assert!((counted - passed).abs() < passed / 100, "{counted} of {passed}");
        // One that comes a little early, as clocks are read, is one all the same.
        assert_eq!(periods_of_late_beat(-1, PERIOD), 1);
    }
}
