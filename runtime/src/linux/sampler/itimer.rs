//! Samples by `setitimer(ITIMER_PROF)`: one timer for the process, counting the CPU time of all
//! its threads, whose SIGPROF the kernel gives to one that runs.
//!
//! The timer goes off at a scheduler tick at most, and a tick that finds the signal still pending
//! is lost, so the rate is what was measured.
//!
//! *Context:* as in [`sampler`](super); `on_tick` signal.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use gmon_system::platform::{self, Context, Info};

use super::account;
use super::threads::chance;
use super::{Sample, Sampler, deliver, signal, tick};
use crate::histogram::Unit;

pub(super) struct IntervalTimer;

/// True if samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Microseconds of CPU time between two samples.
static PERIOD: AtomicU32 = AtomicU32::new(0);

impl Sampler for IntervalTimer {
    fn name(&self) -> &'static str {
        "itimer"
    }

    fn start(&self, hz: u32) -> Result<(), &'static str> {
        signal::handle_sigprof(on_tick)?;
        PERIOD.store(period(hz), Ordering::Relaxed);
        WANTED.store(true, Ordering::Release);
        platform::set_profiling_timer(PERIOD.load(Ordering::Relaxed)).map_err(|_| {
            WANTED.store(false, Ordering::Release);
            "the system grants no timer"
        })
    }

    fn stop(&self) {
        if WANTED.swap(false, Ordering::AcqRel) {
            _ = platform::set_profiling_timer(0);
            signal::flush();
        }
    }

    /// The timer goes on: it would begin its period anew, in a program that often forks again and again.
    fn hold(&self) {
        if WANTED.load(Ordering::Acquire) {
            signal::hold_sigprof();
        }
    }

    fn go_on(&self) {
        signal::let_sigprof_in();
    }

    fn clock(&self) -> &'static str {
        "CPU time of the process"
    }

    fn needs_interval_timer(&self) -> bool {
        true
    }

    fn unit(&self, hz: u32) -> Unit {
        Unit::seconds(account::measured_rate(hz))
    }
}

/// Microseconds between two samples: a few percent more than were asked for, by chance. So a program keeps no step with
/// them for long. A period for each sample would need a system call in the handler, which this sampler is to do without.
fn period(hz: u32) -> u32 {
    let asked = 1_000_000 / hz.max(1);
    let more = asked / 64 + chance::below((asked / 32).into()) as u32;
    (asked + more).max(1)
}

fn on_tick(info: &Info, context: &Context) -> bool {
    let is_the_timers = platform::is_the_kernels(info);
    if is_the_timers && WANTED.load(Ordering::Acquire) {
        deliver(&Sample { context: Some(context), ..Sample::new(context.pc(), 1) });
        tick();
    }
    is_the_timers
}
