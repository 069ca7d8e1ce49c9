//! Samples by performance events of the kernel: its software clock, or another event. No signal is
//! sent: each thread's samples go into a ring in shared memory, and a thread of ours, the
//! [`collector`], empties the rings now and then.
//!
//! Where the user may not sample the kernel, samples there are left out, and with them the time in
//! system calls; else they tell where the program made the call.
//!
//! *Context:* as in [`sampler`](super); `pass` in the collector.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use super::account;
use super::event::{self, Event};
use super::roster::{self, Entry};
use super::{Sample, Sampler, collector, deliver, rounding, scout, tick};
use crate::histogram::Unit;
use crate::linux::options::Options;
use crate::linux::platform::perf::{Modes, Order, Pace, Record, Ring, SOFTWARE, Source};
use crate::linux::platform::{self, Errno, SECOND};
use crate::linux::program::Program;

/// Samples by events of the kernel.
pub(super) enum Perf {
    /// By time.
    Clock,
    /// By the event that the user chose.
    Event,
}

/// Whether samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Passes of the collector since samples are not wanted.
static PAUSE: AtomicU32 = AtomicU32::new(0);

/// Whether the kernel is sampled too: until it turns out that the user may not.
static KERNEL: AtomicBool = AtomicBool::new(true);

/// The event; null for time.
static EVENT: AtomicPtr<Event> = AtomicPtr::new(null_mut());

/// `PERF_COUNT_SW_TASK_CLOCK`: nanoseconds of a thread's CPU time.
const TASK_CLOCK: Source = Source { kind: SOFTWARE, config: 1 };

impl Perf {
    /// The event, if the user chose one.
    fn event(&self) -> Option<&'static Event> {
        match self {
            Self::Clock => None,
            Self::Event => event::find(Options::get().event),
        }
    }
}

impl Sampler for Perf {
    fn name(&self) -> &'static str {
        match self {
            Self::Clock => "perf",
            Self::Event => self.event().map_or("event", |event| event.name),
        }
    }

    fn start(&self, _hz: u32) -> Result<(), &'static str> {
        match (self, self.event()) {
            (Self::Event, None) => Err("there is no such event"),
            (_, event) => start(event),
        }
    }

    fn stop(&self) {
        stop();
    }

    fn quit(&self) {
        quit();
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
        self.event().map_or(Unit::seconds(hz), |event| Unit {
            dimension: event.dimension,
            abbreviation: event.abbreviation,
            rate: 1,
        })
    }
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
        quit();
    }
    begun
}

/// Begins sampling the calling thread, with the kernel if that is allowed.
fn begin() -> Result<(), Errno> {
    let tid = platform::thread_id();
    // What was sampled during a pause.
    roster::sampled().for_each(|entry| drain(entry, Fate::Discarded));
    WANTED.store(true, Ordering::Release);
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

/// Rings stay, for a while: a pause may be short, and each thread's period goes on in it.
fn stop() {
    if WANTED.swap(false, Ordering::AcqRel) {
        PAUSE.store(0, Ordering::Relaxed);
        collect();
    }
}

fn quit() {
    stop();
    roster::sampled().for_each(disarm);
}

fn collect() {
    roster::sampled().for_each(|entry| drain(entry, Fate::Delivered));
}

fn enter_thread() {
    if !WANTED.load(Ordering::Relaxed) {
        return;
    }
    // A thread that is cancelled in the middle would keep for ever what others want too.
    platform::without_cancellation(|| enter(platform::thread_id()));
}

fn enter(tid: i32) {
    if let Some(entry) = roster::find(tid) {
        // Found by the scout, or an ended thread that had the same id.
        drain(entry, Fate::Delivered);
        disarm(entry);
    }
    _ = arm(tid, || 0);
    if roster::wants_tidying() {
        remove_ended();
    }
}

/// Closes the rings of threads that have ended, with the samples that are there.
fn remove_ended() {
    for entry in roster::sampled().filter(|entry| !platform::thread_lives(entry.tid())) {
        drain(entry, Fate::Delivered);
        disarm(entry);
    }
    roster::note_tidied();
}

fn forget() {
    roster::clear();
    scout::forget();
    collector::forget();
}

/// What the collector does now and then. False if no thread is left that could be sampled.
pub(super) fn pass() -> bool {
    /// Passes in a pause after which no more samples are taken in vain.
    const SHORT: u32 = 10;
    if !WANTED.load(Ordering::Acquire) {
        if PAUSE.fetch_add(1, Ordering::Relaxed) == SHORT {
            roster::sampled().for_each(disarm);
        }
        return true;
    }
    collect();
    if scout::is_due() {
        remove_ended();
        scout::look(|tid| _ = arm(tid, || scout::unseen(tid)));
    }
    tick();
    is_anybody_left()
}

/// The process's first thread stays in the list after its end, until the last one has ended; but it
/// can no longer be sampled.
fn is_anybody_left() -> bool {
    let mut sampled = roster::sampled();
    match (sampled.next(), sampled.next()) {
        (Some(last), None) => match Ring::open(&order(), last.tid()) {
            Ok(ring) => {
                ring.close();
                true
            }
            Err(error) => error != Errno(libc::ESRCH),
        },
        (first, _) => first.is_some(),
    }
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
    // A thread ends, on average, half the time between two samples after its last.
    let half = time_between_samples() as i64 / 2;
    let before = if event().is_none() { half + unseen() } else { 0 };
    entry.clock.store(rounding::next_part(unit) + before, Ordering::Relaxed);
    entry.set(ring.into_address());
    Ok(())
}

/// Ends sampling a thread.
fn disarm(entry: &Entry) {
    if let Some(handle) = entry.wait_and_take() {
        // SAFETY: `arm` made the handle, and it is ours since it was taken.
        if let Some(ring) = unsafe { Ring::from_address(handle) } {
            ring.close();
        }
        entry.leave();
    }
}

/// What becomes of samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Delivered,
    Discarded,
}

/// Takes a thread's samples out of its ring, unless somebody else is at it.
fn drain(entry: &Entry, fate: Fate) {
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
            deliver(&Sample { pc, weight, context: None, seat: None });
        }
        Record::Lost(samples) => account::lose(samples),
        Record::Throttled => account::slow_down(),
    });
    entry.clock.store(left as i64, Ordering::Relaxed);
}
