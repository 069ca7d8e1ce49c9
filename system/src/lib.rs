//! Ground of the gmon runtime: facts about the processor, and the system, by which everything else in the runtime reaches
//! memory, files, threads, signals and clocks.
//!
//! | module | what it is |
//! |---|---|
//! | [`arch`] | the processor: facts, and the Rust face of the assembly |
//! | [`atomic`], [`decimal`] | numbers that change at once, and as text |
//! | [`charge`] | which samples are the cost of profiling |
//! | `linux` | Linux by system calls of its own, without the C library, which the program may have broken or not yet set up |
//! | `bare` | a board, as its program describes it |
//!
//! Modules of the system are this crate's own: `gmon_system::region` is Linux's or the board's. `contract` has what
//! each system must have.
//!
//! # Promises
//!
//! Nothing here allocates but by [`region`], takes a lock, panics, or changes `errno`, so that all of it may be used in
//! signal handlers, in hooks inside any function of the program, and before the C library is ready; each module says
//! more under *Context*. Promises are for the runtime alone: what is here changes as that needs it.
//!
//! The stubs that [`arch`] declares are assembled by `gmon-runtime`, among its hooks, from `asm/`: where a signal handler
//! returns to must lie right behind what stands for callers outside the program. Users of this crate link that one.

#![no_std]
#![cfg_attr(
    target_os = "none",
    allow(dead_code, unused_imports, reason = "a part is for other systems")
)]
#![allow(
    clippy::len_without_is_empty,
    clippy::new_without_default,
    reason = "the runtime needs neither"
)]

#[cfg(test)]
extern crate std;

// Has the stubs.
#[cfg(test)]
use gmon_runtime as _;

pub mod arch;
pub mod atomic;
pub mod charge;
mod contract;
pub mod decimal;

#[cfg(target_os = "none")]
mod bare;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "none")]
pub use bare::*;
#[cfg(target_os = "linux")]
pub use linux::*;
