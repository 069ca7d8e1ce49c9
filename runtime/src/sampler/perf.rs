//! Samples by performance events of the kernel: its software clock, or another event. No signal is
//! sent: each thread's samples go into a ring in shared memory, and a thread of ours, the
//! [`collector`], empties the rings now and then.
//!
//! Where the user may not sample the kernel, samples there are left out, and with them the time in
//! system calls; else they tell where the program made the call.
//!
//! *Context:* as in [`sampler`](super); `pass` in the collector.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::event::{self, Event};
use super::roster::{self, Entry};
use super::unit::{self, Unit};
use super::{Sample, Sampler, collector, deliver, rounding, scout};
use crate::options::Options;
use crate::platform::perf::{Modes, Order, Pace, Record, Ring, SOFTWARE, Source};
use crate::platform::{self, Errno, SECOND};
use crate::program::Program;
use crate::snapshot;

/// Samples by time.
pub(super) struct SoftwareClock;

/// Samples by the event that the user chose.
pub(super) struct Events;

/// Whether samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Whether the kernel is sampled too.
static KERNEL: AtomicBool = AtomicBool::new(false);

/// The event; null for time.
static EVENT: AtomicPtr<Event> = AtomicPtr::new(null_mut());

/// `PERF_COUNT_SW_TASK_CLOCK`: nanoseconds of a thread's CPU time.
const TASK_CLOCK: Source = Source { kind: SOFTWARE, config: 1 };

impl Sampler for SoftwareClock {
    fn name(&self) -> &'static str {
        "perf"
    }

    fn start(&self, _hz: u32) -> Result<(), &'static str> {
        start(None)
    }

    fn stop(&self) {
        stop();
    }

    fn collect(&self) {
        collect();
    }

    fn enter_thread(&self) {
        enter_thread();
    }

    fn forget(&self) {
        forget();
    }
}

impl Sampler for Events {
    fn name(&self) -> &'static str {
        chosen().map_or("event", |event| event.name)
    }

    fn start(&self, _hz: u32) -> Result<(), &'static str> {
        start(Some(chosen().ok_or("there is no such event")?))
    }

    fn stop(&self) {
        stop();
    }

    fn collect(&self) {
        collect();
    }

    fn enter_thread(&self) {
        enter_thread();
    }

    fn forget(&self) {
        forget();
    }

    fn unit(&self, hz: u32) -> Unit {
        chosen().map_or(Unit::seconds(hz), |event| Unit {
            dimension: event.dimension,
            abbreviation: event.abbreviation,
            rate: 1,
        })
    }
}

/// The event that the user chose.
fn chosen() -> Option<&'static Event> {
    event::find(Options::get().event.bytes())
}

/// The event that is sampled by; `None` for time.
fn event() -> Option<&'static Event> {
    // SAFETY: null or the address of a row of the table of events.
    unsafe { EVENT.load(Ordering::Relaxed).as_ref() }
}

fn start(event: Option<&'static Event>) -> Result<(), &'static str> {
    let event_or_null = event.map_or(null_mut(), |event| core::ptr::from_ref(event).cast_mut());
    EVENT.store(event_or_null, Ordering::Relaxed);
    let begun = begin().map_err(reason).and_then(|()| {
        if event.is_some_and(|event| event.is_the_kernels) && !KERNEL.load(Ordering::Relaxed) {
            return Err("it happens in the kernel, which this user may not sample");
        }
        scout::begin();
        collector::start().then_some(()).ok_or("the system grants no thread")
    });
    if begun.is_err() {
        stop();
    }
    begun
}

/// Begins sampling the calling thread, with the kernel if that is allowed.
fn begin() -> Result<(), Errno> {
    let tid = platform::thread_id();
    WANTED.store(true, Ordering::SeqCst);
    KERNEL.store(true, Ordering::Relaxed);
    arm(tid, || 0).or_else(|error| match error.0 {
        libc::EACCES | libc::EPERM => {
            KERNEL.store(false, Ordering::Relaxed);
            arm(tid, || 0)
        }
        _ => Err(error),
    })
}

fn reason(error: Errno) -> &'static str {
    match error.0 {
        libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV => "this machine has no counter for it",
        libc::EACCES | libc::EPERM => {
            "performance events are not permitted here (see /proc/sys/kernel/perf_event_paranoid)"
        }
        libc::ENOSYS => "the system has no performance events",
        _ => "the system grants no performance event",
    }
}

fn stop() {
    WANTED.store(false, Ordering::SeqCst);
    roster::sampled().for_each(disarm);
}

fn collect() {
    for entry in roster::sampled() {
        drain(entry);
    }
}

fn enter_thread() {
    if !WANTED.load(Ordering::Relaxed) {
        return;
    }
    let tid = platform::thread_id();
    if let Some(entry) = roster::find(tid) {
        // Perhaps an ended thread had the same id: its ring says so, and goes.
        drain(entry);
    }
    _ = arm(tid, || 0);
}

fn forget() {
    roster::clear();
    scout::forget();
    collector::forget();
}

/// What the collector does now and then. False if no thread is left that could be sampled.
pub(super) fn pass() -> bool {
    if !WANTED.load(Ordering::Relaxed) {
        return true;
    }
    collect();
    if scout::is_due() {
        scout::look(|tid| _ = arm(tid, || scout::unseen(tid)));
    }
    snapshot::on_tick();
    roster::sampled().next().is_some() || !WANTED.load(Ordering::Relaxed)
}

/// Events that a sample of weight 1 stands for.
fn events_per_count() -> u64 {
    event().map_or(SECOND as u64 / u64::from(Options::get().hz.max(1)), |event| event.unit)
}

fn order() -> Order {
    /// Enough for some passes of the collector at the usual rates; see `RARE`.
    const ROOM: usize = 16;
    /// For what is counted one by one and may come in bursts.
    const BURST: usize = 256 * 1024;
    let hz = Options::get().hz;
    let (source, pace, room) = match event() {
        None => (TASK_CLOCK, Pace::Events(events_per_count()), ROOM * hz as usize),
        Some(event) if event.unit == 1 => (event.source, Pace::Events(1), BURST),
        Some(event) => (event.source, Pace::PerSecond(hz.into()), ROOM * hz as usize),
    };
    let modes = if KERNEL.load(Ordering::Relaxed) { Modes::UserAndKernel } else { Modes::User };
    let page = Program::get().map_or(4096, |program| program.page);
    Order { source, pace, modes, room, page }
}

/// Begins sampling a thread unless it is sampled. Its next sample also stands for the `unseen` last
/// nanoseconds of its CPU time.
fn arm(tid: i32, unseen: impl FnOnce() -> i64) -> Result<(), Errno> {
    let claim = roster::claim(tid).ok_or(Errno(libc::EBUSY))?;
    if collector::is(tid) {
        return Ok(());
    }
    let Some((_, entry)) = claim.entry().map_err(|_| Errno(libc::ENOMEM))? else {
        return Ok(());
    };
    let ring = Ring::open(&order(), tid).inspect_err(|_| entry.leave())?;
    let unit = events_per_count() as i64;
    // A sample comes at the end of each period of time: on average half of one is never seen.
    let before = if event().is_none() { unit / 2 + unseen() } else { 0 };
    entry.clock.store(rounding::next_part(unit) + before, Ordering::Relaxed);
    entry.set(ring.into_address());
    if !WANTED.load(Ordering::SeqCst) {
        // Stopped meanwhile, perhaps without seeing this thread.
        disarm(entry);
    }
    Ok(())
}

/// Ends sampling a thread, with the samples that are there.
fn disarm(entry: &Entry) {
    if let Some(handle) = entry.wait_and_take() {
        // SAFETY: `arm` made the handle, and it is ours since it was taken.
        if let Some(mut ring) = unsafe { Ring::from_address(handle) } {
            empty(&mut ring, entry);
            ring.close();
        }
        entry.leave();
    }
}

/// Delivers a thread's samples unless somebody else is at it. The ring of an ended thread goes.
fn drain(entry: &Entry) {
    let Some(handle) = entry.take() else { return };
    // SAFETY: as above.
    let Some(mut ring) = (unsafe { Ring::from_address(handle) }) else { return };
    if empty(&mut ring, entry) {
        ring.close();
        entry.leave();
    } else {
        entry.set(ring.into_address());
        if !WANTED.load(Ordering::SeqCst) {
            disarm(entry);
        }
    }
}

/// Delivers what is in a ring; true if its thread has ended.
fn empty(ring: &mut Ring, entry: &Entry) -> bool {
    let unit = events_per_count();
    let mut left = entry.clock.load(Ordering::Relaxed) as u64;
    let mut ended = false;
    ring.drain(|record| match record {
        Record::Sample { pc, events } => {
            left += events;
            let counts = left.checked_div(unit).unwrap_or(0);
            left -= counts * unit;
            deliver(&Sample { pc, weight: u32::try_from(counts).unwrap_or(u32::MAX) });
        }
        Record::Lost(samples) => unit::lose(samples),
        Record::Throttled => unit::slow_down(),
        Record::Exit => ended = true,
    });
    entry.clock.store(left as i64, Ordering::Relaxed);
    ended
}
