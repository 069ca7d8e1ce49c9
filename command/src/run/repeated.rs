//! A command that is run again and again, with a profile of each run.

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use gmon_analyzer::Model;
use nix::sys::signal::SigSet;

use super::destination::Destination;
use super::input::Input;
use super::launch::Launch;
use super::process::Ending;
use super::{Run, Sampling};
use crate::naming::Naming;
use crate::open::{Door, Samples};
use crate::processes::{Narrowing, Profiled};
use crate::report::View;
use crate::{say, signals, temporary};

/// What a program writes to its standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramOutput {
    /// Goes where ours goes.
    Shown,
    /// Goes nowhere, since ours has something else.
    Dropped,
}

/// A run that a signal ended, of which nothing is known.
#[derive(Debug)]
pub(super) struct Killed {
    program: PathBuf,
    signal: String,
    pub(super) code: ExitCode,
}

impl Display for Killed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} was killed by {}", self.program.display(), self.signal)
    }
}

impl Error for Killed {}

/// A command that is run again and again.
pub(crate) struct Repeated {
    launch: Launch,
    sampling: Sampling,
    narrowing: Narrowing,
    naming: Naming,
    output: ProgramOutput,
    /// Whose profiles are kept, once it is known.
    program: Option<PathBuf>,
    /// Other programs, whose profiles are not.
    others: BTreeSet<PathBuf>,
    /// Which signals are blocked while no program runs.
    mask: SigSet,
    input: Input,
}

impl Repeated {
    pub(super) fn new(
        launch: Launch,
        sampling: Sampling,
        narrowing: Narrowing,
        naming: Naming,
    ) -> Result<Self> {
        Ok(Self {
            launch,
            sampling,
            narrowing,
            naming,
            output: ProgramOutput::Shown,
            program: None,
            others: BTreeSet::new(),
            mask: SigSet::thread_get_mask().context("cannot read the signal mask")?,
            input: Input::here()?,
        })
    }

    /// The command that these words are for a shell. Its output goes nowhere.
    ///
    /// # Errors
    ///
    /// There is no such program.
    pub(crate) fn of_shell(text: &str, sampling: Sampling, naming: Naming) -> Result<Self> {
        let is_plain = |c: char| c.is_alphanumeric() || " \t/._-+,:@".contains(c);
        let words: Vec<OsString> = match text.chars().all(is_plain) {
            true => text.split_whitespace().map(OsString::from).collect(),
            false => ["sh", "-c", text].map(OsString::from).to_vec(),
        };
        if words.is_empty() {
            bail!(
                "the command of a side is empty; say what to run, such as --base-run './old/prog ARGS'"
            );
        }
        let launch = Launch::prepare(words, PathBuf::new(), false, &sampling)?;
        let repeated = Self::new(launch, sampling, Narrowing::Everything, naming)?;
        Ok(Self { output: ProgramOutput::Dropped, ..repeated })
    }

    /// Runs it once: its profile, and its exit status. The first run decides which program the profiles are of: the
    /// one that was named or, if that was not profiled, the one that took the most time.
    ///
    /// # Errors
    ///
    /// It cannot be run, was killed, or left no profile.
    pub(crate) fn once(&mut self) -> Result<(Model, ExitCode)> {
        let measured = self.measure();
        // The next run shall find the signals as this one did.
        self.mask.thread_set_mask().context("cannot unblock signals")?;
        let (model, ending) = measured?;
        // Whoever interrupted this one meant all, even if the program went on or ended well.
        ending.request.map_or(Ok(()), signals::end_by)?;
        Ok((model, ending.exit_code()))
    }

    fn measure(&mut self) -> Result<(Model, Ending)> {
        self.input.rewind()?;
        let folder = temporary::folder()?;
        let run = Run {
            executable: &self.launch.executable,
            why_without_profile: self.launch.why_without_profile,
            destination: Destination::File(folder.path().join("gmon.out")),
            narrowing: self.narrowing.clone(),
            view: View::standard(),
            html: None,
            sampling: self.sampling.clone(),
            others: None,
        };
        let mut finished = run.execute(self.launch.command(), &self.launch.name, self.output)?;
        if let Some(signal) = finished.ending.signal() {
            let program = self.launch.executable.clone();
            bail!(Killed { program, signal, code: finished.ending.exit_code() });
        }
        let programs = run.gather(&mut finished)?.programs;
        let kept = self.choose(&programs)?;
        let door = Door {
            program: &kept.program,
            data: &kept.data,
            naming: self.naming,
            any_build: false,
            samples: &Samples::default(),
        };
        let mut model = Model::new(&door.open()?.measurement, self.naming.style())?;
        if self.is_named(&kept.program) {
            model.program = self.launch.executable.to_string_lossy().into_owned();
        }
        Ok((model, finished.ending))
    }

    /// The program whose profile is kept.
    fn choose<'p>(&mut self, programs: &'p [Profiled]) -> Result<&'p Profiled> {
        let wanted = |it: &&Profiled| match &self.program {
            Some(known) => it.program == *known,
            None => self.is_named(&it.program),
        };
        let busiest = || programs.iter().max_by_key(|it| it.usage().cpu);
        let chosen =
            programs.iter().find(wanted).or_else(|| self.program.is_none().then(busiest)?);
        let chosen = chosen.ok_or_else(|| {
            anyhow!(
                "a run left no profile of {}; name a command that runs the same program each time",
                self.program.as_deref().unwrap_or(Path::new("")).display()
            )
        })?;
        for other in programs.iter().filter(|it| it.program != chosen.program) {
            if self.others.insert(other.program.clone()) {
                say(&anyhow!(
                    "the profiles of {} are kept, those of {} are not",
                    chosen.program.display(),
                    other.program.display()
                ));
            }
        }
        self.program = Some(chosen.program.clone());
        Ok(chosen)
    }

    /// Returns `true` if a file is the one that the user named.
    fn is_named(&self, program: &Path) -> bool {
        self.launch.executable.canonicalize().is_ok_and(|named| named == program)
    }
}
