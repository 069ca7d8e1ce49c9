//! Picks the sampler: the one that was asked for, or another that works here.
//!
//! *Context:* as in [`sampler`](super).

use core::sync::atomic::{AtomicUsize, Ordering};

use super::itimer::IntervalTimer;
use super::perf::Perf;
use super::profil::LibraryProfil;
use super::thread::ThreadTimers;
use super::{Sampler, account, event, sigprof};
use crate::histogram::Unit;
use crate::linux::options::Options;
use crate::linux::{message, process};

/// Takes no samples.
struct Nothing;

impl Sampler for Nothing {
    fn name(&self) -> &'static str {
        "none"
    }

    fn start(&self, _hz: u32) -> Result<(), &'static str> {
        Ok(())
    }

    fn stop(&self) {}
}

/// All samplers. What was asked for is tried first, then the first [`AUTOMATIC`] ones in this order.
/// The program may own SIGPROF: then the clock without signals is left.
static SAMPLERS: [&dyn Sampler; 6] =
    [&ThreadTimers, &IntervalTimer, &Perf::Clock, &Nothing, &LibraryProfil, &Perf::Event];
const AUTOMATIC: usize = 4;
const THREADS: usize = 0;
const WITHOUT_SIGPROF: usize = 2;
const NOTHING: usize = 3;
const EVENTS: usize = 5;

/// Index of the sampler in use, plus 1; 0 if there is none.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

fn current() -> Option<&'static dyn Sampler> {
    SAMPLERS.get(CURRENT.load(Ordering::Acquire).wrapping_sub(1)).copied()
}

/// Begins or resumes sampling, with the sampler that was asked for or the next that works.
pub(crate) fn start() {
    let hz = Options::get().hz;
    account::begin();
    let Some(sampler) = current() else {
        return choose(beginning_with(asked()), None);
    };
    if let Err(why) = sampler.start(hz) {
        sampler.quit();
        // What counts events cannot go on to count time.
        let next = if sampler.unit(hz).is_time() { WITHOUT_SIGPROF } else { NOTHING };
        choose(beginning_with(next), Some((sampler.name(), why)));
    }
}

/// The index of a sampler, then those of all others that may be tried, in their order.
fn beginning_with(first: usize) -> impl Iterator<Item = usize> {
    core::iter::once(first).chain((0..AUTOMATIC).filter(move |i| *i != first))
}

/// Starts the first sampler of these indices that works. `failed` is one that does not, and why.
fn choose(
    indices: impl IntoIterator<Item = usize>,
    mut failed: Option<(&'static str, &'static str)>,
) {
    let hz = Options::get().hz;
    for i in indices {
        let Some(sampler) = SAMPLERS.get(i) else { continue };
        // Handlers and other threads look at the sampler as soon as it runs.
        CURRENT.store(i + 1, Ordering::Release);
        match sampler.start(hz) {
            Ok(()) => return failed.map_or((), |failed| tell(failed, i)),
            Err(why) => failed = failed.or(Some((sampler.name(), why))),
        }
    }
}

/// Tells that sampling fell back, where that is not what the user asked for, or there are no samples.
fn tell((failed, why): (&str, &str), instead: usize) {
    let options = Options::get();
    let is_asked_for = !options.sampler.is_empty() || !options.event.is_empty();
    if instead != NOTHING && !is_asked_for {
        return;
    }
    let name = SAMPLERS.get(instead).map_or("", |sampler| sampler.name());
    let [a, b, c] = match instead {
        NOTHING => ["no samples are taken", "", ""],
        _ => ["sampling by `", name, "` instead"],
    };
    let parts = ["cannot sample by `", failed, "`: ", why, "; ", a, b, c];
    message::say(&parts.map(str::as_bytes));
}

/// Index of the sampler that `GMON_OPTIONS` asks for.
fn asked() -> usize {
    let options = Options::get();
    let (sampler, event) = (options.sampler, options.event);
    if !event.is_empty() {
        if event::find(event).is_some() {
            return EVENTS;
        }
        message::say(&[
            b"GMON_OPTIONS: `event=",
            event,
            b"`: unknown event; known are ",
            event::NAMES.as_bytes(),
        ]);
    }
    let known = SAMPLERS.iter().take(EVENTS).position(|known| known.name().as_bytes() == sampler);
    if known.is_none() && !sampler.is_empty() {
        message::say(&[
            b"GMON_OPTIONS: `sampler=",
            sampler,
            b"`: unknown sampler; known are thread, itimer, profil, perf and none",
        ]);
    }
    known.unwrap_or(0)
}

/// Stops sampling.
pub(crate) fn stop() {
    if let Some(sampler) = current() {
        sampler.stop();
    }
    account::end();
}

/// Gives SIGPROF to the program, which is about to handle it, and samples without it.
pub(crate) fn leave_sigprof() {
    if let Some(sampler) = current().filter(|sampler| sampler.needs_sigprof()) {
        leave(sampler, [WITHOUT_SIGPROF, NOTHING], sigprof::OWNED);
    }
}

/// Gives the timer of the process to the program, which is about to set it: true if the timer is its own. If not,
/// and it is not to be `set` but stopped, then the program's is already.
pub(crate) fn leave_interval_timer(set: bool) -> bool {
    let sampler = current().filter(|sampler| sampler.needs_interval_timer());
    let Some(sampler) = sampler.filter(|_| process::owns_profile()) else { return true };
    if set {
        leave(sampler, [THREADS, WITHOUT_SIGPROF, NOTHING], sigprof::TIMER_OWNED);
    }
    set
}

/// Has one of others take the place of a sampler that is in the program's way.
fn leave(
    sampler: &'static dyn Sampler,
    others: impl IntoIterator<Item = usize>,
    why: &'static str,
) {
    // A child of vfork must leave its parent alone.
    if process::owns_profile() {
        let was_sampled = account::is_sampled();
        sampler.quit();
        sigprof::leave();
        if was_sampled {
            choose(others, Some((sampler.name(), why)));
        }
    }
}

/// What the sampler in use is called.
pub(crate) fn name() -> &'static str {
    current().map_or("none", |sampler| sampler.name())
}

/// Hands in all samples that were taken until now.
pub(crate) fn collect() {
    if let Some(sampler) = current() {
        sampler.collect();
    }
}

/// Begins sampling the calling thread, where samplers have to be told.
pub(crate) fn enter_thread() {
    if let Some(sampler) = current() {
        sampler.enter_thread();
    }
}

/// Keeps the sampler's signals away from the calling thread: `fork` begins again when it is
/// interrupted. Also to be called before `exec`, which an interval timer would outlive.
pub(crate) fn fork_prepare() {
    if let Some(sampler) = current() {
        sampler.hold();
    }
}

/// Takes back [`fork_prepare`], in the parent or after an `exec` that failed.
pub(crate) fn fork_parent() {
    if let Some(sampler) = current() {
        sampler.go_on();
    }
}

/// Forgets what the parent had, in a forked child, which has one thread and nothing that samples it.
/// [`start`] begins anew.
pub(crate) fn fork_child() {
    if let Some(sampler) = current() {
        sampler.forget();
    }
    account::forget();
}

/// What the histogram counts.
pub(crate) fn unit() -> Unit {
    let hz = Options::get().hz;
    current().map_or(Unit::seconds(hz), |sampler| sampler.unit(hz))
}
