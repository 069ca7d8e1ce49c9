//! SIGPROF: one handler for all samplers that need one, and nothing taken from the program.
//!
//! The handler is there as long as the program leaves the signal at its default action, which ends the program:
//! a signal that no sampler has sent, by `raise` or by a timer of the program's, does that.
//!
//! *Context:* `install`, `check` and `handle` startup, hook or exit; the handler signal.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use crate::linux::platform::{self, Action, Context, Handler, Info, SignalOwner};

/// What a sampler does at a signal; false if it is none of its own.
type Tick = fn(&Info, &Context) -> bool;

/// The tick of the sampler in use. The handler stays installed when there is none any more: a signal
/// may still be pending, and its default action would kill the program.
static TICK: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// The [`Handler`] of signals that no sampler has sent.
static DEFAULT: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// Whether who started the program has ignored the signal: to the program, and for signals that no sampler has
/// sent, it is still so.
static IGNORED: AtomicBool = AtomicBool::new(false);

/// Handles the signal where the program has left it at its default action, which is `default`.
pub(crate) fn install(default: Handler) {
    DEFAULT.store(default as *mut (), Ordering::Release);
    _ = platform::handle(libc::SIGPROF, on_signal);
}

/// Has `tick` called for SIGPROF; or says that the signal is the program's.
pub(super) fn handle(tick: Tick) -> Result<(), &'static str> {
    check()?;
    TICK.store(tick as *mut (), Ordering::Release);
    Ok(())
}

/// Says whether the signal is the program's. If not, it is ours from now on.
pub(super) fn check() -> Result<(), &'static str> {
    if platform::handle(libc::SIGPROF, on_signal) == SignalOwner::Us {
        return Ok(());
    }
    // Who started the program may have ignored the signal, which the program is not to suffer for.
    let is_ignored = |action: &Action| action.handler == libc::SIG_IGN;
    if platform::action(libc::SIGPROF).is_ok_and(|action| is_ignored(&action)) {
        IGNORED.store(true, Ordering::Relaxed);
        platform::set_default(libc::SIGPROF);
        platform::handle(libc::SIGPROF, on_signal);
        return Ok(());
    }
    Err(OWNED)
}

/// Why samplers that need the signal cannot start.
pub(super) const OWNED: &str = "the program handles SIGPROF itself";

/// Why samplers that need the timer of the process have to leave it.
pub(super) const TIMER_OWNED: &str = "the program sets ITIMER_PROF itself";

/// Gives the signal up: what is still pending is discarded, and what comes is not a sampler's.
pub(super) fn leave() {
    let ignore = Action::new(libc::SIG_IGN, 0, 0);
    if platform::action(libc::SIGPROF).is_ok_and(|action| is_ours(&action)) {
        TICK.store(null_mut(), Ordering::Release);
        // SAFETY: no handler, then ours again.
        unsafe {
            _ = platform::set_action(libc::SIGPROF, &ignore);
            _ = platform::set_action(libc::SIGPROF, &ours());
        }
    }
}

/// The action that takes the place of the default.
pub(crate) fn ours() -> Action {
    Action::ours(on_signal)
}

/// The action that the program knows where ours is.
pub(crate) fn known() -> Action {
    let mut action = Action::default();
    if IGNORED.load(Ordering::Relaxed) {
        action.handler = libc::SIG_IGN;
    }
    action
}

/// Notes that the program has set an action itself.
pub(crate) fn note_set() {
    IGNORED.store(false, Ordering::Relaxed);
}

/// Whether an action is ours, which the program left at its default.
pub(crate) fn is_ours(action: &Action) -> bool {
    action.handler == on_signal as *const () as usize
}

extern "C" fn on_signal(signal: i32, info: &Info, context: &Context) {
    let tick = TICK.load(Ordering::Acquire);
    // SAFETY: null, or a function of this type, which `handle` has stored.
    let tick = unsafe { core::mem::transmute::<*mut (), Option<Tick>>(tick) };
    if tick.is_some_and(|tick| tick(info, context)) || IGNORED.load(Ordering::Relaxed) {
        return;
    }
    let default = DEFAULT.load(Ordering::Acquire);
    // SAFETY: null, or a function of this type, which `install` has stored.
    let default = unsafe { core::mem::transmute::<*mut (), Option<Handler>>(default) };
    if let Some(default) = default {
        default(signal, info, context);
    }
}
