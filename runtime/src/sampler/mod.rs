//! Where samples come from and where they go.
//!
//! A backend arranges for [`deliver`] to be called with interrupted program counters; it knows
//! nothing of who wants them. Only one is in use at a time.
//!
//! *Context:* `start` and `stop` startup, hook or exit; `enter_thread` hook; `deliver` signal.

mod itimer;

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::options::Options;
use crate::{histogram, message, snapshot};

/// One look at what a thread was doing.
pub(crate) struct Sample {
    /// The address of the instruction that was interrupted.
    pub(crate) pc: usize,
    /// Periods that have passed since the sample before it.
    pub(crate) weight: u32,
}

/// A way to get samples.
struct Backend {
    /// What `GMON_OPTIONS` calls it.
    name: &'static str,
    /// Begins or resumes sampling at `hz`; or says why it cannot, in a few words.
    start: fn(hz: u32) -> Result<(), &'static str>,
    /// Stops sampling; a sample that is under way still arrives.
    stop: fn(),
    /// Begins sampling the calling thread, which has just counted its first call.
    enter_thread: fn(&PerThread),
}

/// What a backend keeps for each thread; the record of an ended thread comes back with the next.
#[derive(Default)]
pub(crate) struct PerThread {
    /// A timer or an open file, plus 1; 0 if there is none.
    pub(crate) handle: AtomicUsize,
    /// Memory that belongs to it.
    pub(crate) memory: AtomicUsize,
}

/// The backends, each followed by the one that takes its place where it does not work.
static BACKENDS: [Backend; 2] = [itimer::BACKEND, NONE];

const NONE: Backend =
    Backend { name: "none", start: |_| Ok(()), stop: || {}, enter_thread: |_| {} };

/// Index of the backend in use, plus 1; 0 if there is none.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

fn current() -> Option<&'static Backend> {
    BACKENDS.get(CURRENT.load(Ordering::Acquire).wrapping_sub(1))
}

/// Begins or resumes sampling, with the backend that was asked for or the next that works.
pub(crate) fn start() {
    let options = Options::get();
    let asked = options.sampler.bytes();
    let known = BACKENDS.iter().position(|backend| backend.name.as_bytes() == asked);
    if known.is_none() && !asked.is_empty() {
        message::say_bytes(&[b"GMON_OPTIONS: `sampler=", asked, b"`: unknown sampler"]);
    }
    for (i, backend) in BACKENDS.iter().enumerate().skip(known.unwrap_or(0)) {
        match (backend.start)(options.hz) {
            Ok(()) => return CURRENT.store(i + 1, Ordering::Release),
            Err(why) => message::say(&["sampler `", backend.name, "`: ", why]),
        }
    }
}

/// Stops sampling.
pub(crate) fn stop() {
    if let Some(backend) = current() {
        (backend.stop)();
    }
}

/// Begins sampling the calling thread, where backends have to be told.
pub(crate) fn enter_thread(thread: &PerThread) {
    if let Some(backend) = current() {
        (backend.enter_thread)(thread);
    }
}

/// Samples per second of CPU time, as the file states them.
pub(crate) fn rate() -> u32 {
    Options::get().hz
}

/// Hands a sample to everybody who wants samples.
fn deliver(sample: &Sample) {
    histogram::add(sample.pc, sample.weight);
    snapshot::on_tick();
}
