//! The command `gmon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gmon::gmon()
}
