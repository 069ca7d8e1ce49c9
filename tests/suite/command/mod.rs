//! Tests of the `gmon` command as its users call it: every subcommand, every exit status, every
//! error path.
//!
//! The programs are tiny, since what the runtime counts is tested elsewhere; here it matters that
//! the right thing is compiled, linked, run and said.

mod blocks;
mod carried;
mod cc;
mod config;
mod gprof;
mod install;
mod report;
mod run_errors;
mod run_processes;
mod run_programs;
mod run_sources;
mod usage;
mod workplace;
