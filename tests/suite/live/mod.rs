//! Profiles that live in a file: whatever ends the program, nothing is lost; nothing that the file
//! meets disturbs the program; and `gmon recover` makes `gmon.out` of the file or says why not.

#[cfg(target_arch = "x86_64")]
mod dormant;
#[cfg(target_arch = "x86_64")]
mod exits;
mod killed;
mod lifetimes;
mod processes;
mod recovery;
mod run;
pub(crate) mod steered;
mod steps;
#[cfg(target_arch = "x86_64")]
pub(crate) mod times;
#[cfg(target_arch = "x86_64")]
mod times_switched;
mod trouble;

use support::suite::Suite;

pub(crate) const SUITE: Suite = Suite("live");
