//! Starts a program that finds everything as if our caller had started it.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};

use gmon_events::pass_on_state;
use nix::unistd::Pid;
use rustix::process::{WaitOptions, waitpid};

use super::repeated::ProgramOutput;

/// Starts a program that finds `name` as its first argument.
pub(super) fn spawn(mut command: Command, name: &OsStr, output: ProgramOutput) -> io::Result<Pid> {
    command.arg0(name);
    // Signals that somebody sends us are the program's from the moment it runs, so we block them before. It shall not.
    pass_on_state(&mut command);
    if output == ProgramOutput::Dropped {
        command.stdout(Stdio::null());
    }
    Ok(Pid::from_raw(command.spawn()?.id() as i32))
}

/// How the process that we started ended; `None` if it still runs.
pub(super) fn ending(process: Pid) -> io::Result<Option<ExitStatus>> {
    let process = rustix::process::Pid::from_raw(process.as_raw());
    let ended = waitpid(process, WaitOptions::NOHANG)?;
    Ok(ended.map(|(_, status)| ExitStatus::from_raw(status.as_raw())))
}
