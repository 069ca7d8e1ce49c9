//! `gmon run --pid`: processes that run already, sampled from outside for a while.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, ArgMatches};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;

use super::destination::Destination;
use super::keeping::keep_all;
use super::repeated::ProgramOutput;
use super::sampling::Sampling;
use super::spawn;
use crate::command_line::option;
use crate::open::{Samples, microseconds};
use crate::outside::{LiveFile, Process, Sampler, Wanted};
use crate::processes::{self, Narrowing, Seen, part_of_name};
use crate::report::{Html, Output, Part, Shown, View, show, write_pages};
use crate::signals::exit_code;
use crate::text::{harmless, joined};
use crate::{attached, recover, say, signals};

/// Trouble with a command.
const CANNOT_WAIT: &str = "cannot wait for the command";

/// Processes to look at, and for how long.
pub(super) struct Outside {
    words: Vec<String>,
    duration: Option<Duration>,
    command: Vec<OsString>,
}

impl Outside {
    /// The options.
    pub(super) fn arguments() -> [Arg; 2] {
        [
            option(
                "pid",
                "PID|NAME,...",
                "Sample processes that run already, by their numbers or the names of their programs",
            )
            .value_delimiter(',')
            .conflicts_with_all([
                "no-stacks", "wall", "libcalls", "order", "steps", "times", "runs", "child", "program", "blocks",
            ]),
            option("for", "TIME", "With --pid: sample for so long, as 10s, 500ms or 2m")
                .requires("pid")
                .value_parser(duration),
        ]
    }

    /// The processes that they ask for; `None` if nobody asks for processes that run already.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        let words: Vec<String> = arguments.get_many("pid")?.cloned().collect();
        let command = arguments.get_many("words").into_iter().flatten().cloned().collect();
        Some(Self { words, duration: arguments.get_one("for").copied(), command })
    }

    /// Samples the processes and shows where their time went.
    pub(super) fn observe(
        &self,
        destination: &Destination,
        (sampling, narrowing): (&Sampling, &Narrowing),
        (view, html): (View, Option<Html>),
        open_output: impl FnOnce() -> Result<Output>,
    ) -> Result<ExitCode> {
        let targets = self.targets()?;
        let wanted = Wanted {
            rate: sampling.rate.unwrap_or(Sampling::RATE),
            children: *narrowing != Narrowing::First,
            python: sampling.python != Some(false),
        };
        let mut sampler = Sampler::new(&targets, wanted)?;
        let output = &mut open_output()?;
        let mut ledger = destination.ledger()?;
        let mut written = Written { folder: ledger.own().to_owned(), seen: Vec::new() };
        let status = self.sample(&mut sampler, &targets, &mut written)?;
        if written.seen.iter().all(|(_, seen)| seen.file.is_none()) {
            let error = written.no_sample(&targets);
            if status == ExitCode::SUCCESS {
                return Err(error);
            }
            // That of a command that failed says more.
            say(&error);
            return Ok(status);
        }
        if sampler.lost > 0 {
            say(&anyhow!(
                "warning: {} of {} samples were lost, because gmon did not get enough of the processors; take fewer \
                 (--rate 99)",
                sampler.lost,
                sampler.lost + written.samples()
            ));
        }
        let processes = written.recover();
        let is_first = |process: &processes::Process| targets.first() == Some(&process.id);
        let takes_idle = targets.len() == 1;
        let (list, programs) = keep_all(processes, &mut ledger, destination, takes_idle, is_first)?;
        if list.is_long() {
            output.present(None, list.sheet())?;
        }
        for program in &programs {
            let processes = Some((program.processes.len(), program.usage()));
            let (data, part) = (&program.data, &Part::Functions);
            let shown = Shown { program: &program.program, data, processes, view, part };
            if let Err(error) = show(&shown, output) {
                say(&error);
            }
        }
        if let Some(html) = html {
            write_pages(&programs, (view, &Samples::default()), &html, output)?;
        }
        Ok(status)
    }

    /// The processes that the words name.
    fn targets(&self) -> Result<Vec<u32>> {
        let mut targets = Vec::new();
        for word in &self.words {
            if word.is_empty() {
                bail!(
                    "--pid takes numbers or names with a comma between them, and one of these is empty"
                );
            }
            let found = match word.parse() {
                Ok(process) => vec![process],
                Err(_) => attached::called(word),
            };
            if found.is_empty() {
                bail!("no running program is called {}", harmless(word));
            }
            targets.extend(found);
        }
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// Samples until it is time to end. Returns the exit status of the command, if there is one.
    fn sample(
        &self,
        sampler: &mut Sampler,
        targets: &[u32],
        written: &mut Written,
    ) -> Result<ExitCode> {
        let signals = signals::ending();
        signals.thread_block().context("cannot block signals")?;
        let child = self.start()?;
        let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
        let signals = SignalFd::with_flags(&signals, flags).context("cannot receive signals")?;
        if child.is_none() && self.duration.is_none() {
            let ids: Vec<_> = targets.iter().take(10).map(u32::to_string).collect();
            say(&anyhow!("sampling {}; Ctrl-C ends it and shows the profile", ids.join(", ")));
        }
        let begun = Instant::now();
        let mut bells = sampler.bells();
        let ended = loop {
            sampler.drain();
            sampler.take_ended().into_iter().for_each(|it| written.add(it, sampler));
            if let Some(child) = child {
                if let Some(status) = spawn::ending(child).context(CANNOT_WAIT)? {
                    break Some(status);
                }
            } else if sampler.is_over() {
                break None;
            }
            let left = self.duration.map(|duration| duration.saturating_sub(begun.elapsed()));
            let is_late = left == Some(Duration::ZERO);
            if is_late || signals.read_signal().context("cannot receive signals")?.is_some() {
                break None;
            }
            let pause = sampler.pause().min(left.unwrap_or(Duration::MAX));
            bells.wait(Some(signals.as_fd()), pause);
        };
        sampler.stop();
        let rest = std::mem::take(&mut sampler.processes);
        rest.into_iter().for_each(|it| written.add(it, sampler));
        match (child, ended) {
            (Some(child), None) => end(child, &signals),
            (_, Some(status)) => Ok(exit_code(status)),
            (None, None) => Ok(ExitCode::SUCCESS),
        }
    }

    /// Starts the command, if there is one.
    fn start(&self) -> Result<Option<Pid>> {
        let Some((program, arguments)) = self.command.split_first() else { return Ok(None) };
        let mut command = Command::new(program);
        command.args(arguments);
        let child = spawn::spawn(command, program, ProgramOutput::Shown);
        let child =
            child.with_context(|| format!("cannot run {}", Path::new(program).display()))?;
        Ok(Some(child))
    }
}

/// Ends a command that runs longer than its processes are sampled, and returns its status, which is a good one if it ended
/// as it was asked to. An interruption ends one that goes on.
fn end(child: Pid, signals: &SignalFd) -> Result<ExitCode> {
    /// Time between looks, in milliseconds.
    const PAUSE: u8 = 20;
    // It may have got the signal of a terminal itself, and ended.
    _ = kill(child, Signal::SIGTERM);
    loop {
        if let Some(status) = spawn::ending(child).context(CANNOT_WAIT)? {
            let is_asked = status.signal() == Some(Signal::SIGTERM as i32);
            return Ok(if is_asked { ExitCode::SUCCESS } else { exit_code(status) });
        }
        poll(&mut [PollFd::new(signals.as_fd(), PollFlags::POLLIN)], PAUSE)?;
        if signals.read_signal().context("cannot receive signals")?.is_some() {
            _ = kill(child, Signal::SIGKILL);
        }
    }
}

/// Processes that were sampled. Each is written to a file when it has ended, and takes little memory from then on.
struct Written {
    folder: PathBuf,
    /// When each began, and what is known of it.
    seen: Vec<(u64, Seen)>,
}

impl Written {
    /// Writes what was found in a process, for its profile to be made of it. One that cannot be written is lost, and no other.
    fn add(&mut self, mut process: Process, sampler: &Sampler) {
        let mut name = part_of_name(&process.program);
        name.push(format!(".{}.{}", process.id, self.seen.len()));
        let mut file = process.has_time().then(|| self.folder.join(name));
        if let Some(Err(error)) =
            file.as_ref().map(|it| write(&live_file(it), &mut process, sampler))
        {
            say(&lost(process.id, error));
            file = None;
        }
        let seen = Seen {
            id: process.id,
            parent: process.parent,
            cpu: process.used,
            samples: process.samples(),
            is_replaced: process.is_replaced,
            program: process.program,
            file,
        };
        self.seen.push((process.begun, seen));
    }

    /// Number of samples taken.
    fn samples(&self) -> u64 {
        self.seen.iter().map(|(_, seen)| seen.samples).sum()
    }

    /// Makes the profiles of all processes.
    fn recover(mut self) -> Vec<processes::Process> {
        self.seen.sort_unstable_by_key(|(begun, seen)| (*begun, seen.id));
        for (_, seen) in &mut self.seen {
            let Some(file) = &seen.file else { continue };
            let live = live_file(file);
            if let Err(error) = recover::recover(&live, file, true) {
                say(&lost(seen.id, error));
                seen.file = None;
            }
            // It goes with its folder at the latest.
            _ = fs::remove_file(&live);
        }
        self.seen.into_iter().map(|(_, seen)| seen.into()).collect()
    }

    /// Says that there is nothing to show, and why.
    fn no_sample(&self, targets: &[u32]) -> anyhow::Error {
        let used: u64 = self.seen.iter().map(|(_, seen)| seen.cpu).sum();
        let ids: Vec<_> = targets.iter().take(10).map(u32::to_string).collect();
        let ids = ids.join(", ");
        let milliseconds = used / 1_000_000;
        anyhow!(
            "there is no profile: no sample was taken of {ids}, which used {milliseconds} ms of CPU time meanwhile; look \
             longer (--for), or more often (--rate 10000)"
        )
    }
}

/// The file in which a profile waits to be made.
fn live_file(file: &Path) -> PathBuf {
    file.with_file_name(joined(".", file.file_name().unwrap_or_default()))
}

fn write(live: &Path, process: &mut Process, sampler: &Sampler) -> Result<()> {
    let cannot = || format!("cannot write {}", live.display());
    let made = File::options().read(true).write(true).create_new(true).open(live);
    let mut out = LiveFile::new(made.with_context(cannot)?);
    out.write(process, sampler, true).with_context(cannot)
}

fn lost(process: u32, error: anyhow::Error) -> anyhow::Error {
    error.context(format!("the profile of process {process} is lost"))
}

/// A time of at least a millisecond, as `10s`.
fn duration(text: &str) -> Result<Duration, String> {
    let us = microseconds(text).ok().filter(|us| *us >= 1000);
    us.map(Duration::from_micros).ok_or_else(|| "must be a time, as 10s, 500ms or 2m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in [
            ("10s", Some(10_000)),
            ("500ms", Some(500)),
            ("2m", Some(120_000)),
            ("1.5", Some(1500)),
        ] {
            let expected = milliseconds.map(Duration::from_millis);
            assert_eq!(duration(text).ok(), expected, "{text}");
        }
        for text in ["", "s", "-1s", "0", "0.9ms", "1d", "nans", "infs", "1e9h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
