//! The command `gmon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gmon_command::gmon(&gmon::CARRIED)
}
