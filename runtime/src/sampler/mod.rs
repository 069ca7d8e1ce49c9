//! Where samples come from and where they go.
//!
//! A backend arranges for [`deliver`] to be called with interrupted program counters; it knows
//! nothing of who wants them. Only one is in use at a time.
//!
//! *Context:* `start` and `stop` startup, hook or exit; `deliver` signal.

mod itimer;

use crate::histogram;

/// Samples per second of CPU time asked for: what glibc uses on Linux.
pub(crate) const RATE: u32 = 100;

/// One look at what a thread was doing.
pub(crate) struct Sample {
    /// The address of the instruction that was interrupted.
    pub(crate) pc: usize,
    /// Periods that have passed since the sample before it.
    pub(crate) weight: u32,
}

/// Begins or resumes sampling.
pub(crate) fn start() {
    itimer::start(RATE);
}

/// Stops sampling; a sample that is under way still arrives.
pub(crate) fn stop() {
    itimer::stop();
}

/// Hands a sample to everybody who wants samples.
fn deliver(sample: &Sample) {
    histogram::add(sample.pc, sample.weight);
}
