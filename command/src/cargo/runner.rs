//! The runner: cargo calls it for every program that it runs.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::pgo::{self, Stage};
use super::settings::{self, Settings};
use crate::color;
use crate::processes::Narrowing;
use crate::report::Output;
use crate::run::{self, Destination, Run};

/// Runs a program and shows its profile, if it has the runtime in it. Tests in documentation have not.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode> {
    let (Some(settings), [executable, arguments @ ..]) = (Settings::from_environment(), words)
    else {
        bail!("this is for cargo; say `cargo gmon run`");
    };
    settings.color.iter().for_each(|word| color::obey_word(word));
    let guidance = settings.guidance.as_ref();
    if let Some(guidance) = guidance.filter(|guidance| guidance.stage != Stage::Measured) {
        return pgo::note(&guidance.programs, &settings.runner, words);
    }
    let mut command = match settings.runner.as_slice() {
        [runner, words @ ..] => {
            let mut command = Command::new(runner);
            command.args(words).arg(executable);
            command
        }
        [] => Command::new(executable),
    };
    command.args(arguments);
    settings::undo_changes(&mut command);
    let executable = Path::new(executable);
    if run::has_runtime(executable) {
        let run = Run {
            executable,
            why_without_profile: None,
            destination: settings
                .profiles
                .clone()
                .map_or(Destination::Usual, |folder| Destination::Sums(folder.into())),
            narrowing: Narrowing::default(),
            view: settings.view,
            html: settings.html,
            sampling: settings.sampling.clone(),
            others: None,
        };
        let name = command.get_program().to_owned();
        let mut output = match guidance {
            Some(_) => Output::nowhere(),
            None => Output::open(None)?,
        };
        return run.observe(command, &name, &mut output);
    }
    Err(command.exec()).with_context(|| format!("cannot run {}", executable.display()))
}
