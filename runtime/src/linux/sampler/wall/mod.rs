//! Samples by the clock on the wall: of every thread, whether it runs or waits.
//!
//! A thread of ours, the `watcher`, looks at all others once in each period, and at another moment of it each time,
//! so that programs with a rhythm do not look as if they did always the same. It asks the kernel whether a thread
//! runs or waits. It sends one that runs a signal, whose handler takes the sample; or, if the thread often calls the system,
//! has it take one at the next tick of its CPU clock (`owed`). It walks the stack of one that waits itself, from the two
//! registers that the kernel tells, as a signal could end the wait. A thread that was found waiting and has not run since is
//! still there: it counts once more. Where the kernel does not tell (emulators, SPARC, 32-bit ARM), one that waits gets a signal,
//! too, but one that waits for signals (`sigwait`), which then has no stack.
//!
//! The signal is SIGURG, unless the program handles it: one that a program has not been prepared for is ignored. A bare
//! system call may put another program in the place of this one while the watcher sends it.
//!
//! | file | what it is |
//! |---|---|
//! | `watcher` | the thread that looks |
//! | `look` | what it finds, and what becomes of that in the handler |
//! | `owed` | samples of threads that often call the system, at the next tick of their CPU clocks |
//!
//! *Context:* as in [`sampler`](super).

mod look;
mod owed;
mod watcher;

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gmon_system::atomic::AtomicI64;
use gmon_system::platform::{self, SECOND};

use super::threads::roster;
use super::{Sampler, signal};

pub(super) struct Wall;

/// True if samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Why it cannot start.
const NO_THREAD: &str = "the system grants no thread";

/// Forks that go on: signals would have each begin again.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// Nanoseconds for which a sample stands.
static PERIOD: AtomicI64 = AtomicI64::new(SECOND);

impl Sampler for Wall {
    fn name(&self) -> &'static str {
        "wall"
    }

    fn start(&self, hz: u32) -> Result<(), &'static str> {
        signal::handle_harmless(look::on_signal)?;
        PERIOD.store(SECOND / i64::from(hz.max(1)), Ordering::Relaxed);
        // What was during a pause is of no interest.
        roster::sampled().for_each(look::begin);
        WANTED.store(true, Ordering::SeqCst);
        // It does what others have asked for.
        if !watcher::is(platform::thread_id()) {
            look::arm_this_thread();
        }
        if !watcher::start() {
            self.quit();
            return Err(NO_THREAD);
        }
        Ok(())
    }

    /// The watcher ticks, whether it looks or not.
    fn listen(&self) -> Result<(), &'static str> {
        watcher::start().then_some(()).ok_or(NO_THREAD)
    }

    fn has_thread(&self, tid: i32) -> bool {
        watcher::is(tid)
    }

    fn stop(&self) {
        if WANTED.swap(false, Ordering::SeqCst) {
            watcher::wait();
            roster::sampled().for_each(owed::hold);
            signal::flush();
            roster::sampled().for_each(look::catch_up);
        }
    }

    fn quit(&self) {
        self.stop();
        for entry in roster::sampled() {
            if let Some(handle) = entry.wait_and_take() {
                owed::end(handle);
                entry.leave();
            }
        }
    }

    fn collect(&self) {
        if WANTED.load(Ordering::Relaxed) {
            roster::sampled().for_each(look::catch_up);
        }
    }

    fn enter_thread(&self) {
        if WANTED.load(Ordering::Relaxed) {
            // A thread that is cancelled in the middle would keep for ever what others want too.
            platform::without_cancellation(look::arm_counting_thread);
            // Threads that leave the program's signals to others have blocked this one too.
            platform::unblock(signal::current());
        }
    }

    fn hold(&self) {
        HELD.fetch_add(1, Ordering::SeqCst);
    }

    fn go_on(&self) {
        HELD.fetch_sub(1, Ordering::SeqCst);
    }

    fn forget(&self) {
        roster::clear();
        watcher::forget();
        HELD.store(0, Ordering::SeqCst);
    }

    fn clock(&self) -> &'static str {
        "the clock on the wall"
    }

    fn needs(&self, signal: i32) -> bool {
        signal == signal::current()
    }
}

/// Returns `true` if a fork goes on.
fn is_held() -> bool {
    HELD.load(Ordering::SeqCst) != 0
}

/// Returns `true` if threads are to be looked at now.
fn is_wanted() -> bool {
    WANTED.load(Ordering::SeqCst) && !is_held()
}
