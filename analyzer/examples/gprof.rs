//! The classic `gprof` as a program of its own: the library does all the work.

use std::env;
use std::ffi::OsString;
use std::io::{stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = env::args_os();
    let program = words.next().map_or("gprof".into(), |word| word.to_string_lossy().into_owned());
    let args: Vec<OsString> = words.collect();
    let status = gmon_analyzer::gprof::main(&program, &args, &mut stdout().lock(), &mut stderr());
    ExitCode::from(status)
}
