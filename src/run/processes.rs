//! The processes of a run, as they describe themselves in the ledger.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use gmon_format::ledger::{self, Line, Moment, Samples};

/// A program in a process, from its beginning until the process ended or became another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// The number of the process.
    pub(crate) id: u32,
    /// The process that started it.
    pub(crate) parent: u32,
    /// The file of the program.
    pub(crate) program: PathBuf,
    /// When the profile began.
    begin: Moment,
    /// Where it was when it told something last, and what its samples had hit by then; `None` if it told
    /// nothing.
    end: Option<(Moment, Samples)>,
    /// The file that its profile is in, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// Whether the process became another program.
    pub(crate) is_replaced: bool,
    /// Whether `gmon run` started it itself, as this program.
    is_first: bool,
}

/// What a process did, or several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time in nanoseconds.
    pub(crate) cpu: u64,
    /// The part of it in which no samples were to be taken.
    pub(crate) paused: u64,
    /// The samples taken.
    pub(crate) samples: Samples,
}

impl Process {
    /// Reads what the processes wrote; `first` is the one that `gmon run` started.
    pub(super) fn read(lines: &[u8], first: u32) -> Vec<Self> {
        let mut processes: Vec<Self> = Vec::new();
        for line in lines.split(|byte| *byte == b'\n').filter_map(Line::decode) {
            let id = match line {
                Line::Begin { moment, .. } | Line::End { moment, .. } | Line::Exec { moment } => {
                    moment.process
                }
                Line::Stay { process } | Line::Forget { process } => process,
            };
            let Ok(id) = u32::try_from(id) else { continue };
            let last = processes.iter().rposition(|process| process.id == id);
            if let (Line::Forget { .. }, Some(last)) = (line, last) {
                processes.remove(last);
                continue;
            }
            match (line, last.map(|last| &mut processes[last])) {
                (Line::Begin { moment, parent, program }, last) => {
                    let program = path(program);
                    // A profile may begin anew.
                    let is_same = |last: &&mut Self| !last.is_replaced && last.program == program;
                    let is_first = id == first && last.is_none();
                    if last.as_ref().is_some_and(is_same) {
                        continue;
                    }
                    let parent = u32::try_from(parent).unwrap_or(0);
                    processes.push(Self {
                        id,
                        parent,
                        program,
                        begin: moment,
                        end: None,
                        file: None,
                        is_replaced: false,
                        is_first,
                    });
                }
                (Line::End { moment, samples, file }, Some(process)) => {
                    process.end = Some((moment, samples));
                    process.file = Some(path(file)).filter(|path| path != Path::new(""));
                }
                (Line::Exec { moment }, Some(process)) => {
                    let samples = process.end.map_or(Samples::default(), |(_, samples)| samples);
                    process.end = Some((moment, samples));
                    process.is_replaced = true;
                }
                (Line::Stay { .. }, Some(process)) => {
                    process.is_replaced = false;
                    process.file = None;
                }
                (Line::Forget { .. }, _) | (_, None) => {}
            }
        }
        processes
    }

    /// What it used, if it said so.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let (end, samples) = self.end?;
        /// Clocks of CPU time may advance at the ticks of the scheduler only.
        const TICKS: u64 = 20_000_000;
        // Before its profile began it may have been another program, but not if we started it.
        let begin = if self.is_first { 0 } else { self.begin.cpu };
        let pause = end.cpu.saturating_sub(self.begin.cpu).saturating_sub(samples.time);
        let paused = if self.file.is_some() && pause > TICKS { pause } else { 0 };
        Some(Usage { cpu: end.cpu.saturating_sub(begin), paused, samples })
    }

    /// Whether it still runs.
    pub(super) fn is_alive(&self) -> bool {
        // Its state follows its name, which may hold anything.
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id)).unwrap_or_default();
        let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
        !self.is_replaced && state.is_some_and(|state| !"ZX".contains(state))
    }

    /// The name of the program.
    pub(crate) fn name(&self) -> String {
        name_of(&self.program)
    }
}

impl Usage {
    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        let (a, b) = (self.samples, other.samples);
        let samples = Samples {
            inside: a.inside.saturating_add(b.inside),
            outside: a.outside.saturating_add(b.outside),
            hooks: a.hooks.saturating_add(b.hooks),
            time: a.time.saturating_add(b.time),
        };
        let (cpu, paused) = (self.cpu.saturating_add(other.cpu), self.paused + other.paused);
        Self { cpu, paused, samples }
    }
}

/// The last part of a program's path.
pub(crate) fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

fn path(path: ledger::Path<'_>) -> PathBuf {
    OsString::from_vec(path.bytes().collect()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Vec<Process> {
        Process::read(lines.as_bytes(), 7)
    }

    #[test]
    fn processes_that_become_other_programs_are_kept_apart() {
        let processes = read(
            "begin 7 5 100 1 /bin/a\nbegin 8 0 110 7 /bin/a\nend 8 40 150 1 2 3 40 /x/a.8\n\
             end 7 20 200 4 5 6 20 /x/a.7.exec1\nexec 7 21 201\nbegin 7 25 210 1 /bin/b\nhalf of a li",
        );
        let told = |process: &Process| {
            let usage = process.usage().map(|usage| usage.cpu);
            (process.id, process.name(), usage, process.is_replaced)
        };
        let told: Vec<_> = processes.iter().map(told).collect();
        let expected = [
            (7, "a".to_owned(), Some(21), true),
            (8, "a".to_owned(), Some(40), false),
            (7, "b".to_owned(), None, false),
        ];
        assert_eq!(told, expected);
        assert_eq!(processes[1].file.as_deref(), Some(Path::new("/x/a.8")));
        assert_eq!(processes[0].usage().map(|usage| usage.samples.hooks), Some(6));
    }

    #[test]
    fn a_process_that_did_nothing_of_its_own_is_not_there() {
        let processes = read(
            "begin 7 0 0 1 /bin/a\nbegin 8 0 1 7 /bin/a\nbegin 9 0 2 8 /bin/a\nforget 8\nforget 10\n\
             begin 8 0 3 9 /bin/b\nend 9 9 9 0 0 0 9 /x/a.9\n",
        );
        let told: Vec<_> = processes.iter().map(|process| (process.id, process.name())).collect();
        assert_eq!(told, [(7, "a".to_owned()), (9, "a".to_owned()), (8, "b".to_owned())]);
    }

    #[test]
    fn an_exec_that_fails_changes_nothing() {
        let processes = read(
            "begin 7 0 0 1 /bin/a\nend 7 1 1 0 0 0 1 /x/a.exec1\nexec 7 2 2\nstay 7\n\
             begin 7 3 3 1 /bin/a\nend 7 9 9 0 0 0 9 /x/a\nstay 9\nexec 9 1 1\n",
        );
        let [process] = processes.as_slice() else { panic!("{processes:?}") };
        assert_eq!(process.file.as_deref(), Some(Path::new("/x/a")));
        assert!(!process.is_replaced && process.usage().map(|usage| usage.cpu) == Some(9));
    }
}
