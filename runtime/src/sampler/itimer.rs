//! Samples by `setitimer(ITIMER_PROF)`: one timer for the process, counting the CPU time of all
//! its threads, whose SIGPROF the kernel gives to one that runs.
//!
//! *Context:* as in [`sampler`](super).

use core::sync::atomic::{AtomicBool, Ordering};

use super::{Backend, Sample, deliver};
use crate::arch;
use crate::platform::{self, Context, Info, SignalOwner};

/// Whether samples are wanted. The handler stays installed when they are not: a tick may still be
/// pending, and its default action would kill the program.
static WANTED: AtomicBool = AtomicBool::new(false);

pub(super) const BACKEND: Backend = Backend { name: "itimer", start, stop, enter_thread: |_| {} };

fn start(hz: u32) -> Result<(), &'static str> {
    match platform::handle(libc::SIGPROF, on_tick) {
        SignalOwner::Us => {
            WANTED.store(true, Ordering::Release);
            platform::set_profiling_timer(1_000_000 / hz);
            Ok(())
        }
        SignalOwner::Program => Err("the program has its own SIGPROF handler"),
    }
}

fn stop() {
    if WANTED.swap(false, Ordering::AcqRel) {
        platform::set_profiling_timer(0);
    }
}

extern "C" fn on_tick(_signal: i32, _info: &Info, context: &Context) {
    if WANTED.load(Ordering::Acquire) {
        deliver(&Sample { pc: arch::interrupted_pc(context), weight: 1 });
    }
}
