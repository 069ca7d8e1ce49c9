//! Requests of `gmon ctl` to the program, by way of its live file.
//!
//! Nobody sends the program a signal, and no thread waits for requests, which would not follow when the program
//! gives up rights: whoever samples the program looks at the file too, at each tick. While nothing is to be
//! counted, the sampler goes on at a low rate, and delivers no samples.
//!
//! *Context:* signal, or a thread of ours.

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_format::live::{Action, Answer};

use crate::linux::{dormant, life, live, process};

/// True if a thread does what was asked for.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Does what is asked for, if anything is.
pub(crate) fn on_tick() {
    if live::request().is_none() || !process::owns_profile() || BUSY.swap(true, Ordering::Acquire) {
        return;
    }
    // Another thread may just have done it.
    if let Some(request) = live::request() {
        let is_done = obey(request.action);
        live::answer(Answer { number: request.number, is_refused: !is_done });
    }
    BUSY.store(false, Ordering::Release);
}

/// Begins again in a forked child, where no other thread is.
pub(crate) fn forget() {
    BUSY.store(false, Ordering::Release);
}

/// Carries out a request; false if that cannot be done.
fn obey(action: Action) -> bool {
    match action {
        Action::On => life::resume(),
        Action::Off => life::pause(),
        Action::Reset => life::reset(),
        Action::Rate(rate) => return life::change_rate(rate),
        Action::Wake(count) => {
            let is_done = change_hooks(count, true);
            life::resume();
            return is_done;
        }
        Action::Sleep(count) => return change_hooks(count, false),
    }
    true
}

/// Wakes hooks that are listed, or puts them to sleep.
fn change_hooks(count: u32, wake: bool) -> bool {
    let is_done = dormant::change(live::listed(count), wake);
    live::describe();
    is_done
}
