//! `--steps`: threads of a run that are followed for a moment, again and again, to learn how often each instruction runs.
//!
//! Samples of time say how long code took, not how often it ran, and compilers want to know the latter.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use gmon_analyzer::records::LiveFile;
use gmon_analyzer::sum::{replace_private_file, with_steps};
use gmon_events::{CAN_FOLLOW, WaitStatus, follow};
use gmon_format::LoadedPc;
use gmon_format::live::Form;
use nix::unistd::Pid;

use crate::open::full_of;
use crate::processes::Process;
use crate::say;

/// Instructions that a thread is followed for at a time. A way begins where time is spent, so short ones would tell of slow code
/// more than of other.
const LENGTH: u32 = 1000;

/// Instructions that were seen, of each program that a process was.
#[derive(Debug, Default)]
pub(super) struct Steps {
    programs: Vec<Followed>,
    /// Time of the next look.
    next: Option<Instant>,
    /// Number of ways; threads have their turns by it.
    ways: u32,
    /// Why a thread could not be followed.
    refused: Option<io::Error>,
}

/// A program that a process was, and executions of its instructions by their addresses.
#[derive(Debug)]
struct Followed {
    process: u32,
    program: PathBuf,
    counts: BTreeMap<u64, u64>,
}

/// Returns `true` if programs can be followed here, as far as one knows before there is one.
pub(crate) fn may_step() -> bool {
    const NOBODY_MAY: &str = "3";
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    CAN_FOLLOW && scope.map_or(true, |scope| scope.trim() != NOBODY_MAY)
}

impl Steps {
    /// Milliseconds between questions whether it is time for a look.
    pub(super) const PAUSE_MS: u8 = 1;

    /// Follows one of the threads that run, of a process and those that it started. Returns how the process ended if it does
    /// meanwhile: nobody else can know it then.
    pub(super) fn look(&mut self, process: Pid) -> Option<WaitStatus> {
        let begun = Instant::now();
        if self.next.is_some_and(|next| begun < next) {
            return None;
        }
        let first = process.as_raw().unsigned_abs();
        let threads = running(first);
        let way = (self.ways as usize).checked_rem(threads.len()).map(|turn| threads[turn]);
        let status = way.and_then(|way| self.follow_one(way, first));
        let now = Instant::now();
        self.next = Some(now + self.pause(now - begun, way.is_some()));
        status
    }

    /// Time in which the program runs on its own after a look that took so long.
    fn pause(&self, took: Duration, has_followed: bool) -> Duration {
        const SHORTEST: Duration = Duration::from_millis(2);
        /// Ways of which all may be seen. A short run needs that, and of a long one enough is known.
        const MANY: u32 = 200;
        /// Part of the time that is left to the program. On virtual machines a step may take a hundred microseconds.
        const PART: u32 = 9;
        match has_followed {
            true => (SHORTEST * (1 + self.ways / MANY)).max(took / PART),
            // Where there are many processes a look takes its time.
            false => SHORTEST.max(took * PART),
        }
    }

    fn follow_one(&mut self, (process, thread): (u32, u32), first: u32) -> Option<WaitStatus> {
        self.ways = self.ways.saturating_add(1);
        let program = program_of(process)?;
        let is_it = |it: &Followed| it.process == process && it.program == program;
        let known = self.programs.iter().rposition(is_it);
        let place = known.unwrap_or(self.programs.len());
        if known.is_none() {
            self.programs.push(Followed { process, program, counts: BTreeMap::new() });
        }
        let counts = &mut self.programs[place].counts;
        match follow(thread, LENGTH, |pc| *counts.entry(pc).or_default() += 1) {
            Ok(status) => status.filter(|_| thread == first),
            Err(error) => {
                const GONE: i32 = nix::libc::ESRCH;
                if error.raw_os_error() != Some(GONE) {
                    self.refused = Some(error);
                }
                None
            }
        }
    }

    /// Writes what was seen of processes into their full profiles.
    pub(super) fn write(&self, processes: &[Process]) {
        if self.programs.iter().all(|it| it.counts.is_empty()) {
            say(&self.why_nothing());
            return;
        }
        let mut is_written = false;
        for process in processes {
            let full = process.file.as_deref().and_then(full_of);
            let is_its = |it: &&Followed| it.process == process.id && it.program == process.program;
            let followed = self.programs.iter().find(is_its).filter(|_| process.has_our_number());
            if let (Some(full), Some(followed)) = (full, followed) {
                is_written = true;
                if let Err(error) = append(&full, &followed.counts) {
                    say(&error.context("the profile does not say how often instructions ran"));
                }
            }
        }
        if !is_written {
            say(&anyhow!(
                "--steps: none of the processes that were followed has a full profile here; those of other PID namespaces cannot have \
                 their steps in it"
            ));
        }
    }

    fn why_nothing(&self) -> anyhow::Error {
        let why = match &self.refused {
            _ if !CAN_FOLLOW => "no program of this processor can be stepped through".to_owned(),
            Some(error) if error.kind() == io::ErrorKind::Unsupported => {
                "programs of 32 bits cannot be stepped through".to_owned()
            }
            Some(error) => format!(
                "the system lets nobody step through it ({error}); kernel.yama.ptrace_scope must be less than 3, containers may \
                 need --cap-add SYS_PTRACE, and no debugger may be at work on it"
            ),
            None => "the run was too short".to_owned(),
        };
        anyhow!("--steps saw no instruction: {why}")
    }
}

/// Appends executions to a full profile.
fn append(profile: &Path, counts: &BTreeMap<u64, u64>) -> Result<()> {
    let is_whole = LiveFile::header_of(profile).is_some_and(|it| it.form == Form::Finished);
    if !is_whole {
        return Err(anyhow!("{}: not a finished full profile", profile.display()));
    }
    let file = LiveFile::open(profile)?;
    let steps = counts.iter().map(|(pc, count)| (LoadedPc(*pc), *count));
    let bytes = with_steps(file.bytes(), &file.live()?, steps);
    replace_private_file(profile, |out| out.write_all(&bytes))
        .with_context(|| profile.display().to_string())
}

/// The threads that run, of a process and those that it started, each with its process.
fn running(first: u32) -> Vec<(u32, u32)> {
    let mut threads = Vec::new();
    let mut processes = vec![first];
    while let Some(process) = processes.pop() {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let Some(thread) = task.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let read = |name: &str| fs::read_to_string(task.path().join(name)).unwrap_or_default();
            // The state follows the name, which may hold anything.
            if read("stat").rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R')) {
                threads.push((process, thread));
            }
            processes.extend(read("children").split_whitespace().flat_map(str::parse::<u32>));
        }
    }
    threads
}

/// The file of the program that a process is.
fn program_of(process: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/exe")).ok()
}

#[test]
fn refusals_say_how_to_allow_it() {
    let refused = Some(io::Error::from_raw_os_error(nix::libc::EPERM));
    let text = Steps { refused, ..Steps::default() }.why_nothing().to_string();
    assert!(!CAN_FOLLOW || text.contains("kernel.yama.ptrace_scope"), "{text}");
    assert!(Steps::default().why_nothing().to_string().contains("no instruction"));
}
