//! The ring of a sampled thread: how the kernel is to fill it, and where its samples go.
//!
//! *Context:* as in [`perf`](super).

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use gmon_system::platform::perf::{Modes, Order, Pace, Record, Ring, SOFTWARE, Source};
use gmon_system::platform::{Errno, SECOND};
use gmon_system::program;

use super::collector;
use super::event::Event;
use crate::linux::options::Options;
use crate::linux::sampler::threads::roster::{self, Entry};
use crate::linux::sampler::threads::{chance, pace, rounding};
use crate::linux::sampler::{Sample, account, deliver};

/// True if the kernel is sampled too: until it turns out that the user may not.
static KERNEL: AtomicBool = AtomicBool::new(true);

/// The event; null for time.
static EVENT: AtomicPtr<Event> = AtomicPtr::new(null_mut());

/// `PERF_COUNT_SW_TASK_CLOCK`: nanoseconds of a thread's CPU time.
const TASK_CLOCK: Source = Source { kind: SOFTWARE, config: 1 };

/// Chooses the event to sample by; `None` for time.
pub(super) fn set_event(event: Option<&'static Event>) {
    let event_or_null = event.map_or(null_mut(), |event| core::ptr::from_ref(event).cast_mut());
    EVENT.store(event_or_null, Ordering::Relaxed);
}

/// The event that is sampled by; `None` for time.
fn event() -> Option<&'static Event> {
    // SAFETY: null or the address of a row of the table of events.
    unsafe { EVENT.load(Ordering::Relaxed).as_ref() }
}

/// Returns `true` if the kernel is sampled too.
pub(super) fn has_kernel() -> bool {
    KERNEL.load(Ordering::Relaxed)
}

/// Leaves the kernel out from now on.
pub(super) fn leave_kernel_out() {
    KERNEL.store(false, Ordering::Relaxed);
}

/// Events that a count of 1 in the histogram stands for.
fn events_per_count() -> u64 {
    event().map_or(SECOND as u64 / u64::from(Options::get().hz.max(1)), |event| event.unit)
}

/// A thread's first sample comes when its first period ends: where periods are long, threads that
/// live shorter would never be seen. So they are divided into so many, and counted together.
const FINENESS: u64 = 4;

fn time_between_samples() -> u64 {
    /// The kernel takes no more samples than this for the fineness alone.
    const HZ: u32 = 250;
    let period = events_per_count();
    if Options::get().hz <= HZ { period / FINENESS } else { period }
}

fn order() -> Order {
    /// Bytes for each sample in a second: enough for four passes of the collector.
    const ROOM: usize = 16 * FINENESS as usize;
    /// For what is counted one by one and may come in bursts.
    const BURST: usize = 256 * 1024;
    let hz = Options::get().hz;
    let (source, pace, room) = match event() {
        None => (TASK_CLOCK, Pace::Events(time_between_samples()), ROOM * hz as usize),
        Some(event) if event.unit == 1 => (event.source, Pace::Events(1), BURST),
        Some(event) => (event.source, Pace::PerSecond(hz.into()), ROOM * hz as usize),
    };
    let pace = match pace {
        Pace::Events(time) if event().is_none() => Pace::Events(by_chance(time)),
        pace => pace,
    };
    let modes = if has_kernel() { Modes::UserAndKernel } else { Modes::User };
    let page = program::page_size();
    Order { source, pace, modes, room, page }
}

/// From half of a time to one and a half times as much.
fn by_chance(time: u64) -> u64 {
    (time / 2 + chance::below(time as i64).unsigned_abs()).max(1)
}

/// Returns `true` if a thread can be sampled, because it has not ended.
pub(super) fn can_be_had(tid: i32) -> bool {
    Ring::open(&order(), tid).map(Ring::close) != Err(Errno(libc::ESRCH))
}

/// Begins sampling a thread unless it is sampled, or somebody else is about to begin that. Its next sample also stands for
/// the `unseen` last nanoseconds of its CPU time.
pub(super) fn arm(tid: i32, unseen: impl FnOnce() -> i64) -> Result<(), Errno> {
    let Some(claim) = roster::claim(tid) else { return Ok(()) };
    if collector::is(tid) {
        return Ok(());
    }
    let Some((_, entry)) = claim.entry().map_err(|_| Errno(libc::ENOMEM))? else {
        return Ok(());
    };
    let order = order();
    let ring = Ring::open(&order, tid).inspect_err(|_| entry.leave())?;
    let unit = events_per_count() as i64;
    // A thread ends, on average, half the time between two samples after its last.
    let half = distance(&order) / 2;
    let before = if event().is_none() { half + unseen() } else { 0 };
    entry.clock.store(before, Ordering::Relaxed);
    entry.offset.store(rounding::next_part(unit), Ordering::Relaxed);
    entry.distance.store(distance(&order), Ordering::Relaxed);
    entry.set(ring.into_address());
    Ok(())
}

/// The nanoseconds between two samples.
fn distance(order: &Order) -> i64 {
    match order.pace {
        Pace::Events(time) if event().is_none() => time as i64,
        _ => 0,
    }
}

/// Gives a thread's ring, out of which the samples are taken, to another event, whose samples have another distance by
/// chance: no program keeps step for long. An event's own distance cannot be changed without its descriptor.
pub(super) fn renew(entry: &Entry) {
    if event().is_some() {
        return;
    }
    let Some(handle) = entry.take() else { return };
    let order = order();
    // Without another the old one goes on.
    let Ok(ring) = Ring::open(&order, entry.tid()) else { return entry.set(handle) };
    // SAFETY: `arm` or this made the handle, and it is ours since it was taken.
    if let Some(mut old) = unsafe { Ring::from_address(handle) } {
        empty(&mut old, entry, Fate::Delivered);
        old.close();
    }
    // On average it ends half a distance after its last sample.
    let before = entry.distance.swap(distance(&order), Ordering::Relaxed) / 2;
    entry.clock.fetch_add(before, Ordering::Relaxed);
    entry.set(ring.into_address());
}

/// Ends sampling a thread.
pub(super) fn disarm(entry: &Entry) {
    if let Some(handle) = entry.wait_and_take() {
        // SAFETY: `arm` made the handle, and it is ours since it was taken.
        if let Some(ring) = unsafe { Ring::from_address(handle) } {
            ring.close();
        }
        entry.leave();
    }
}

/// Fate of samples.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Delivered,
    Discarded,
}

/// Takes a thread's samples out of its ring, unless somebody else is at it.
pub(super) fn drain(entry: &Entry, fate: Fate) {
    let Some(handle) = entry.take() else { return };
    // SAFETY: `arm` made the handle, and it is ours until it is set again.
    if let Some(mut ring) = unsafe { Ring::from_address(handle) } {
        empty(&mut ring, entry, fate);
    }
    entry.set(handle);
}

fn empty(ring: &mut Ring, entry: &Entry, fate: Fate) {
    let unit = events_per_count() as i64;
    let mut left = entry.clock.load(Ordering::Relaxed);
    ring.drain(|record| match record {
        _ if fate == Fate::Discarded => {}
        Record::Sample { pc, events } => {
            left += events as i64;
            let weight = counts(entry, &mut left, unit);
            deliver(&Sample::new(pc, weight));
        }
        Record::Lost(samples) => account::lose(samples),
        Record::Throttled => account::slow_down(),
        Record::Switch { .. } | Record::Exit { .. } => {}
    });
    entry.clock.store(left, Ordering::Relaxed);
}

/// Takes the counts that a sample stands for out of what is left: of time one in each unit, at a moment by chance.
fn counts(entry: &Entry, left: &mut i64, unit: i64) -> u32 {
    let counts = if event().is_some() {
        left.checked_div(unit).unwrap_or(0)
    } else {
        let due = pace::looks_due(*left, entry.offset.load(Ordering::Relaxed), unit);
        due.map_or(0, |(counts, offset)| {
            entry.offset.store(offset, Ordering::Relaxed);
            counts
        })
    };
    *left -= counts * unit;
    u32::try_from(counts).unwrap_or(u32::MAX)
}
