//! Runs a program to its end, as if nobody stood between it and the caller.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;

use super::repeated::ProgramOutput;
use super::spawn;
use super::steps::Steps;
use crate::{say, signals};

/// Signals that are the program's. Timers of whoever became us go on, too, and servers end by what terminals send
/// when they change their size.
const PASSED_ON: [Signal; 14] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGIO,
    Signal::SIGPWR,
    Signal::SIGCONT,
    Signal::SIGWINCH,
    Signal::SIGURG,
];

/// Signals that the kernel sends for a terminal, to the whole group of processes.
const OF_TERMINALS: [Signal; 5] =
    [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGCONT, Signal::SIGWINCH];

/// The end of a program.
pub(super) struct Ending {
    pub(super) process_id: u32,
    status: ExitStatus,
    /// The signal by which somebody asked for an end, of the program and of us.
    pub(super) request: Option<Signal>,
}

impl Ending {
    /// The name of the signal that killed it.
    pub(super) fn signal(&self) -> Option<String> {
        let name = |signal| Signal::try_from(signal).map_or("a signal", Signal::as_str);
        self.status.signal().map(|signal| name(signal).to_owned())
    }

    /// The program's own status, or 128 and the signal's number, as in a shell.
    pub(super) fn exit_code(&self) -> ExitCode {
        signals::exit_code(self.status)
    }
}

/// Processes that a program left behind.
pub(super) struct Left {
    /// Processes that are profiled.
    pub(super) profiled: Vec<u32>,
    /// Processes that may soon be profiled.
    pub(super) unknown: Vec<u32>,
}

/// A program that was started.
pub(super) struct Running {
    process: Pid,
    signals: SignalFd,
    /// Signals that ask us for an end.
    ending: SigSet,
    request: Option<Signal>,
}

impl Running {
    /// Starts the program, which finds `name` as its first argument. Signals that are sent to us from now on are
    /// the program's: it decides what they do, and we stay to tell the end. Those that a terminal sends it gets on
    /// its own.
    pub(super) fn start(command: Command, name: &OsStr, output: ProgramOutput) -> Result<Self> {
        let program = Path::new(command.get_program()).to_owned();
        let signals: SigSet = PASSED_ON.into_iter().chain([Signal::SIGCHLD]).collect();
        let before = signals.thread_swap_mask(SigmaskHow::SIG_BLOCK);
        let before = before.context("cannot block signals")?;
        let signals = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC);
        let signals = signals.context("cannot receive signals")?;
        let process = spawn::spawn(command, name, output).or_else(|error| {
            before.thread_set_mask()?;
            Err(error)
        });
        let process = process.with_context(|| format!("cannot run {}", program.display()))?;
        Ok(Self { process, signals, ending: signals::ending(), request: None })
    }

    /// Waits for the end of the program, whose threads are followed meanwhile if somebody wants to know their steps.
    pub(super) fn wait(&mut self, steps: Option<&mut Steps>) -> Result<Ending> {
        let status = self.wait_for_child(steps).context("cannot wait for the program")?;
        let process_id = self.process.as_raw().unsigned_abs();
        Ok(Ending { process_id, status, request: self.request })
    }

    fn wait_for_child(&mut self, mut steps: Option<&mut Steps>) -> io::Result<ExitStatus> {
        /// In `ssi_code`: sent by the kernel.
        const SI_KERNEL: i32 = 0x80;
        loop {
            if let Some(status) = spawn::ending(self.process)? {
                return Ok(status);
            }
            if let Some(steps) = &mut steps {
                if let Some(status) = steps.look(self.process) {
                    return Ok(ExitStatus::from_raw(status));
                }
                let mut signals = [PollFd::new(self.signals.as_fd(), PollFlags::POLLIN)];
                // Each stop of a thread is a signal, too.
                if poll(&mut signals, Steps::PAUSE_MS)? == 0 {
                    continue;
                }
            }
            let Some(received) = self.signals.read_signal()? else { continue };
            let signal = Signal::try_from(received.ssi_signo as i32)?;
            self.request = self.request.or(Some(signal).filter(|it| self.ending.contains(*it)));
            let is_of_terminal = received.ssi_code == SI_KERNEL && OF_TERMINALS.contains(&signal);
            if signal != Signal::SIGCHLD && !is_of_terminal {
                // It has not been waited for, so the number is still its own.
                kill(self.process, signal)?;
            }
        }
    }

    /// Waits for the end of processes that the program, which has ended, left behind: `left` says which
    /// still run. An interruption ends the wait.
    pub(super) fn wait_for_rest(self, left: impl Fn() -> Left) -> Result<()> {
        /// How often we look.
        const PAUSE: Duration = Duration::from_millis(20);
        /// How long we wait without a word, and for processes that may not be profiled.
        const SILENCE: Duration = Duration::from_secs(1);
        let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
        let signals = SignalFd::with_flags(&signals::ending(), flags);
        let signals = signals.context("cannot receive signals")?;
        let begin = Instant::now();
        let mut is_told = false;
        loop {
            let look = Instant::now();
            let Left { profiled: processes, unknown } = left();
            // Where there are many processes a look takes its time.
            let pause = PAUSE.max(4 * look.elapsed());
            let is_late = begin.elapsed() >= SILENCE;
            let is_over = processes.is_empty() && (unknown.is_empty() || is_late);
            if is_over || signals.read_signal()?.is_some() {
                return Ok(());
            }
            if !is_told && is_late {
                is_told = true;
                let ids: Vec<_> = processes.iter().take(10).map(u32::to_string).collect();
                let (number, ids) = (processes.len() as u64, ids.join(", "));
                let noun = if number == 1 { "process" } else { "processes" };
                say(&anyhow!(
                    "the program has ended, but {number} {noun} that it started still {}: {ids}. \
                     Waiting for the end; interrupt (Ctrl-C) to see what there is",
                    if number == 1 { "runs" } else { "run" },
                ));
            }
            sleep(pause);
        }
    }
}
