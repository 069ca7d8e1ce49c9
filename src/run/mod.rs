//! `gmon run`: runs a program with the profiling runtime and tells where its time went.
//!
//! ```text
//! sources ─compile→ program ─┐                                ┌→ list of processes
//! any command ─────inspect───┴→ run ─→ ledger, data files ────┴→ a summary for each program
//! ```
//!
//! The program keeps its own input, output and exit status; what we have to say goes to the
//! standard error stream or to a file.

mod descendants;
mod destination;
mod executable;
mod languages;
mod launch;
mod ledger;
mod live_file;
mod narrowing;
mod process;
mod processes;
mod profiled;
mod ranks;
mod repeated;
mod sampling;
mod series;
mod settings;
mod sources;
mod spawn;
mod usual_file;

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use gmon_format::options::VARIABLE;

use crate::naming::Naming;
use crate::report::{Html, Output, Part, ProcessList, Samples, Shown, View, show, write_pages};
use crate::say;
use crate::text::harmless;
use launch::Launch;
use ledger::Ledger;
use process::{Ending, Left, Running};
use ranks::Rank;
use repeated::ProgramOutput;
use settings::OptionList;
use usual_file::UsualFile;

pub(crate) use destination::Destination;
use executable::is_pipe;
pub(crate) use executable::{Lack, Runtime, has_runtime, inspect, is_program};
pub(crate) use ledger::of_folder;
pub(crate) use narrowing::Narrowing;
pub(crate) use processes::{Process, Usage};
pub(crate) use profiled::Profiled;
pub(crate) use ranks::Others;
pub(crate) use repeated::Repeated;
pub(crate) use sampling::Sampling;
pub(crate) use series::{Repetition, SeriesFolder};

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("run")
        .display_name("gmon run")
        .about("Runs a command, or compiles sources, and shows where the time went")
        .override_usage(
            "gmon run [OPTIONS] COMMAND [ARGS]...\n       \
             gmon run [OPTIONS] SOURCE... [COMPILER ARGS] [-- ARGS...]",
        )
        .args(View::arguments())
        .args(Html::arguments())
        .args(Sampling::arguments())
        .arg(
            Arg::new("report")
                .long("report")
                .value_name("FILE")
                .help("Write the summary to FILE instead of the standard error stream")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write the profile to FILE [default: gmon.out]")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("data")
                .short('d')
                .long("data")
                .value_name("FOLDER")
                .conflicts_with("output")
                .help("Write a file for each process into FOLDER; with --runs, one for each run [default there: gmon.runs]")
                .value_parser(value_parser!(PathBuf)),
        )
        .args(Repetition::arguments())
        .mut_arg("runs", |runs| runs.conflicts_with_all(["output", "html"]))
        .args(Narrowing::arguments())
        .arg(
            Arg::new("program")
                .long("program")
                .value_name("FILE")
                .help("Where to put the program that is compiled from sources")
                .default_value("a.out")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("blocks")
                .long("blocks")
                .help("Count every execution of every basic block of the sources")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("words")
                .value_name("PROGRAM")
                .required(true)
                .num_args(1..)
                .trailing_var_arg(true)
                .value_parser(value_parser!(OsString))
                .hide(true),
        )
        .after_help(
            "Run any command: gmon run make test, gmon run sh -c '...'. gmon measures the time of every\n\
             program that it starts, with call stacks, and counts the calls of those compiled with -pg.\n\
             Programs linked by gmon cc contain the runtime; gmon run preloads it into others.\n\
             \n\
             The compiler of their language compiles sources with -O2 -g -pg; for --blocks with -O0, so that\n\
             all lines keep their counts: C ($CC), C++ ($CXX), Fortran ($FC), Objective-C ($OBJC, $OBJCXX),\n\
             Ada ($GNATMAKE), D ($DC), Go ($GOC), Modula-2 ($GM2).\n\
             \n\
             The exit status is the program's, or 128 plus the number of the signal that ended it.",
        )
}

/// Runs the program and ends as it does.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let words: Vec<OsString> = arguments.get_many("words").into_iter().flatten().cloned().collect();
    let path = |name: &str| arguments.get_one::<PathBuf>(name).cloned();
    let rank = Rank::of_environment();
    let of_rank = |path: PathBuf| match &rank {
        Some(rank) => rank.name(&path),
        None => path,
    };
    let folder = path("data").map(of_rank);
    let destination = match (path("output"), &folder) {
        (Some(file), _) if is_program(&file) => {
            let name = file.display();
            bail!(
                "{name} is a program; -o names the file for the profile, and --program the program that is \
                 compiled"
            );
        }
        (Some(file), _) if is_pipe(&file) => {
            bail!("{}: a pipe; -o names a file, of which the summary is made", file.display());
        }
        (Some(file), _) => Destination::File(of_rank(file)),
        (None, Some(folder)) => Destination::Folder(folder.clone()),
        (None, None) => Destination::Usual,
    };
    let is_shown = rank.as_ref().is_none_or(Rank::is_first);
    let mut output = match is_shown {
        true => Output::open(path("report").as_ref())?,
        false => Output::nowhere(),
    };
    if rank.is_some() && words.first().is_some_and(|word| sources::is_source(word)) {
        bail!("each rank would compile the program; compile it first, gmon cc mpicc, then run it");
    }
    let sampling = Sampling::asked_for(arguments);
    let built = path("program").unwrap_or_default();
    let launch = Launch::prepare(words, built, arguments.get_flag("blocks"), &sampling)?;
    let (narrowing, view) = (Narrowing::asked_for(arguments), View::asked_for(arguments));
    if let Some(repetition) = Repetition::asked_for(arguments) {
        let naming = view.names.unwrap_or(Naming::Plain);
        let mut command = Repeated::new(launch, sampling, narrowing, naming)?;
        return series::observe(&mut command, repetition, folder, view.top, &mut output);
    }
    let run = Run {
        executable: &launch.executable,
        why_without_profile: launch.why_without_profile,
        destination,
        narrowing,
        view,
        html: Html::asked_for(arguments).filter(|_| is_shown),
        sampling,
        others: rank.and_then(|rank| Others::before_the_run(&rank, path("output"))),
    };
    run.observe(launch.command(), &launch.name, &mut output)
}

/// A command, and what is wanted to know of it.
pub(crate) struct Run<'a> {
    /// The program that is run.
    pub(crate) executable: &'a Path,
    /// Why it cannot have a profile itself, if that is known; what it starts may.
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
struct Finished {
    ledger: Ledger,
    ending: Ending,
    usual_file: UsualFile,
}

/// What a run left.
struct Gathered {
    list: ProcessList,
    /// Those with a profile, the busiest first.
    programs: Vec<Profiled>,
    /// A profile of which no process told.
    untold: Option<PathBuf>,
}

impl Run<'_> {
    /// Runs the command, whose program finds `name` as its first argument, reports on all its processes, and ends
    /// as it does.
    ///
    /// # Errors
    ///
    /// It cannot be run.
    pub(crate) fn observe(
        &self,
        command: std::process::Command,
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
    fn execute(
        &self,
        mut command: std::process::Command,
        name: &OsStr,
        output: ProgramOutput,
    ) -> Result<Finished> {
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
        let mut running = Running::start(&command, name, output)?;
        let ending = running.wait()?;
        // What there is can be shown all the same.
        if let Err(error) = self.wait_for_rest(running, &ledger, &ending) {
            say(&error);
        }
        Ok(Finished { ledger, ending, usual_file })
    }

    fn wait_for_rest(&self, running: Running, ledger: &Ledger, ending: &Ending) -> Result<()> {
        let first = ending.process_id;
        if self.narrowing == Narrowing::First {
            return Ok(());
        }
        let (name, value) = ledger.variable();
        running.wait_for_rest(|| {
            let processes = ledger.read(first).unwrap_or_default();
            let wanted = processes.iter().filter(|process| self.narrowing.wants(process, first));
            let left = wanted.filter(|process| process.id != first && process.is_alive());
            let mut unknown = descendants::with_variable(name, &value);
            unknown.retain(|id| processes.iter().all(|process| process.id != *id));
            Left { profiled: left.map(|process| process.id).collect(), unknown }
        })
    }

    /// Puts what the processes wrote where it is to stay.
    fn gather(&self, finished: &mut Finished) -> Result<Gathered> {
        let Finished { ledger, ending, usual_file } = finished;
        let first = ending.process_id;
        let mut processes = ledger.read(first)?;
        // A file of another runtime says nothing about ours.
        let is_untold = processes.is_empty() && self.why_without_profile.is_none();
        let untold = is_untold.then(|| usual_file.written_since()).flatten();
        processes.retain(|process| self.narrowing.wants(process, first));
        for process in &mut processes {
            self.recover(process, ledger, ending);
        }
        let lost = lose_what_is_elsewhere(&mut processes);
        let mut list = ProcessList::new(processes.iter());
        let mut programs = Profiled::group(processes);
        programs.retain(|program| !program.data.is_empty());
        if programs.is_empty() {
            if untold.is_none() && lost == 0 {
                return Err(self.no_profile(ending));
            }
            return Ok(Gathered { list, programs, untold });
        }
        let idle = match self.narrowing {
            // Who waits is of interest where waits are sampled.
            Narrowing::Everything if !self.sampling.wall => Profiled::take_idle(&mut programs),
            _ => Vec::new(),
        };
        for program in &idle {
            list.idle(&program.processes);
            program.remove_usual(&self.destination);
        }
        let is_only = programs.len() == 1;
        for program in &mut programs {
            let is_first = program.processes.iter().any(|p| p.id == first && !p.is_replaced);
            if let Err(error) = program.keep(ledger, &self.destination, is_first || is_only) {
                say(&error.context(format!("the profiles stay in {}", ledger.keep().display())));
            }
        }
        list.moved(programs.iter().flat_map(|program| &program.processes));
        // As they are in the list.
        programs.sort_by_key(|program| Reverse(program.usage().cpu));
        Ok(Gathered { list, programs, untold: None })
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
            output.show(&list)?;
        }
        for program in &programs {
            let known = Some((program.processes.len(), program.usage()));
            // The path by which the user knows it.
            let is_named = self.executable.canonicalize().is_ok_and(|path| path == program.program);
            let executable = if is_named { self.executable } else { &program.program };
            let is_main = program.processes.iter().any(|process| process.id == first);
            let shown = match &self.others {
                Some(others) if is_main => {
                    let data = [program.data.clone(), others.wait(&program.data)].concat();
                    self.show(executable, &data, None, output)
                }
                _ => self.show(executable, &program.data, known, output),
            };
            if let Err(error) = shown {
                say(&error);
            }
        }
        match &self.html {
            Some(html) => write_pages(&programs, (self.view, &Samples::default()), html, output),
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
    fn recover(&self, process: &mut Process, ledger: &Ledger, ending: &Ending) {
        if process.file.is_some() || process.is_replaced || process.is_alive() {
            return;
        }
        let Some(live) = live_file::left_by(&process.program, process.id) else { return };
        let is_first = process.id == ending.process_id;
        let file = self.destination.file_of(process, is_first, ledger);
        let signal = ending.signal().filter(|_| is_first);
        match live_file::recover(&live, &file, signal.as_deref()) {
            Ok(()) => process.file = Some(file),
            Err(error) => say(&error),
        }
    }

    /// Why there is no profile.
    fn no_profile(&self, ending: &Ending) -> anyhow::Error {
        let name = self.executable.display();
        let usual = ranks::usual();
        let earlier = match usual.exists() {
            true => format!("; {} is of an earlier run", usual.display()),
            false => String::new(),
        };
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
                "no process that --child or --no-children leaves was profiled".to_owned()
            }
            (_, Some(why)) => format!("{name} {why}"),
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
