//! Processes: every one has its own profile, from zero, in its own file; the one it came from keeps
//! its own untouched; and what replaces a program finds nothing of the profile.

mod daemon;
mod exec;
mod fork;
mod server;
mod spawn;
mod system_calls;

use support::suite::Suite;

const SUITE: Suite = Suite("processes");
