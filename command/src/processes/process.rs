//! The processes of a run, as they describe themselves in the ledger.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use gmon_format::ledger::{self, Line, Moment, NOTEBOOK_LEN, Samples};

use super::notebook::{Notebook, own_namespace};

/// A program in a process, from its beginning until the process ended or became another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// The number of the process.
    pub(crate) id: u32,
    /// The process that started it.
    pub(crate) parent: u32,
    /// The inode of the PID namespace in which these numbers hold; 0 if it is unknown.
    pub(crate) namespace: u64,
    /// The user whose notebook tells of it.
    pub(crate) owner: u32,
    /// The file of the program.
    pub(crate) program: PathBuf,
    /// The name that it was called by; empty if it did not say.
    called: PathBuf,
    /// When the profile began.
    begin: Moment,
    /// Moment of its last news, and what its samples had hit by then; `None` if it told nothing.
    end: Option<(Moment, Samples)>,
    /// The file that its profile is in, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// True if the process became another program.
    pub(crate) is_replaced: bool,
    /// True if `gmon run` started it itself, as this program.
    is_first: bool,
    /// True if it was looked at from outside.
    is_seen: bool,
}

/// The work of a process, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time in nanoseconds.
    pub(crate) cpu: u64,
    /// The part of it in which no samples were to be taken.
    pub(crate) paused: u64,
    /// The samples taken.
    pub(crate) samples: Samples,
}

/// A process that was looked at from outside.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) program: PathBuf,
    /// CPU time in nanoseconds while somebody looked.
    pub(crate) cpu: u64,
    /// Samples that were taken.
    pub(crate) samples: u64,
    /// The file that its profile is in.
    pub(crate) file: Option<PathBuf>,
    /// True if the process became another program.
    pub(crate) is_replaced: bool,
}

impl From<Seen> for Process {
    fn from(seen: Seen) -> Self {
        let moment = |cpu| Moment { process: seen.id.into(), cpu, time: 0 };
        let samples = Samples { outside: seen.samples, time: seen.cpu, ..Samples::default() };
        Self {
            id: seen.id,
            parent: seen.parent,
            namespace: own_namespace(),
            owner: 0,
            program: seen.program,
            called: PathBuf::new(),
            begin: moment(0),
            end: Some((moment(seen.cpu), samples)),
            file: seen.file,
            is_replaced: seen.is_replaced,
            is_first: false,
            is_seen: true,
        }
    }
}

impl Process {
    /// Reads what the processes wrote, in the order in which they began; `first` is the one that `gmon run` started.
    pub(crate) fn of_notebooks(notebooks: &[Notebook], first: u32) -> Vec<Self> {
        let read = |notebook: &Notebook| {
            let mut processes = Self::read(&notebook.text, first);
            processes.iter_mut().for_each(|process| process.owner = notebook.owner);
            processes
        };
        let mut processes: Vec<_> = notebooks.iter().flat_map(read).collect();
        processes.sort_unstable_by_key(|process| (process.begin.time, process.id));
        let mut firsts = processes.iter_mut().filter(|process| process.is_first);
        // A program that it became has a notebook of its own.
        _ = firsts.find(|process| process.has_our_number());
        firsts.for_each(|process| process.is_first = false);
        processes
    }

    /// Returns `true` if it has told that no file took its profile.
    pub(crate) fn could_not_write(&self) -> bool {
        self.end.is_some() && self.file.is_none() && !self.is_replaced
    }

    /// True if its number is one of our PID namespace. In another one it is somebody else's here.
    pub(crate) fn has_our_number(&self) -> bool {
        [0, own_namespace()].contains(&self.namespace)
    }

    /// Reads the lines of one notebook or more.
    pub(super) fn read(lines: &[u8], first: u32) -> Vec<Self> {
        let mut processes: Vec<Self> = Vec::new();
        for line in lines.split(|byte| *byte == b'\n') {
            // A process that was killed may have left a gap.
            let begin = line.iter().position(|byte| *byte != 0).unwrap_or(line.len());
            let Some(line) = Line::decode(&line[begin..]) else { continue };
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
                (Line::Begin { moment, parent, namespace, program, name }, last) => {
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
                        namespace,
                        owner: 0,
                        program,
                        called: path(name),
                        begin: moment,
                        end: None,
                        file: None,
                        is_replaced: false,
                        is_first,
                        is_seen: false,
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

    /// Time that it used, if it said so.
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

    /// When its profile began, in nanoseconds since the system started.
    pub(crate) fn began_at(&self) -> u64 {
        self.begin.time
    }

    /// The lines that tell of it, as [`read`](Self::read) takes them.
    pub(crate) fn lines(&self) -> Vec<u8> {
        fn plain(path: &Path) -> ledger::Path<'_> {
            ledger::Path::Plain(path.as_os_str().as_bytes())
        }
        let (parent, namespace) = (self.parent.into(), self.namespace);
        let (program, name) = (plain(&self.program), plain(&self.called));
        let begin = Line::Begin { moment: self.begin, parent, namespace, program, name };
        let file = plain(self.file.as_deref().unwrap_or(Path::new("")));
        let end = self.end.map(|(moment, samples)| Line::End { moment, samples, file });
        let became = self.end.filter(|_| self.is_replaced).map(|(moment, _)| Line::Exec { moment });
        let mut buffer = vec![0; NOTEBOOK_LEN];
        let lines = [Some(begin), end, became].into_iter().flatten();
        lines.flat_map(|line| line.encode(&mut buffer).map(<[u8]>::to_vec)).flatten().collect()
    }

    /// Returns `true` if somebody looked at it from outside while it did next to nothing.
    pub(crate) fn was_idle(&self) -> bool {
        self.is_seen && self.file.is_none()
    }

    /// The name of the program.
    pub(crate) fn name(&self) -> String {
        name_of(&self.program)
    }

    /// The names that people know it by: that by which it was called, and that of the program.
    pub(super) fn names(&self) -> [String; 2] {
        let is_told = !self.called.as_os_str().is_empty();
        [name_of(if is_told { &self.called } else { &self.program }), self.name()]
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
fn name_of(program: &Path) -> String {
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
            "begin 7 5 100 1 0 /bin/a\nbegin 8 0 110 7 0 /bin/a link\nend 8 40 150 1 2 3 40 /x/a.8\n\
             end 7 20 200 4 5 6 20 /x/a.7.exec1\nexec 7 21 201\nbegin 7 25 210 1 0 /bin/b\nhalf of a li",
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
        assert_eq!(processes[1].names(), ["link", "a"]);
        assert_eq!(read(&String::from_utf8_lossy(&processes[1].lines())), processes[1..2]);
        assert_eq!(processes[1].file.as_deref(), Some(Path::new("/x/a.8")));
        assert_eq!(processes[0].usage().map(|usage| usage.samples.hooks), Some(6));
    }

    #[test]
    fn a_process_that_did_nothing_of_its_own_is_not_there() {
        let processes = read(
            "begin 7 0 0 1 0 /bin/a\nbegin 8 0 1 7 0 /bin/a\nbegin 9 0 2 8 0 /bin/a\nforget 8\nforget 10\n\
             begin 8 0 3 9 0 /bin/b\nend 9 9 9 0 0 0 9 /x/a.9\n",
        );
        let told: Vec<_> = processes.iter().map(|process| (process.id, process.name())).collect();
        assert_eq!(told, [(7, "a".to_owned()), (9, "a".to_owned()), (8, "b".to_owned())]);
    }

    #[test]
    fn an_exec_that_fails_changes_nothing() {
        let processes = read(
            "begin 7 0 0 1 0 /bin/a\nend 7 1 1 0 0 0 1 /x/a.exec1\nexec 7 2 2\nstay 7\n\
             begin 7 3 3 1 0 /bin/a\nend 7 9 9 0 0 0 9 /x/a\nstay 9\nexec 9 1 1\n",
        );
        let [process] = processes.as_slice() else { panic!("{processes:?}") };
        assert_eq!(process.file.as_deref(), Some(Path::new("/x/a")));
        assert!(!process.is_replaced && process.usage().map(|usage| usage.cpu) == Some(9));
    }
}
