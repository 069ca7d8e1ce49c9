//! Starts a program whose signal mask is not ours.
//!
//! A signal that somebody sends us is the program's from the moment it runs. So we block signals before we start it,
//! and the program is to have the mask from before. Rust's `Command` would hand our mask on.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::iter;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawnp};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::Pid;
use rustix::process::{WaitOptions, waitpid};

use super::repeated::ProgramOutput;

/// The descriptor of the standard output.
const OUTPUT: RawFd = 1;

/// Starts a program that finds `name` as its first argument. Of the command count the program, its arguments and
/// what it changes in the environment.
pub(super) fn spawn(
    command: &Command,
    name: &OsStr,
    output: ProgramOutput,
    mask: &SigSet,
) -> io::Result<Pid> {
    let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
    let arguments = iter::once(name).chain(command.get_args()).map(text);
    let arguments = arguments.collect::<io::Result<Vec<_>>>()?;

    let mut environment: BTreeMap<OsString, OsString> = env::vars_os().collect();
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => environment.insert(name.to_owned(), value.to_owned()),
            None => environment.remove(name),
        };
    }
    let pairs = environment.into_iter().map(|(mut pair, value)| {
        pair.push("=");
        pair.push(value);
        text(&pair)
    });
    let environment = pairs.collect::<io::Result<Vec<_>>>()?;

    let mut attributes = PosixSpawnAttr::init()?;
    let (masked, reset) =
        (PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK, PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF);
    attributes.set_flags(masked | reset)?;
    attributes.set_sigmask(mask)?;
    // Rust's library has us ignore it.
    attributes.set_sigdefault(&SigSet::from(Signal::SIGPIPE))?;
    let program = text(command.get_program())?;
    let is_dropped = output == ProgramOutput::Dropped;
    let nowhere = is_dropped.then(|| File::options().write(true).open("/dev/null")).transpose()?;
    let mut files = PosixSpawnFileActions::init()?;
    if let Some(nowhere) = &nowhere {
        files.add_dup2(nowhere.as_raw_fd(), OUTPUT)?;
    }
    Ok(posix_spawnp(&program, &files, &attributes, &arguments, &environment)?)
}

/// How the process that we started ended; `None` if it still runs.
pub(super) fn ending(process: Pid) -> io::Result<Option<ExitStatus>> {
    let process = rustix::process::Pid::from_raw(process.as_raw());
    let ended = waitpid(process, WaitOptions::NOHANG)?;
    Ok(ended.map(|(_, status)| ExitStatus::from_raw(status.as_raw())))
}
