//! The ring of a sampled thread: how the kernel is to fill it, and where its samples go.
//!
//! *Context:* as in [`perf`](super).

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::collector;
use super::event::Event;
use crate::linux::options::Options;
use crate::linux::platform::perf::{Modes, Order, Pace, Record, Ring, SOFTWARE, Source};
use crate::linux::platform::{Errno, SECOND};
use crate::linux::program::Program;
use crate::linux::sampler::threads::roster::{self, Entry};
use crate::linux::sampler::threads::rounding;
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
    let modes = if has_kernel() { Modes::UserAndKernel } else { Modes::User };
    let page = Program::get().map_or(4096, |program| program.page);
    Order { source, pace, modes, room, page }
}

/// Returns `true` if a thread can be sampled, because it has not ended.
pub(super) fn can_be_had(tid: i32) -> bool {
    Ring::open(&order(), tid).map(Ring::close) != Err(Errno(libc::ESRCH))
}

/// Begins sampling a thread unless it is sampled. Its next sample also stands for the `unseen` last
/// nanoseconds of its CPU time.
pub(super) fn arm(tid: i32, unseen: impl FnOnce() -> i64) -> Result<(), Errno> {
    let claim = roster::claim(tid).ok_or(Errno(libc::EBUSY))?;
    if collector::is(tid) {
        return Ok(());
    }
    let Some((_, entry)) = claim.entry().map_err(|_| Errno(libc::ENOMEM))? else {
        return Ok(());
    };
    let ring = Ring::open(&order(), tid).inspect_err(|_| entry.leave())?;
    let unit = events_per_count() as i64;
    // A thread ends, on average, half the time between two samples after its last.
    let half = time_between_samples() as i64 / 2;
    let before = if event().is_none() { half + unseen() } else { 0 };
    entry.clock.store(rounding::next_part(unit) + before, Ordering::Relaxed);
    entry.set(ring.into_address());
    Ok(())
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
    let unit = events_per_count();
    let mut left = entry.clock.load(Ordering::Relaxed) as u64;
    ring.drain(|record| match record {
        _ if fate == Fate::Discarded => {}
        Record::Sample { pc, events } => {
            left += events;
            let counts = left.checked_div(unit).unwrap_or(0);
            left -= counts * unit;
            let weight = u32::try_from(counts).unwrap_or(u32::MAX);
            deliver(&Sample::new(pc, weight));
        }
        Record::Lost(samples) => account::lose(samples),
        Record::Throttled => account::slow_down(),
    });
    entry.clock.store(left as i64, Ordering::Relaxed);
}
