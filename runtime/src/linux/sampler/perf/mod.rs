//! Samples by performance events of the kernel: its software clock, or another event. No signal is
//! sent: each thread's samples go into a ring in shared memory, and a thread of ours, the
//! [`collector`], empties the rings now and then.
//!
//! Where the user may not sample the kernel, samples there are left out, and with them the time in
//! system calls; else they tell where the program made the call.
//!
//! | file | what it is |
//! |---|---|
//! | `event` | the events other than time |
//! | `ring` | a thread's samples: how the kernel is to take them, and where they go |
//! | `collector` | the thread that empties the rings |
//!
//! *Context:* as in [`sampler`](super); `pass` in the collector.

mod collector;
pub(super) mod event;
mod ring;

pub(super) use event::Event;

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use gmon_system::platform::{self, Errno};

use self::ring::{Fate, arm, disarm, drain};
use super::threads::{roster, scout};
use super::{Sampler, tick};
use crate::histogram::Unit;
use crate::linux::options::Options;

/// Samples by events of the kernel.
pub(super) enum Perf {
    /// The clock.
    Clock,
    /// The event that the user chose.
    Event,
}

/// True if samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Passes of the collector since samples are not wanted.
static PAUSE: AtomicU32 = AtomicU32::new(0);

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

    /// The collector ticks, whatever it finds.
    fn listen(&self) -> Result<(), &'static str> {
        collector::start().then_some(()).ok_or("the system grants no thread")
    }

    /// Rings are made for a rate.
    fn can_change_rate(&self) -> bool {
        false
    }

    fn has_thread(&self, tid: i32) -> bool {
        collector::is(tid)
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

    fn meet_new_threads(&self) {
        if WANTED.load(Ordering::Relaxed) {
            scout::meet(|tid| _ = arm(tid, || scout::unseen(tid)));
        }
    }

    fn forget(&self) {
        forget();
    }

    fn clock(&self) -> &'static str {
        self.event().map_or("perf cpu-clock", |event| event.name)
    }

    fn unit(&self, hz: u32) -> Unit {
        self.event().map_or(Unit::seconds(hz), |event| Unit {
            dimension: event.dimension,
            abbreviation: event.abbreviation,
            rate: 1,
        })
    }
}

fn start(event: Option<&'static Event>) -> Result<(), &'static str> {
    ring::set_event(event);
    let begun = begin().map_err(reason).and_then(|()| {
        if event.is_some_and(|event| event.is_the_kernels) && !ring::has_kernel() {
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
    empty_rings(Fate::Discarded);
    WANTED.store(true, Ordering::Release);
    if collector::is(tid) {
        // It does what others have asked for.
        return Ok(());
    }
    arm(tid, || 0).or_else(|error| match error.0 {
        libc::EACCES | libc::EPERM => {
            ring::leave_kernel_out();
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
        empty_rings(Fate::Delivered);
    }
}

fn quit() {
    stop();
    roster::sampled().for_each(disarm);
}

/// Delivers what was sampled since it was asked for last, but not in a pause.
fn collect() {
    let is_wanted = WANTED.load(Ordering::Acquire);
    empty_rings(if is_wanted { Fate::Delivered } else { Fate::Discarded });
}

fn empty_rings(fate: Fate) {
    roster::sampled().for_each(|entry| drain(entry, fate));
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

/// Work of the collector now and then. False if no thread is left that could be sampled.
fn pass() -> bool {
    /// Passes in a pause after which no more samples are taken in vain.
    const SHORT: u32 = 10;
    if !WANTED.load(Ordering::Acquire) {
        if PAUSE.fetch_add(1, Ordering::Relaxed) == SHORT {
            roster::sampled().for_each(disarm);
        }
        tick();
        return !collector::is_last();
    }
    collect();
    renew_some();
    if scout::is_due(platform::uptime()) {
        remove_ended();
        scout::look(|tid| _ = arm(tid, || scout::unseen(tid)));
    }
    tick();
    is_anybody_left()
}

/// Has some threads sampled at other moments, each in its turn.
fn renew_some() {
    /// In a pass, which is then still short.
    const MOST: usize = 64;
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let turn = TURN.load(Ordering::Relaxed);
    let renewed = roster::sampled().skip(turn).take(MOST).map(ring::renew).count();
    TURN.store(if renewed < MOST { 0 } else { turn + MOST }, Ordering::Relaxed);
}

/// The process's first thread stays in the list after its end, until the last one has ended; but it
/// can no longer be sampled.
fn is_anybody_left() -> bool {
    let mut sampled = roster::sampled();
    match (sampled.next(), sampled.next()) {
        (Some(last), None) => ring::can_be_had(last.tid()),
        (first, _) => first.is_some(),
    }
}
