//! One run of a program: started, waited for, its profiles gathered and shown.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, anyhow};
use gmon_format::options::VARIABLE;

use super::destination::Destination;
use super::executable::Lack;
use super::keeping::keep_all;
use super::ledger::Ledger;
use super::process::{Ending, Left, Running};
use super::ranks::Others;
use super::repeated::ProgramOutput;
use super::sampling::Sampling;
use super::settings::OptionList;
use super::steps::Steps;
use super::usual_file::UsualFile;
use super::{descendants, live_file, living, settings};
use crate::open::Samples;
use crate::processes::{Narrowing, Process, Profiled, Usage};
use crate::report::{Html, Output, Part, ProcessList, Shown, View, show, write_pages};
use crate::say;
use crate::text::harmless;

/// A command, and what is wanted to know of it.
pub(crate) struct Run<'a> {
    /// The program that is run.
    pub(crate) executable: &'a Path,
    /// The reason why it cannot have a profile itself, if that is known; programs that it starts may.
    pub(crate) why_without_profile: Option<Lack>,
    pub(crate) destination: Destination,
    pub(crate) narrowing: Narrowing,
    pub(crate) view: View,
    /// A page for the browser, beside the summary.
    pub(crate) html: Option<Html>,
    pub(crate) sampling: Sampling,
    /// The profiles of other ranks, where this one shows all.
    pub(crate) others: Option<Others>,
}

/// A run that has ended.
pub(super) struct Finished {
    ledger: Ledger,
    pub(super) ending: Ending,
    usual_file: UsualFile,
    /// When it began, in nanoseconds since the system started.
    began: u64,
    steps: Option<Steps>,
}

/// Everything that a run left.
pub(super) struct Gathered {
    list: ProcessList,
    /// Those with a profile, the busiest first.
    pub(super) programs: Vec<Profiled>,
    /// A profile of which no process told.
    untold: Option<PathBuf>,
}

impl Run<'_> {
    /// Runs the command, whose program finds `name` as its first argument, reports on all its processes, and ends
    /// as it does.
    ///
    /// # Errors
    ///
    /// Cargo cannot be run.
    pub(crate) fn observe(
        &self,
        command: Command,
        name: &OsStr,
        output: &mut Output,
    ) -> Result<ExitCode> {
        let mut finished = self.execute(command, name, ProgramOutput::Shown)?;
        // The exit status is the program's even if there is nothing to show.
        if let Err(error) = self.report(&mut finished, output) {
            say(&error);
        }
        Ok(finished.ending.exit_code())
    }

    /// Runs the command, whose program finds `name` as its first argument, and waits for all its processes.
    pub(super) fn execute(
        &self,
        mut command: Command,
        name: &OsStr,
        output: ProgramOutput,
    ) -> Result<Finished> {
        let began = living::now();
        let ledger = self.destination.ledger()?;
        let (variable, value) = ledger.variable();
        command.env(variable, value);
        let mut options = OptionList::of_environment();
        self.sampling.add_to(&mut options);
        self.destination.add_to(&mut options, &ledger)?;
        if let Some(options) = options.changed() {
            command.env(VARIABLE, options);
        }
        let usual_file = UsualFile::before_the_run();
        let mut running = Running::start(command, name, output)?;
        let mut steps = self.sampling.steps.then(Steps::default);
        let ending = running.wait(steps.as_mut())?;
        // What there is can be shown all the same.
        if let Err(error) = self.wait_for_rest(running, &ledger, &ending, began) {
            say(&error);
        }
        Ok(Finished { ledger, ending, usual_file, began, steps })
    }

    fn wait_for_rest(
        &self,
        running: Running,
        ledger: &Ledger,
        ending: &Ending,
        began: u64,
    ) -> Result<()> {
        let first = ending.process_id;
        if self.narrowing == Narrowing::First {
            return Ok(());
        }
        let (name, value) = ledger.variable();
        running.wait_for_rest(|| {
            let processes = ledger.read(first).unwrap_or_default();
            let wanted = processes.iter().filter(|process| self.narrowing.wants(process, first));
            let left = wanted.filter(|process| !process.is_replaced);
            let left = left.filter_map(|process| living::number(process, began));
            let mut unknown = descendants::with_variable(name, &value);
            unknown.retain(|id| processes.iter().all(|process| process.id != *id));
            Left { profiled: left.collect(), unknown }
        })
    }

    /// Puts what the processes wrote where it is to stay.
    pub(super) fn gather(&self, finished: &mut Finished) -> Result<Gathered> {
        let Finished { ledger, ending, usual_file, began, steps } = finished;
        let first = ending.process_id;
        let mut processes = ledger.read(first)?;
        // A file of another runtime says nothing about ours.
        let is_untold = processes.is_empty() && self.why_without_profile.is_none();
        let untold = is_untold.then(|| usual_file.written_since(self.executable)).flatten();
        let called = self.narrowing.narrow(&mut processes, first);
        let has_failed = processes.iter().any(Process::could_not_write);
        ledger.take(&mut processes);
        for process in &mut processes {
            self.recover(process, ledger, ending, *began);
        }
        let lost = lose_what_is_elsewhere(&mut processes);
        if let Some(steps) = steps {
            steps.write(&processes);
        }
        let takes_idle = self.narrowing == Narrowing::Everything;
        let is_first = |process: &Process| process.id == first && !process.is_replaced;
        let (list, programs) =
            keep_all(processes, ledger, &self.destination, takes_idle, is_first)?;
        if programs.is_empty() && untold.is_none() && lost == 0 {
            return Err(self.no_profile(ending, usual_file, has_failed, &called));
        }
        let untold = untold.filter(|_| programs.is_empty());
        Ok(Gathered { list, programs, untold })
    }

    /// Shows what the processes reported and wrote.
    fn report(&self, finished: &mut Finished, output: &mut Output) -> Result<()> {
        let first = finished.ending.process_id;
        let Gathered { list, programs, untold } = self.gather(finished)?;
        if programs.is_empty() {
            return match untold {
                Some(file) => self.show(self.executable, &[file], None, output),
                None => Ok(()),
            };
        }
        if list.is_long() {
            output.present(None, list.sheet())?;
        }
        for program in &programs {
            let known = Some((program.processes.len(), program.usage()));
            // The path by which the user knows it.
            let is_named = self.executable.canonicalize().is_ok_and(|path| path == program.program);
            let executable = if is_named { self.executable } else { &program.program };
            let is_main = program.processes.iter().any(|process| process.id == first);
            let shown = match &self.others {
                Some(others) if is_main => {
                    let data = [program.data.clone(), others.wait(program)].concat();
                    self.show(executable, &data, None, output)
                }
                _ => self.show(executable, &program.data, known, output),
            };
            if let Err(error) = shown {
                say(&error);
            }
        }
        match &self.html {
            Some(html) => {
                write_pages(&programs, (self.view, &Samples::default()), html, output).map(drop)
            }
            None => Ok(()),
        }
    }

    fn show(
        &self,
        program: &Path,
        data: &[PathBuf],
        processes: Option<(usize, Usage)>,
        output: &mut Output,
    ) -> Result<()> {
        show(&Shown { program, data, processes, view: self.view, part: &Part::Functions }, output)
    }

    /// Makes the data file of a live file that a process left.
    fn recover(&self, process: &mut Process, ledger: &Ledger, ending: &Ending, began: u64) {
        let is_alive = || living::number(process, began).is_some();
        if process.file.is_some() || process.is_replaced || is_alive() {
            return;
        }
        let live = live_file::left_by(&process.program, process.id, process.owner);
        let Some(live) = live else { return };
        let is_first = process.id == ending.process_id;
        let file = self.destination.file_of(process, is_first, ledger);
        let signal = ending.signal().filter(|_| is_first);
        match live_file::recover(&live, &file, signal.as_deref()) {
            Ok(()) => process.file = Some(file),
            Err(error) => say(&error),
        }
    }

    /// Why there is no profile, and how the processes are `called`.
    fn no_profile(
        &self,
        ending: &Ending,
        usual_file: &UsualFile,
        has_failed: bool,
        called: &str,
    ) -> anyhow::Error {
        let name = self.executable.display();
        let there = match &self.destination {
            Destination::Usual => usual_file.left_by_earlier_run(),
            Destination::File(file) => Some(file.as_path()).filter(|file| file.exists()),
            Destination::Folder(_) | Destination::Sums(_) => None,
        };
        let earlier = there.map(|file| format!("; {} is of an earlier run", file.display()));
        let earlier = earlier.unwrap_or_default();
        let what = match (ending.signal(), self.why_without_profile) {
            _ if settings::is_off() => "profiling is switched off by GMON_OPTIONS=off".to_owned(),
            (Some(signal), None) => {
                // Of all signals this one leaves no time.
                let remedy = match signal.as_str() {
                    "SIGKILL" => {
                        "; GMON_OPTIONS=live=FILE keeps the counts for `gmon recover FILE`"
                    }
                    _ => "",
                };
                format!("{name} was killed by {signal}{earlier}{remedy}")
            }
            _ if self.narrowing != Narrowing::Everything => {
                format!("no process that --child or --no-children leaves was profiled{called}")
            }
            (_, Some(why)) => format!("{name} {why}"),
            _ if has_failed => format!("{name} could not write one{earlier}"),
            _ => format!(
                "{name} ended without writing one: it may have cleared its environment, or have ended \
                 by a system call of its own{earlier}"
            ),
        };
        anyhow!("there is no profile: {what}")
    }
}

/// Forgets the files that are not where their processes say, and says so; returns how many these are.
fn lose_what_is_elsewhere(processes: &mut [Process]) -> usize {
    let mut lost = 0;
    for process in processes {
        let Some(file) = process.file.take_if(|file| !file.exists()) else { continue };
        lost += 1;
        say(&anyhow!(
            "process {} of {} wrote its profile to {}, which is not there; if it has changed its root directory \
             (chroot), the file is below that",
            process.id,
            harmless(&process.name()),
            harmless(&file.display().to_string())
        ));
    }
    lost
}
