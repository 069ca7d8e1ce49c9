//! `cargo gmon`: Rust programs, counted exactly on a stable toolchain.

mod commands;
#[cfg(target_arch = "x86_64")]
mod dormant;
mod every_function;
mod examples;
mod failures;
mod names;
mod options;
mod pgo;
mod port;
mod project;
mod without_std;
