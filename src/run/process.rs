//! Runs a program to its end, as if nobody stood between it and the caller.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};

use anyhow::{Context, Result};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::SignalFd;
use nix::unistd::Pid;

/// How a program ended.
pub(super) struct Ending {
    pub(super) process_id: u32,
    status: ExitStatus,
}

impl Ending {
    /// The name of the signal that killed it.
    pub(super) fn signal(&self) -> Option<String> {
        let name = |signal| Signal::try_from(signal).map_or("a signal", Signal::as_str);
        self.status.signal().map(|signal| name(signal).to_owned())
    }

    /// The program's own status, or 128 and the signal's number, as in a shell.
    pub(super) fn exit_code(&self) -> ExitCode {
        let status = self.status.code().or(self.status.signal().map(|signal| 128 + signal));
        ExitCode::from(status.unwrap_or(1) as u8)
    }
}

/// Runs the program. Signals that are sent to us meanwhile are the program's: it decides what they
/// do, and we stay to tell the end. Those that a terminal sends it gets on its own.
pub(super) fn run(mut command: Command) -> Result<Ending> {
    use Signal::{SIGALRM, SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", Path::new(command.get_program()).display()))?;
    let process_id = child.id();

    // Only now, since the program would inherit the mask. Should it have ended already, the first
    // look in `wait` finds that.
    let passed_on = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT];
    let signals: SigSet = passed_on.into_iter().chain([SIGCHLD]).collect();
    signals.thread_block().context("cannot block signals")?;
    let signals = SignalFd::new(&signals).context("cannot receive signals")?;
    let status = wait(&mut child, &signals).context("cannot wait for the program")?;
    Ok(Ending { process_id, status })
}

fn wait(child: &mut Child, signals: &SignalFd) -> io::Result<ExitStatus> {
    /// In `ssi_code`: sent by the kernel, and that means by the terminal, to its whole group.
    const SI_KERNEL: i32 = 0x80;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        let Some(received) = signals.read_signal()? else { continue };
        let signal = Signal::try_from(received.ssi_signo as i32)?;
        if signal != Signal::SIGCHLD && received.ssi_code != SI_KERNEL {
            // It has not been waited for, so the number is still its own.
            kill(Pid::from_raw(child.id() as i32), signal)?;
        }
    }
}
