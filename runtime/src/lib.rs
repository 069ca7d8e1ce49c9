//! The profiling runtime of `-pg` programs: exact call counts of every thread, a histogram of
//! sampled program counters, and the `gmon.out` that any gprof reads.
//!
//! # A profile's life
//!
//! ```text
//!              hook ──hit──→ this thread's table (assembly: no lock, no call)
//!               └──miss──→ arcs (a slot in the table, or a larger table)
//!  gcrt1.o ─┐
//!  constructor ─→ start ─→ sampler ──tick──→ histogram
//!  first hook ─┘
//!  exit ─────────→ stop ──→ writer: merge tables ─→ gmon.out
//! ```
//!
//! # Context
//!
//! Every module says in which context its code may run:
//!
//! * *startup*: once, before or in the first hook; C library calls only from the constructor;
//! * *hook*: inside any function of the program, in any thread, on any stack, perhaps before the
//!   C library is ready;
//! * *signal*: inside a signal handler, perhaps interrupting any of the others;
//! * *exit*: once, from `exit`.
//!
//! In hook and signal context there is no allocation but raw `mmap`, no lock, no panic, no
//! formatting, no floating point and no call into the C library; `errno` keeps its value because
//! system calls are made without the C library.
//!
//! Programs link it as `libgmon.a` (package `gmon-archive`) or preload it as `libgmon.so`: compiled
//! apart from them, it has no hooks itself whatever they are compiled with.

#![no_std]
// For these processors the compiler does not promise yet to understand assembly as it does today.
#![cfg_attr(gmon_unstable_asm, feature(asm_experimental_arch))]
#![cfg_attr(
    target_os = "none",
    allow(dead_code, unused_imports, reason = "a part is for other systems")
)]

#[cfg(test)]
extern crate std;

#[cfg(target_os = "none")]
#[macro_use]
mod bare;
#[cfg(target_os = "linux")]
#[macro_use]
mod linux;

mod abi;
mod arcs;
mod counted;
mod counts;
mod guards;
mod histogram;
mod hooks;
mod phase;
mod records;
mod state;
mod system;
mod units;

pub use abi::{
    __mcount_internal, _mcleanup, gmon_reset, gmon_snapshot, gmon_start, gmon_stop, mcleanup,
    moncontrol,
};
pub use system::*;
