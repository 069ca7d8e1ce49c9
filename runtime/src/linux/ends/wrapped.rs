//! Handlers of the program that are called through one of ours.
//!
//! Those that are called once (`SA_RESETHAND`): the kernel takes such a handler away when it calls it, and
//! sets the signal's default action, with which crash handlers reckon: they say something and let the signal
//! come again. Ours is to come then. So where the program asks for such a handler of a fatal signal, the kernel
//! gets [`on_signal`], which does the same: takes the handler away, sets our action, and calls the handler.
//!
//! Those of SIGABRT: the C library's own `abort`, which is behind a failed assertion and, in a static program,
//! behind every `abort`, lets the handler return, and then takes the signal's default action behind our back. So
//! the profile is written when the handler returns, and once more at the end of a program that lives on.
//!
//! *Context:* `wrap` and `asked_for` any; the handler signal.

use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_system::libc;
use gmon_system::platform::{self, Action, Context, Handler, Info, LAST_SIGNAL, SharedSignalSet};

use super::fatal;
use crate::linux::life;
use crate::phase;

/// Actions that the program asked for, by signals.
#[cfg_attr(not(test), unsafe(link_section = ".bss.gmon_asked"))]
static ASKED: [Asked; SIGNALS] = [const { Asked::nothing() }; SIGNALS];

/// There is none of number 0.
const SIGNALS: usize = LAST_SIGNAL as usize + 1;

struct Asked {
    /// 0 if it was to be called once, and was.
    handler: AtomicUsize,
    flags: AtomicUsize,
    mask: SharedSignalSet,
}

impl Asked {
    const fn nothing() -> Self {
        let (handler, flags) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { handler, flags, mask: SharedSignalSet::new() }
    }

    fn is_for_once(&self) -> bool {
        is_for_once(self.flags.load(Ordering::Relaxed) as i32)
    }

    fn set(&self, action: &Action) {
        self.flags.store(action.flags, Ordering::Relaxed);
        self.mask.set(action.mask);
        self.handler.store(action.handler, Ordering::Release);
    }

    /// The handler to be called now.
    fn take(&self) -> usize {
        if self.is_for_once() {
            self.handler.swap(0, Ordering::AcqRel)
        } else {
            self.handler.load(Ordering::Acquire)
        }
    }
}

fn asked(signal: i32) -> Option<&'static Asked> {
    ASKED.get(usize::try_from(signal).ok()?)
}

fn is_for_once(flags: i32) -> bool {
    flags & libc::SA_RESETHAND != 0
}

/// The action to be set in place of one that the program wants; the same, unless its handler is to be
/// called through ours.
pub(super) fn wrap(signal: i32, action: Action) -> Action {
    let flags = action.flags as i32;
    let is_function = ![libc::SIG_DFL, libc::SIG_IGN].contains(&action.handler);
    let is_special = is_for_once(flags) || signal == libc::SIGABRT;
    let Some(asked) = asked(signal) else { return action };
    if !is_special || !is_function || !fatal::is_wanted(signal) {
        return action;
    }
    asked.set(&action);
    let flags = flags & !libc::SA_RESETHAND | libc::SA_SIGINFO;
    Action::new(on_signal as *const () as usize, flags, action.mask.bits())
}

/// Notes that the program asked for a default action, in whose place is ours.
pub(super) fn note_default(signal: i32, action: &Action) {
    _ = asked(signal).map(|asked| asked.set(action));
}

/// The default action as the program asked for it: with flags and a mask, which mean nothing, but are to be read again.
pub(super) fn default_of(signal: i32) -> Action {
    let mut action = Action::default();
    if let Some(asked) = asked(signal) {
        action.flags = asked.flags.load(Ordering::Relaxed);
        action.mask = asked.mask.get();
    }
    action
}

/// The action that the program asked for, if one that is set stands for it.
pub(super) fn asked_for(signal: i32, set: &Action) -> Option<Action> {
    let asked = asked(signal).filter(|_| set.handler == on_signal as *const () as usize)?;
    let handler = asked.handler.load(Ordering::Acquire);
    let flags = asked.flags.load(Ordering::Relaxed) as i32;
    Some(Action::new(handler, flags, asked.mask.get().bits()))
}

extern "C" fn on_signal(signal: i32, info: &Info, context: &Context) {
    let asked = asked(signal);
    let handler = asked.map_or(0, Asked::take);
    if handler == 0 {
        // Another thread has just been called for it: this one meets the default.
        return fatal::on_fatal(signal, info, context);
    }
    if asked.is_some_and(Asked::is_for_once) {
        if phase::is_taken() {
            // SAFETY: a handler of ours, with the flags that it is made for.
            _ = unsafe { platform::set_action(signal, &fatal::ours(signal)) };
        } else {
            platform::set_default(signal);
        }
    }
    // SAFETY: the program gave it as a handler. One that takes the signal alone leaves the other
    // arguments where they are.
    let handler = unsafe { core::mem::transmute::<usize, Handler>(handler) };
    handler(signal, info, context);
    if signal == libc::SIGABRT {
        life::snapshot();
    }
}
