//! The signal by which samples come: one handler for all samplers that need one, and nothing taken from the program.
//!
//! It is SIGPROF, as everywhere; where the program handles that itself, one that nobody sends, or a real-time signal.
//! The handler is there as long as the program leaves the signal at its default action, which ends the program: a
//! signal that no sampler has sent, by `raise` or by a timer of the program's, does that.
//!
//! *Context:* `install`, `free` and `handle` startup, hook or exit; `give` any; the handler signal.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use gmon_system::platform::{
    self, Action, Beat, Context, Handler, Info, SharedSignalSet, SignalOwner,
};
use gmon_system::{arch, libc, machine};

/// Work of a sampler at a signal; false if the signal is none of its own.
type Tick = fn(&Info, &Context) -> bool;

/// The tick of the sampler in use. The handler stays installed when there is none any more: a signal
/// may still be pending, and its default action would kill the program.
static TICK: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// The signal that the sampler in use has.
static CURRENT: AtomicI32 = AtomicI32::new(libc::SIGPROF);

/// The signals that the program has taken, by their bits.
static GIVEN: SharedSignalSet = SharedSignalSet::new();

/// True if the signal of beats has our handler.
static HAS_BEATS: AtomicBool = AtomicBool::new(false);

/// The [`Handler`] of signals that no sampler has sent.
static DEFAULT: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// True if who started the program has ignored SIGPROF: to the program, and for signals that no sampler has
/// sent, it is still so.
static IGNORED: AtomicBool = AtomicBool::new(false);

/// The signals that a sampler can use, in this order. Of the real-time ones programs take the first first.
fn candidates() -> impl Iterator<Item = i32> {
    const REAL_TIME: core::ops::RangeInclusive<i32> = 40..=64;
    [libc::SIGPROF, machine::SPECIAL_SIGNAL].into_iter().chain(REAL_TIME.rev())
}

/// Handles SIGPROF where the program has left it at its default action, which is `default`.
pub(crate) fn install(default: Handler) {
    DEFAULT.store(default as *mut (), Ordering::Release);
    _ = platform::handle(libc::SIGPROF, on_signal);
}

/// Has `tick` called for SIGPROF; or says that the signal is the program's.
pub(super) fn handle_sigprof(tick: Tick) -> Result<(), &'static str> {
    check_sigprof()?;
    use_for(libc::SIGPROF, tick);
    Ok(())
}

/// Has `tick` called for the first signal that the program has left alone.
pub(super) fn handle_free(tick: Tick) -> Result<(), &'static str> {
    let signal = candidates().find(|signal| is_free(*signal)).ok_or(OWNED)?;
    use_for(signal, tick);
    Ok(())
}

/// Has `tick` called for a signal that does no harm where nobody handles it, or else for the first that the program has
/// left alone.
pub(super) fn handle_harmless(tick: Tick) -> Result<(), &'static str> {
    if !is_free(HARMLESS) {
        return handle_free(tick);
    }
    use_for(HARMLESS, tick);
    Ok(())
}

/// The default action is to ignore it.
const HARMLESS: i32 = libc::SIGURG;

fn use_for(signal: i32, tick: Tick) {
    CURRENT.store(signal, Ordering::Relaxed);
    TICK.store(tick as *mut (), Ordering::Release);
}

/// The signal that the sampler in use has, if it has one.
pub(super) fn current() -> i32 {
    CURRENT.load(Ordering::Relaxed)
}

/// Says whether SIGPROF is the program's. If not, it is ours from now on.
pub(super) fn check_sigprof() -> Result<(), &'static str> {
    is_free(libc::SIGPROF).then_some(()).ok_or(OWNED)
}

/// Returns `true` if the program has left a signal alone, which is ours then.
fn is_free(signal: i32) -> bool {
    if GIVEN.has(signal) {
        return false;
    }
    if signal != libc::SIGPROF {
        let is_free = platform::action(signal).is_ok_and(|action| is_unused(&action));
        // SAFETY: a handler of ours.
        return is_free && unsafe { platform::set_action(signal, &ours()) }.is_ok();
    }
    if platform::handle(signal, on_signal) == SignalOwner::Us {
        return true;
    }
    // Who started the program may have ignored the signal, which the program is not to suffer for.
    let is_ignored = platform::action(signal).is_ok_and(|action| action.handler == libc::SIG_IGN);
    if is_ignored {
        IGNORED.store(true, Ordering::Relaxed);
        platform::set_default(signal);
        platform::handle(signal, on_signal);
    }
    is_ignored
}

/// Returns `true` if an action is the default, or what takes its place.
fn is_unused(action: &Action) -> bool {
    let default = DEFAULT.load(Ordering::Acquire) as usize;
    is_ours(action) || [libc::SIG_DFL, default].contains(&action.handler)
}

/// Why samplers that need SIGPROF cannot start.
pub(super) const OWNED: &str = "the program handles SIGPROF itself";

/// Why samplers that need the timer of the process have to leave it.
pub(super) const TIMER_OWNED: &str = "the program sets ITIMER_PROF itself";

/// Has the tick called for the signal of beats, too; false if that is the program's.
pub(super) fn handle_beats() -> bool {
    let is_ours = is_free(Beat::SIGNAL);
    HAS_BEATS.store(is_ours, Ordering::Relaxed);
    is_ours
}

/// Notes that the program takes a signal.
pub(super) fn give(signal: i32) {
    GIVEN.add(signal);
    if signal == Beat::SIGNAL {
        HAS_BEATS.store(false, Ordering::Relaxed);
    }
}

/// Gives the signal in use up: what comes is not a sampler's.
pub(super) fn leave() {
    if is_kept(&current()) {
        TICK.store(null_mut(), Ordering::Release);
        discard(current());
    }
}

/// Discards what is still pending of the signals in use, because the thread that calls this blocks them. It must not come to a
/// program that takes the place of this one.
pub(super) fn flush() {
    let pending = platform::pending_signals();
    let is_pending = |signal: &i32| pending & platform::signal_bit(*signal) != 0;
    let signals = [current(), Beat::SIGNAL].into_iter().filter(is_pending);
    signals.filter(is_kept).for_each(discard);
}

/// Returns `true` if a signal still has our handler.
fn is_kept(signal: &i32) -> bool {
    platform::action(*signal).is_ok_and(|action| is_ours(&action))
}

/// Threads that fork and that SIGPROF is kept from, by [`this_thread`]; 0 for none.
static HELD: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];

/// The calling thread: the same in the parent and in the child.
fn this_thread() -> usize {
    arch::thread_pointer().max(1)
}

/// Puts a value in the first place that has another; false if none has.
fn replace_held(old: usize, new: usize) -> bool {
    let exchange = |place: &AtomicUsize| {
        place.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed)
    };
    HELD.iter().any(|place| exchange(place).is_ok())
}

/// Keeps SIGPROF from the calling thread, which forks, until [`let_sigprof_in`].
pub(super) fn hold_sigprof() {
    let is_the_programs = platform::set_blocked(libc::SIGPROF, true);
    if !is_the_programs && !replace_held(0, this_thread()) {
        platform::unblock(libc::SIGPROF);
    }
}

/// Takes back [`hold_sigprof`], if that has blocked the signal.
pub(super) fn let_sigprof_in() {
    if replace_held(this_thread(), 0) {
        platform::unblock(libc::SIGPROF);
    }
}

/// Takes it back in the child, where no other fork goes on.
pub(crate) fn let_sigprof_in_child() {
    let_sigprof_in();
    HELD.iter().for_each(|place| place.store(0, Ordering::Relaxed));
}

/// Discards what is still pending of a signal that has our handler.
pub(super) fn discard(signal: i32) {
    let ignore = Action::new(libc::SIG_IGN, 0, 0);
    // SAFETY: no handler, then ours again.
    unsafe {
        _ = platform::set_action(signal, &ignore);
        _ = platform::set_action(signal, &ours());
    }
}

/// The action that takes the place of the default.
pub(crate) fn ours() -> Action {
    Action::ours(on_signal)
}

/// The handler that the program knows where ours is.
pub(crate) fn known_handler(signal: i32) -> usize {
    if is_ignored(signal) { libc::SIG_IGN } else { libc::SIG_DFL }
}

fn is_ignored(signal: i32) -> bool {
    signal == libc::SIGPROF && IGNORED.load(Ordering::Relaxed)
}

/// Notes that the program has set the action of SIGPROF itself.
pub(crate) fn note_set() {
    IGNORED.store(false, Ordering::Relaxed);
}

/// Returns `true` if a signal has our handler in place of the default action.
pub(crate) fn is_handled(signal: i32) -> bool {
    let is_beats = signal == Beat::SIGNAL && HAS_BEATS.load(Ordering::Relaxed);
    signal == libc::SIGPROF || signal == current() || is_beats
}

/// Returns `true` if an action is ours, which the program left at its default.
pub(crate) fn is_ours(action: &Action) -> bool {
    action.handler == on_signal as *const () as usize
}

extern "C" fn on_signal(signal: i32, info: &Info, context: &Context) {
    let tick = TICK.load(Ordering::Acquire);
    // SAFETY: null, or a function of this type, which `use_for` has stored.
    let tick = unsafe { core::mem::transmute::<*mut (), Option<Tick>>(tick) };
    let is_done = tick.is_some_and(|tick| tick(info, context));
    if is_done || signal == HARMLESS || is_ignored(signal) {
        return;
    }
    let default = DEFAULT.load(Ordering::Acquire);
    // SAFETY: null, or a function of this type, which `install` has stored.
    let default = unsafe { core::mem::transmute::<*mut (), Option<Handler>>(default) };
    if let Some(default) = default {
        default(signal, info, context);
    }
}
