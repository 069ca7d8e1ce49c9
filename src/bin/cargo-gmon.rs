//! The command `cargo-gmon`: `cargo gmon run` and its kin.

use std::process::ExitCode;

fn main() -> ExitCode {
    gmon_command::cargo_gmon(&gmon::CARRIED)
}
