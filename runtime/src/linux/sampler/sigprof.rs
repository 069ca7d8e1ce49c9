//! SIGPROF: one handler for all samplers that need one, and nothing taken from the program.
//!
//! *Context:* `check` and `handle` startup, hook or exit; the handler signal.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::linux::platform::{self, Action, Context, Info, SignalOwner};

/// What a sampler does at a signal.
type Tick = fn(&Info, &Context);

/// The tick of the sampler in use. The handler stays installed when there is none any more: a signal
/// may still be pending, and its default action would kill the program.
static TICK: AtomicPtr<()> = AtomicPtr::new(null_mut());

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
        platform::set_default(libc::SIGPROF);
        platform::handle(libc::SIGPROF, on_signal);
        return Ok(());
    }
    Err(OWNED)
}

/// Why samplers that need the signal cannot start.
pub(super) const OWNED: &str = "the program handles SIGPROF itself";

/// Gives the signal up: what is still pending is discarded.
pub(super) fn leave() {
    let ignore = Action::new(libc::SIG_IGN, 0, 0);
    if platform::action(libc::SIGPROF).is_ok_and(|action| is_ours(&action)) {
        // SAFETY: no handler.
        _ = unsafe { platform::set_action(libc::SIGPROF, &ignore) };
        platform::set_default(libc::SIGPROF);
    }
}

/// Whether an action is ours, which the program left at its default.
pub(crate) fn is_ours(action: &Action) -> bool {
    action.handler == on_signal as *const () as usize
}

extern "C" fn on_signal(_signal: i32, info: &Info, context: &Context) {
    let tick = TICK.load(Ordering::Acquire);
    if !tick.is_null() {
        // SAFETY: `handle` stores functions of this type and nothing else.
        let tick = unsafe { core::mem::transmute::<*mut (), Tick>(tick) };
        tick(info, context);
    }
}
