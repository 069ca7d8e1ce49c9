//! The stacks of samples, for the gmon runtime: what `GMON_OPTIONS=stacks` asks for. A handler hands in what it interrupted
//! ([`add`]); this walks from there to the callers and counts the stack in a tree of the thread's own, from which the
//! profile is written ([`each_part`]).
//!
//! ```text
//!             handler ─→ walk ─────────────→ frames ─→ tree (of the thread)
//!                         └→ gmon-unwind ←─ cache, modules ←─ maps, elf
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `recorder`, `threads` | what each sampled thread has |
//! | `walk`, `frames` | from interrupted code to its callers |
//! | `cache` | rules that were looked up before |
//! | `modules`, `maps`, `elf`, `unload` | whose code lies where |
//! | `python` | functions of Python in the place of their evaluator |
//! | `clock` | the time of the profile |
//! | `made`, `arm` | code of the runtime's own |
//! | `ring` | when each sample was taken |
//! | `switches` | when each thread had a processor |
//! | `kernel`, `faults` | which looks found the kernel at work for the thread |
//! | `marks` | moments and phases of the program's own |
//! | `tree`, `incomplete` | the stacks, counted, and why some are not whole |
//!
//! Parts that cost more than a few system calls are made at the first sample, since most programs are short; but a
//! live file lists the modules from its start.
//!
//! *Context:* `begin` startup or hook; `add` signal; the rest exit.

#![no_std]
// For SPARC the compiler does not promise yet to understand assembly as it does today.
#![cfg_attr(any(target_arch = "sparc", target_arch = "sparc64"), feature(asm_experimental_arch))]
#![cfg(target_os = "linux")]
#![allow(clippy::new_without_default, reason = "the runtime needs none")]

#[cfg(test)]
extern crate std;

// Has the stubs.
#[cfg(test)]
use gmon_runtime as _;

#[cfg(target_arch = "arm")]
mod arm;
mod cache;
mod clock;
mod elf;
mod faults;
mod frames;
mod incomplete;
mod kernel;
mod made;
mod maps;
mod marks;
mod modules;
mod python;
mod recorder;
mod ring;
mod switches;
mod threads;
mod tree;
mod unload;
mod walk;

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use gmon_format::live::{self, Label};
use gmon_system::platform::{self, Blocked, Context, CpuClock};
use gmon_system::{loader, memory, region};

pub use marks::WORDS as MARK;
pub use marks::{Event, MarkSeat};
pub use python::{
    begin as begin_python, chunks as code, forget as forget_python, known as python,
    reset as reset_python,
};
pub use recorder::Seat;
pub use ring::{Entry, GAP, SAMPLE};
pub use tree::Node;
pub use unload::unload;

/// True if stacks are recorded.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// True if they can be walked.
static CAN_WALK: AtomicBool = AtomicBool::new(false);

/// Seat for samples whose thread is not told.
static OF_ANY_THREAD: Seat = Seat::new();

/// Requests of the user.
pub struct Wanted {
    /// Memory that the stacks may take, in megabytes; 0 for no stacks.
    pub megabytes: u32,
    /// Seconds for which samples are kept with their times, at least; 0 for as long as there is memory.
    pub seconds: u32,
    /// Memory that these may take, in megabytes; 0 if none are kept.
    pub timed_megabytes: u32,
    /// Samples per second.
    pub rate: u32,
}

/// Begins to record stacks, if the user wants it.
pub fn begin(wanted: &Wanted) {
    if wanted.megabytes == 0 {
        return;
    }
    let bytes = |megabytes: u32| (megabytes as usize).saturating_mul(1 << 20);
    clock::start();
    tree::limit(bytes(wanted.megabytes));
    ring::begin(wanted.seconds, bytes(wanted.timed_megabytes));
    faults::begin(wanted.rate);
    switches::begin();
    loader::begin();
    IS_ON.store(true, Ordering::Release);
}

/// Tells the file of a live profile, if there is one, what is loaded: calls are there before samples are.
pub fn tell_modules() {
    if are_recorded() && region::has_source() {
        _ = modules::look_now();
    }
}

/// Makes what all walks share, before the first of a thread.
fn prepare() {
    if possible().is_ok() {
        cache::begin();
        CAN_WALK.store(true, Ordering::Relaxed);
    }
}

/// Tells walks of code that the runtime made, and that stays.
pub fn note_code(code: &Range<usize>) {
    made::note(code);
}

/// Runs what reads modules while `dlclose` unmaps none; does nothing if one is being unloaded, perhaps by this very
/// thread.
pub fn while_nothing_leaves(action: impl FnOnce()) {
    recorder::while_busy(|| {
        if !modules::may_leave() {
            action();
        }
    });
}

/// Returns `true` if stacks are recorded.
pub fn are_recorded() -> bool {
    IS_ON.load(Ordering::Acquire)
}

/// Returns `true` if no sample was taken.
pub fn is_empty() -> bool {
    threads::is_empty()
}

/// Tells whether stacks can be walked here, and why not.
fn possible() -> Result<(), &'static str> {
    if memory::can_be_checked() { Ok(()) } else { Err("not on this system") }
}

/// State of a thread when it was sampled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Running: by a clock of CPU time only those that run are sampled.
    Sampled,
    /// Running, or able to if a processor had been free, by the clock on the wall.
    Running,
    /// Waiting, by the clock on the wall.
    Waiting,
}

/// Counts a sample: at the stack of `context`, or of a thread that was seen at `pc` last. Who gives no
/// seat does not know the thread. False if it is left to the next sample.
pub fn add(
    pc: usize,
    weight: u32,
    context: Option<&Context>,
    seat: Option<&Seat>,
    state: State,
) -> bool {
    if !are_recorded() {
        return false;
    }
    let weight = u64::from(weight);
    let (place, id, clock) = match seat {
        Some(seat) => (seat, platform::thread_id(), CpuClock::THREAD),
        None => (&OF_ANY_THREAD, platform::process_id(), CpuClock::PROCESS),
    };
    if seat.is_some() && place.known().is_none() {
        place.follow(id);
    }
    let Some(recorder) = place.recorder(id) else { return false };
    match (context, seat) {
        (Some(context), _) => return recorder.walk(context, weight, clock, state),
        (None, Some(_)) => recorder.add_to_last(pc, weight),
        (None, None) => recorder.add(pc, Label::Unsupported, weight, false),
    }
    true
}

/// Returns `true` if a thread that waits need not be asked for its stack: whoever looks at it can walk that.
pub fn can_walk_waiting(at: &Blocked) -> bool {
    are_recorded() && memory::may_copy() && walk::can_walk_waiting(at)
}

/// Counts a look at such a thread, if it `is_still_there` at the end; else the next sample stands for this one, too.
pub fn add_waiting(
    at: &Blocked,
    weight: u32,
    seat: &Seat,
    id: i32,
    is_still_there: impl Fn() -> bool,
) -> bool {
    let recorder = are_recorded().then(|| seat.recorder(id)).flatten();
    recorder.is_some_and(|recorder| recorder.walk_waiting(at, weight.into(), is_still_there))
}

/// Counts a look at a thread that waits for signals, at an address: it must get none.
pub fn add_signal_wait(pc: usize, weight: u32, seat: &Seat, id: i32) {
    if let Some(recorder) = are_recorded().then(|| seat.recorder(id)).flatten() {
        recorder.add(pc, Label::SignalWait, weight.into(), true);
    }
}

/// Returns `true` if more than one of 32 of the last looks at a thread found it at system calls.
pub fn is_often_at_calls(seat: &Seat) -> bool {
    seat.known().is_some_and(recorder::Recorder::is_often_at_calls)
}

/// Counts another look at a thread that is where it was at the last one.
pub fn add_again(weight: u32, seat: &Seat) {
    if let Some(recorder) = seat.known().filter(|_| are_recorded()) {
        recorder.add_again(weight.into());
    }
}

/// Notes that what comes from now on has nothing to do with what came before.
pub fn resume() {
    recorder::recorders().for_each(recorder::Recorder::resume);
}

/// Charges what was carried.
pub fn charge() {
    recorder::recorders().for_each(recorder::Recorder::charge);
    look_at_switches();
}

/// Notes which threads have processors.
pub fn look_at_switches() {
    recorder::recorders().for_each(|recorder| recorder.switches.look());
}

/// Sets everything to zero.
pub fn reset() {
    recorder::recorders().for_each(recorder::Recorder::reset);
    marks::reset();
    incomplete::forget();
    threads::reset();
}

/// Begins again in a forked child, whose memory of stacks was wiped.
pub fn forget() {
    if !are_recorded() {
        return;
    }
    OF_ANY_THREAD.forget();
    recorder::forget();
    incomplete::forget();
    threads::forget();
    tree::forget();
    marks::forget();
    ring::forget();
    switches::forget();
    modules::forget();
    clock::start();
    switches::begin();
}

/// Looks at modules and threads once more, before everything is written.
pub fn look_once_more() {
    _ = modules::look_now();
    threads::note_others();
}

/// Why stacks are not complete, and what those count.
pub fn incomplete() -> impl Iterator<Item = (&'static str, u64)> {
    incomplete::reasons()
}

/// The modules that were seen.
pub fn modules() -> impl Iterator<Item = live::Module<'static>> + Clone {
    modules::modules().map(modules::Module::described)
}

/// The threads that were sampled, and free entries, in the order of their numbers.
pub fn threads() -> impl Iterator<Item = live::Thread> {
    threads::described()
}

/// Least number of [`threads()`].
pub fn threads_len() -> usize {
    threads::count()
}

/// Memory of stacks, as a file has it.
pub enum Part {
    /// The nodes of a table, and the number of the first.
    Nodes(usize, &'static [Node]),
    /// Samples with their times.
    Samples(&'static [Entry<SAMPLE>]),
    /// Marks of the program.
    Marks(&'static [Entry<MARK>]),
    /// Gaps in the time of threads.
    Gaps(&'static [Entry<GAP>]),
}

/// Calls `visit` with the nodes of each table, and the samples that name them, while nobody changes them.
/// Stops at its first error.
pub fn each_part<E>(mut visit: impl FnMut(Part) -> Result<(), E>) -> Result<(), E> {
    recorder::recorders().try_for_each(|recorder| {
        recorder.hold(|| {
            let tables = recorder.trees.tables();
            let nodes = tables.map(|table| Part::Nodes(table.first_number(), table.nodes()));
            let samples = recorder.trees.ring.entries().map(Part::Samples);
            let gaps = recorder.switches.ring.entries().map(Part::Gaps);
            nodes.chain(samples).chain(gaps).try_for_each(&mut visit)
        })
    })?;
    marks::markers().try_for_each(|marker| {
        marker.hold(|| marker.ring.entries().map(Part::Marks).try_for_each(&mut visit))
    })
}

/// Returns `true` if times are kept, so that marks are worth noting.
pub fn keep_times() -> bool {
    ring::is_on()
}

/// Effort of recording the stacks.
pub struct Effort {
    /// When the profile began, in nanoseconds since 1970.
    pub begun_at: i64,
    /// Nanoseconds since then.
    pub duration: u64,
    /// Stacks that were walked.
    pub walks: u64,
    /// Nanoseconds that these took.
    pub walk_time: u64,
    /// Bytes of memory that the stacks have.
    pub bytes: usize,
    /// Bytes of memory that the samples with their times have.
    pub ring_bytes: usize,
    /// Origin of all times, in nanoseconds since the system started.
    pub origin: i64,
    /// The process that was profiled first, of which this one may be a child, and its origin.
    pub run: (i32, i64),
    /// Possibility of walking stacks, or why there is none.
    pub possible: Result<(), &'static str>,
}

impl Effort {
    /// Effort until now.
    pub fn of_now() -> Self {
        let (walks, walk_time) = recorder::effort();
        Self {
            begun_at: clock::begun_at(),
            duration: clock::now(),
            walks,
            walk_time: walk_time.unsigned_abs(),
            bytes: tree::bytes(),
            ring_bytes: ring::bytes(),
            origin: clock::origin(),
            run: clock::first(),
            possible: possible(),
        }
    }
}
