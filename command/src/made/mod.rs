//! Names of code that was made at run time, from what compilers leave beside the process: perf maps and dumps (jitdump).
//!
//! ```text
//! /tmp/perf-PID.map, jit-PID.dump ─→ believed ─→ sources ─┬→ outside (gmon run --pid)
//!                                                         └→ profile (after a run)
//! ```
//!
//! They go into the profile, as far as samples need them, which is whole then even when the map has gone.

mod believed;
mod profile;
mod sources;

pub(crate) use profile::name_code;
pub(crate) use sources::{Looks, Place, Sources};
