//! Sources of samples, and their ways.
//!
//! A [`Sampler`] arranges for [`deliver`] to be called with interrupted program counters; it does not
//! know who wants them. Only one is in use at a time; [`choice`] picks it.
//!
//! | file | what it is |
//! |---|---|
//! | `threads/` | a timer on each thread's CPU clock (the default), and which threads there are to sample |
//! | `itimer` | one timer for the process |
//! | `profil` | the C library's `profil` |
//! | `perf/` | the kernel's software clock, or another event, without signals |
//! | `wall/` | a thread that looks at all others, whether they run or wait |
//! | `own_thread` | a thread of ours in the program |
//! | `signal` | the signal by which samples come, and its handler |
//! | `account` | how much of the time is in the samples, and what is missing |
//!
//! *Context:* `start`, `stop`, `collect` and the fork functions startup, hook, signal or exit;
//! `enter_thread` hook; `deliver` signal; `unit` and `take_lost` exit.

mod account;
mod choice;
mod itimer;
mod own_thread;
mod perf;
mod profil;
mod signal;
mod threads;
mod wall;

pub(crate) use account::{Lost, reset, sampled_time, take_lost};
pub(crate) use choice::{
    can_change_rate, change_rate, clock, collect, enter_thread, fork_child, fork_parent,
    fork_prepare, has_thread, hz, keeps, leave_interval_timer, leave_signal, listen,
    meet_new_threads, name, signal_in_use, start, stop, ticks, unit,
};
pub(crate) use signal::{
    install as handle_sigprof, is_handled, is_ours, known_handler, let_sigprof_in_child, note_set,
    ours,
};

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_stacks::{Seat, State};
use gmon_system::charge::{charged_pc, is_cost_of_profiling};
use gmon_system::libc;
use gmon_system::platform::Context;
use once_cell::race::OnceRef;

use crate::histogram::{self, Unit};

/// A look at what a thread was doing.
struct Sample<'s> {
    /// The address of the instruction that was interrupted.
    pc: usize,
    /// Weight: 1 for each period, or for each [unit](perf::Event::unit) of events, that has passed
    /// since the sample before it.
    weight: u32,
    /// The code that was interrupted, if this is its handler.
    context: Option<&'s Context>,
    /// Seat of the recorder of the thread's stacks, if the thread is known.
    seat: Option<&'s Seat>,
    /// State of the thread.
    state: State,
}

impl Sample<'_> {
    /// A sample of a thread that ran, of which nothing else is known.
    fn new(pc: usize, weight: u32) -> Self {
        Self { pc, weight, context: None, seat: None, state: State::Sampled }
    }
}

/// A way to get samples.
trait Sampler: Sync {
    /// Name in `GMON_OPTIONS`.
    fn name(&self) -> &'static str;

    /// Begins or resumes sampling at `hz`; or says why it cannot, in a few words.
    fn start(&self, hz: u32) -> Result<(), &'static str>;

    /// Has [`tick`] called now and then, although no samples are wanted.
    fn listen(&self) -> Result<(), &'static str> {
        /// Ticks per second of CPU time: a request is not to wait for long, and a program that nobody looks at is to
        /// pay nothing.
        const HZ: u32 = 20;
        self.start(HZ)
    }

    /// Returns `true` if [`tick`] is ever called.
    fn ticks(&self) -> bool {
        true
    }

    /// Returns `true` if the rate may be another when it is started again.
    fn can_change_rate(&self) -> bool {
        true
    }

    /// Stops sampling. All samples are delivered then, but one that another thread's signal handler
    /// may just be at.
    fn stop(&self);

    /// Returns `true` of a thread that it has started.
    fn has_thread(&self, _tid: i32) -> bool {
        false
    }

    /// Stops for good: another sampler takes over.
    fn quit(&self) {
        self.stop();
    }

    /// Delivers the samples that the system holds, and goes on.
    fn collect(&self) {}

    /// Begins sampling the calling thread, which has just counted its first call.
    fn enter_thread(&self) {}

    /// Begins sampling threads that have just begun, if it does not find them as soon on its own.
    fn meet_new_threads(&self) {}

    /// Keeps signals away from the calling thread until [`go_on`](Self::go_on).
    fn hold(&self) {}

    /// Takes back [`hold`](Self::hold).
    fn go_on(&self) {}

    /// Forgets everything, in a forked child: nothing that samples the parent is the child's.
    fn forget(&self) {}

    /// Clock that measures the time between two samples, in words for the report of the run.
    fn clock(&self) -> &'static str;

    /// Returns `true` if its samples come by this signal.
    fn needs(&self, signal: i32) -> bool {
        self.needs_interval_timer() && signal == libc::SIGPROF
    }

    /// Gives up a signal without which it can go on; false if there is no such.
    fn go_without(&self, _signal: i32) -> bool {
        false
    }

    /// Returns `true` if its samples come by the timer of the process, `ITIMER_PROF`, which sends
    /// `SIGPROF`.
    fn needs_interval_timer(&self) -> bool {
        false
    }

    /// Meaning of a sample of weight 1.
    fn unit(&self, hz: u32) -> Unit {
        Unit::seconds(hz)
    }
}

/// True if no samples are wanted, but ticks.
static LISTENING: AtomicBool = AtomicBool::new(false);

fn is_listening() -> bool {
    LISTENING.load(Ordering::Acquire)
}

/// Work of [`tick`].
static ON_TICK: OnceRef<'static, fn()> = OnceRef::new();

/// Arranges for `function` to be called whenever samples come.
pub(crate) fn on_tick(function: &'static fn()) {
    _ = ON_TICK.set(function);
}

/// Calls the function of [`on_tick`].
fn tick() {
    if let Some(function) = ON_TICK.get() {
        function();
    }
}

/// Hands a sample to everybody who wants samples. The histogram does not know waits. False if the stack of this one
/// counts with that of the next.
fn deliver(sample: &Sample<'_>) -> bool {
    if is_listening() {
        return true;
    }
    let &Sample { pc, weight, context, seat, state } = sample;
    if state != State::Waiting {
        if is_cost_of_profiling(pc) {
            histogram::note_hooks(weight);
        }
        histogram::add(charged_pc(pc), weight);
    }
    gmon_stacks::add(pc, weight, context, seat, state)
}
