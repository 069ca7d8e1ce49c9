//! Picks the sampler: the one that was asked for, or another that works here.
//!
//! *Context:* as in [`sampler`](super).

use core::iter;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use gmon_system::platform::{self, Beat, Signals};
use gmon_system::{message, valgrind};

use super::itimer::IntervalTimer;
use super::perf::{Perf, event};
use super::profil::LibraryProfil;
use super::threads::ThreadTimers;
use super::wall::Wall;
use super::{LISTENING, Sampler, account, is_listening, signal};
use crate::histogram::Unit;
use crate::linux::options::{HZ_MAX, Options};
use crate::linux::process;

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

    fn ticks(&self) -> bool {
        false
    }

    fn clock(&self) -> &'static str {
        self.name()
    }
}

/// A sampler, by the role that it has here.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Choice {
    /// A timer for each thread: the default.
    Threads = 1,
    /// A timer for the process.
    Process,
    /// The kernel's clock, which needs no signal: the program may own all of them.
    WithoutSignal,
    Nothing,
    /// The C library's `profil`.
    Library,
    /// The events that the user's `event=` counts.
    Events,
    /// The clock on the wall, of threads that run and of threads that wait.
    Wall,
}

impl Choice {
    const ALL: [Self; 7] = [
        Self::Threads,
        Self::Process,
        Self::WithoutSignal,
        Self::Nothing,
        Self::Library,
        Self::Events,
        Self::Wall,
    ];

    /// Samplers that `sampler=` can name, as the user is to read of them.
    const NAMED: [Self; 6] = [
        Self::Threads,
        Self::Process,
        Self::Library,
        Self::WithoutSignal,
        Self::Wall,
        Self::Nothing,
    ];

    /// Samplers that take the place of one that does not work, in this order.
    const AUTOMATIC: [Self; 4] = [Self::Threads, Self::Process, Self::WithoutSignal, Self::Nothing];

    fn sampler(self) -> &'static dyn Sampler {
        match self {
            Self::Threads => &ThreadTimers,
            Self::Process => &IntervalTimer,
            Self::WithoutSignal => &Perf::Clock,
            Self::Nothing => &Nothing,
            Self::Library => &LibraryProfil,
            Self::Events => &Perf::Event,
            Self::Wall => &Wall,
        }
    }

    fn name(self) -> &'static str {
        self.sampler().name()
    }

    /// This one, then all others that may be tried.
    fn then_automatic(self) -> impl Iterator<Item = Self> {
        iter::once(self).chain(Self::AUTOMATIC.into_iter().filter(move |other| *other != self))
    }
}

/// The [`Choice`] in use; 0 if there is none.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

fn current_choice() -> Option<Choice> {
    let current = CURRENT.load(Ordering::Acquire);
    Choice::ALL.into_iter().find(|choice| *choice as usize == current)
}

fn current() -> Option<&'static dyn Sampler> {
    current_choice().map(Choice::sampler)
}

/// The rate that the user has asked for since the profile began; 0 if that of the options is in force.
static HZ: AtomicU32 = AtomicU32::new(0);

/// Samples per second that are asked for.
pub(crate) fn hz() -> u32 {
    match HZ.load(Ordering::Relaxed) {
        0 => Options::get().hz,
        hz => hz,
    }
}

/// Returns `true` if another rate can be asked for.
pub(crate) fn can_change_rate() -> bool {
    current().is_some_and(Sampler::can_change_rate)
}

/// Asks for another rate, which is in force when the sampler is started again.
pub(crate) fn change_rate(hz: u32) {
    // 0 stands for the rate of the options.
    HZ.store(if hz == 0 { 1 } else { hz.min(HZ_MAX) }, Ordering::Relaxed);
}

/// Returns `true` if what was arranged by [`on_tick`](super::on_tick) is ever called.
pub(crate) fn ticks() -> bool {
    current().is_some_and(Sampler::ticks)
}

/// Takes no samples, but has what was arranged by [`on_tick`](super::on_tick) called, until [`stop`].
pub(crate) fn listen() {
    LISTENING.store(true, Ordering::Release);
    let Some(sampler) = current() else {
        return choose(asked().then_automatic(), None);
    };
    if sampler.listen().is_err() {
        sampler.quit();
    }
}

/// Starts a sampler, or has it listen.
fn begin(sampler: &dyn Sampler) -> Result<(), &'static str> {
    if is_listening() { sampler.listen() } else { sampler.start(hz()) }
}

/// Begins or resumes sampling, with the sampler that was asked for or the next that works.
pub(crate) fn start() {
    account::begin();
    let Some(sampler) = current() else {
        return choose(asked().then_automatic(), None);
    };
    if let Err(why) = sampler.start(hz()) {
        sampler.quit();
        // What counts events cannot go on to count time.
        let is_time = sampler.unit(hz()).is_time();
        let next = if is_time { Choice::WithoutSignal } else { Choice::Nothing };
        choose(next.then_automatic(), Some((sampler.name(), why)));
    }
}

/// Starts the first of these samplers that works. `failed` is one that does not, and why.
fn choose(
    choices: impl IntoIterator<Item = Choice>,
    mut failed: Option<(&'static str, &'static str)>,
) {
    for choice in choices {
        // Handlers and other threads look at the sampler as soon as it runs.
        CURRENT.store(choice as usize, Ordering::Release);
        match begin(choice.sampler()) {
            Ok(()) => return failed.map_or((), |failed| tell(failed, choice)),
            Err(why) => failed = failed.or(Some((choice.name(), why))),
        }
    }
}

/// Says that another sampler is in use than the user asked for, or none.
fn tell((failed, why): (&str, &str), instead: Choice) {
    let options = Options::get();
    let is_asked_for = !options.sampler.is_empty() || !options.event.is_empty();
    // One that goes on with another signal has nothing to say.
    let is_well = !is_asked_for || instead.name() == failed;
    if instead != Choice::Nothing && is_well {
        return;
    }
    let [a, b, c] = match instead {
        Choice::Nothing => ["no samples are taken", "", ""],
        _ => ["sampling by `", instead.name(), "` instead"],
    };
    let parts = ["cannot sample by `", failed, "`: ", why, "; ", a, b, c];
    message::say(&parts.map(str::as_bytes));
}

/// The sampler that `GMON_OPTIONS` asks for, where samples can be taken.
fn asked() -> Choice {
    if valgrind::is_there() {
        return Choice::Nothing;
    }
    let options = Options::get();
    let (sampler, event) = (options.sampler, options.event);
    if !event.is_empty() {
        if event::find(event).is_some() {
            return Choice::Events;
        }
        message::say(&[
            b"GMON_OPTIONS: `event=",
            event,
            b"`: unknown event; known are ",
            event::NAMES.as_bytes(),
        ]);
    }
    let known = Choice::NAMED.into_iter().find(|known| known.name().as_bytes() == sampler);
    if known.is_none() && !sampler.is_empty() {
        let [a, b, c, d, e, f] = Choice::NAMED.map(|known| known.name().as_bytes());
        message::say(&[
            b"GMON_OPTIONS: `sampler=",
            sampler,
            b"`: unknown sampler; known are ",
            a,
            b", ",
            b,
            b", ",
            c,
            b", ",
            d,
            b", ",
            e,
            b" and ",
            f,
        ]);
    }
    known.unwrap_or(Choice::Threads)
}

/// Stops sampling.
pub(crate) fn stop() {
    if let Some(sampler) = current() {
        sampler.stop();
    }
    LISTENING.store(false, Ordering::Release);
    account::end();
}

/// Gives a signal to the program, which is about to handle it, and samples by another.
pub(crate) fn leave_signal(signal: i32) {
    // A child of vfork must leave its parent alone.
    if !process::owns_profile() {
        return;
    }
    signal::give(signal);
    let sampler = current().filter(|sampler| sampler.needs(signal));
    if let Some(sampler) = sampler.filter(|sampler| !sampler.go_without(signal)) {
        // Those that can do with another signal.
        let again = current_choice().filter(|choice| *choice == Choice::Wall);
        let others = [Choice::Threads, Choice::WithoutSignal, Choice::Nothing];
        leave(sampler, again.into_iter().chain(others), signal::OWNED);
    }
}

/// The signals that must reach each thread, whatever the program blocks, by their bits.
pub(crate) fn keeps() -> Signals {
    let is_needed = |signal: &i32| current().is_some_and(|sampler| sampler.needs(*signal));
    let signals = [signal::current(), Beat::SIGNAL].into_iter().filter(is_needed);
    signals.fold(0, |bits, signal| bits | platform::signal_bit(signal))
}

/// Returns `true` of a thread that is there for samples.
pub(crate) fn has_thread(tid: i32) -> bool {
    current().is_some_and(|sampler| sampler.has_thread(tid))
}

/// Gives the timer of the process to the program, which is about to set it: true if the timer is its own. If not,
/// and it is not to be `set` but stopped, then the program's is already.
pub(crate) fn leave_interval_timer(set: bool) -> bool {
    let sampler = current().filter(|sampler| sampler.needs_interval_timer());
    let Some(sampler) = sampler.filter(|_| process::owns_profile()) else { return true };
    if set {
        let others = [Choice::Threads, Choice::WithoutSignal, Choice::Nothing];
        leave(sampler, others, signal::TIMER_OWNED);
    }
    set
}

/// Has one of others take the place of a sampler that is in the program's way.
fn leave(
    sampler: &'static dyn Sampler,
    others: impl IntoIterator<Item = Choice>,
    why: &'static str,
) {
    // A child of vfork must leave its parent alone.
    if process::owns_profile() {
        let was_sampled = account::is_sampled() || is_listening();
        sampler.quit();
        signal::leave();
        if was_sampled {
            choose(others, Some((sampler.name(), why)));
        }
    }
}

/// Name of the sampler in use.
pub(crate) fn name() -> &'static str {
    current().map_or("none", |sampler| sampler.name())
}

/// Clock that measures the time between two samples of the sampler in use.
pub(crate) fn clock() -> &'static str {
    current().map_or("none", |sampler| sampler.clock())
}

/// The signal by which its samples come, if one does.
pub(crate) fn signal_in_use() -> Option<i32> {
    let signal = signal::current();
    current().filter(|sampler| sampler.needs(signal)).map(|_| signal)
}

/// Hands in all samples that were taken until now.
pub(crate) fn collect() {
    if let Some(sampler) = current() {
        sampler.collect();
    }
}

/// Begins sampling the calling thread, for samplers that do not find threads on their own.
pub(crate) fn enter_thread() {
    if let Some(sampler) = current() {
        sampler.enter_thread();
    }
}

/// Begins sampling threads that have just begun.
pub(crate) fn meet_new_threads() {
    if let Some(sampler) = current() {
        sampler.meet_new_threads();
    }
}

/// Keeps the sampler's signals away from the calling thread: `fork` begins again when it is
/// interrupted.
pub(crate) fn fork_prepare() {
    if let Some(sampler) = current() {
        sampler.hold();
    }
}

/// Takes back [`fork_prepare`], in the parent.
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
    LISTENING.store(false, Ordering::Release);
    account::forget();
}

/// Meaning of the histogram's counts.
pub(crate) fn unit() -> Unit {
    current().map_or(Unit::seconds(hz()), |sampler| sampler.unit(hz()))
}
