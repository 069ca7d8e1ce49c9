//! `cargo gmon`: Rust programs, counted exactly on a stable toolchain.

mod commands;
mod every_function;
mod examples;
mod failures;
mod names;
mod options;
mod port;
#[path = "../support/mod.rs"]
mod support;
mod without_std;
mod workspace;
