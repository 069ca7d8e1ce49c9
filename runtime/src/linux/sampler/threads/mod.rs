//! The threads that are sampled, and the sampler that gives each a timer.
//!
//! | file | what it is |
//! |---|---|
//! | `timer` | the sampler: a timer on each thread's CPU clock |
//! | `pace` | how often a thread is sampled: what sets its timer and counts periods |
//! | `beat` | a clock that is more exact than these timers |
//! | `roster` | which threads are sampled, by these timers or by performance events |
//! | `scout` | finds threads that count no calls |
//! | `alarm` | wakes a thread that no timer samples |
//! | `chance` | the moment of a period at which a thread is looked at |
//! | `rounding`, `tails` | fairness to short threads: at their beginning and at their end |
//!
//! *Context:* as in [`sampler`](super).

mod alarm;
mod beat;
pub(super) mod chance;
pub(super) mod pace;
pub(super) mod roster;
pub(super) mod rounding;
pub(super) mod scout;
mod tails;
mod timer;

pub(super) use timer::ThreadTimers;
