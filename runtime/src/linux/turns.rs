//! Turns: each of these things one thread does at a time.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::platform;

/// A thing that one thread at a time does.
pub(crate) struct Turn(AtomicBool);

/// Starting or stopping to count.
pub(crate) static SWITCH: Turn = Turn(AtomicBool::new(false));

/// Doing what `gmon ctl` has asked for.
pub(crate) static OBEY: Turn = Turn(AtomicBool::new(false));

impl Turn {
    /// Runs `action`, unless a thread has the turn.
    pub(crate) fn try_run(&self, action: impl FnOnce()) {
        if !self.0.swap(true, Ordering::Acquire) {
            action();
            self.0.store(false, Ordering::Release);
        }
    }

    /// Runs `action` when no other thread has the turn, while no signal handler can interrupt this one.
    pub(crate) fn run(&self, action: impl FnOnce()) {
        /// Turns of other threads after which one that holds others up is not waited for: its process may be ending.
        const PATIENCE: usize = 10_000;
        platform::without_signals(|| {
            for _ in 0..PATIENCE {
                if !self.0.swap(true, Ordering::Acquire) {
                    break;
                }
                platform::yield_cpu();
            }
            action();
            self.0.store(false, Ordering::Release);
        });
    }
}

/// Begins again in a forked child, where no other thread is.
pub(crate) fn forget() {
    for turn in [&SWITCH, &OBEY] {
        turn.0.store(false, Ordering::Release);
    }
}
