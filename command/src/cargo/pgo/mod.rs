//! `cargo gmon pgo`: builds, runs, and builds again with what was measured.
//!
//! ```text
//! measured build ─→ run ─→ profiles ─→ results: pgo.prof, orders ─→ guided build ─┐
//!                                                plain build ─────────────────────┴→ comparison
//! ```
//!
//! All builds have the same flags but for hooks and profile, and each a folder of its own. So functions have the same
//! names in all of them.

mod comparison;
mod guidance;
mod link;
mod programs;
mod results;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use anyhow::{Context, Result, bail};

use super::invocation::{self, Build};
use super::rustc::Rustc;
use super::settings::{self, Settings};
use crate::run::Input;
use crate::say;

pub(super) use comparison::compare;
pub(super) use guidance::{ATTRIBUTES, Guidance, Stage};
pub(super) use link::options as order_options;
use programs::Program;
pub(super) use programs::note;
use results::Results;

/// Builds, runs, builds again and compares.
pub(super) fn run(build: &Build) -> Result<ExitCode> {
    let arguments = &build.arguments;
    let folder = build.folder.join("gmon").join("pgo");
    let settings = invocation::plan(arguments, &build.config)?;
    let runs = arguments.own.get_one("runs").copied().unwrap_or(0);
    let input = (runs > 0).then(Input::here).transpose()?;
    let takes_profile = takes_profile(build, &settings)?;
    let stages = Stages { build, settings, folder: &folder, takes_profile };

    let Some(profiles) = invocation::folder_for_profiles(folder.join("profiles"))? else {
        bail!("the profiles go to {}; leave out=... out of GMON_OPTIONS", folder.display());
    };
    let status = stages.make(Stage::Measured, Some(&profiles))?;
    if !status.success() {
        tell("the measured run failed, so nothing is built with its profile")?;
        return Ok(exit_code(status));
    }
    let results = Results::read(&profiles, &stages.folder_of(Stage::Measured))?;
    results.write(&stages.profile())?;
    tell(&format!("{results}; they are in {}.*", stages.profile().display()))?;

    // Cargo does not know of the profile.
    remove(&stages.folder_of(Stage::Guided))?;
    let status = stages.make(Stage::Guided, None)?;
    if !status.success() {
        return Ok(exit_code(status));
    }
    if takes_profile {
        results
            .say_matched(&stages.functions(Stage::Measured), &stages.functions(Stage::Guided))?;
    }
    let guided = stages.programs(Stage::Guided)?;
    if let Some(mut input) = input {
        let status = stages.make(Stage::Plain, None)?;
        if !status.success() {
            return Ok(exit_code(status));
        }
        let plain = stages.programs(Stage::Plain)?;
        let rate = arguments.own.get_one("rate").copied();
        comparison::show(&plain, &guided, runs, rate, &mut input)?;
    }
    for program in &guided {
        tell(&format!("built with the profile: {}", program.path().display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says something on the standard error stream, as a build does.
fn tell(text: &str) -> Result<()> {
    writeln!(io::stderr(), "gmon: {text}").context("cannot say what is done")
}

/// Checks whether the compiler takes a profile, and says so if it does not.
fn takes_profile(build: &Build, settings: &Settings) -> Result<bool> {
    let rustc = Rustc::find(&build.config)?;
    let answer = rustc.takes_profile(Guidance::trial, &settings.target)?;
    if let Err(why) = &answer {
        say(&anyhow::anyhow!(
            "{} takes no sample profile (-C passes=pseudo-probe: {why}), so the second build gets only the order of \
             functions; the profile is made all the same, for another compiler",
            rustc.version(),
        ));
    }
    Ok(answer.is_ok())
}

/// The builds of a project.
struct Stages<'a> {
    build: &'a Build,
    settings: Settings,
    folder: &'a Path,
    takes_profile: bool,
}

impl Stages<'_> {
    fn folder_of(&self, stage: Stage) -> PathBuf {
        self.folder.join(stage.name())
    }

    /// The folder of the names of functions that were compiled.
    fn functions(&self, stage: Stage) -> PathBuf {
        self.folder_of(stage).join("functions")
    }

    /// The profile for the compiler; orders for linkers are called as it, with endings of their own.
    fn profile(&self) -> PathBuf {
        self.folder.join("pgo")
    }

    /// The list of programs that a build leads to.
    fn list(&self, stage: Stage) -> PathBuf {
        self.folder_of(stage).join("programs")
    }

    fn programs(&self, stage: Stage) -> Result<Vec<Program>> {
        let folder = self.folder_of(stage);
        let mut programs = programs::noted(&self.list(stage))?;
        // Tests in documentation are compiled elsewhere, by rustdoc.
        programs.retain(|program| program.is_below(&folder));
        Ok(programs)
    }

    /// Has cargo build and, if it is measured, run.
    fn make(&self, stage: Stage, profiles: Option<&Path>) -> Result<ExitStatus> {
        let (folder, functions, list) =
            (self.folder_of(stage), self.functions(stage), self.list(stage));
        fs::create_dir_all(&functions).with_context(|| functions.display().to_string())?;
        remove(&list)?;
        let mut settings = self.settings.clone();
        settings.profiles = profiles.map(OsString::from);
        settings.guidance = Some(Guidance {
            stage,
            takes_profile: self.takes_profile,
            functions: functions.into(),
            results: self.profile().into(),
            programs: list.into(),
        });
        tell(match stage {
            Stage::Measured => "the build that is measured",
            Stage::Guided => "the build with the profile",
            Stage::Plain => "the build without a profile, to compare with",
        })?;
        let mut command = self.build.command(&settings, &folder)?;
        if self.takes_profile {
            self.build.without_lto(&mut command);
        }
        settings::note_changes(&mut command);
        command.status().context(invocation::CANNOT_RUN)
    }
}

/// Removes a file or a folder of ours, if it is there.
fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| path.display().to_string())
        }
        _ => Ok(()),
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101))
}

/// The path of this command, by which it calls itself.
fn ourselves() -> Result<PathBuf> {
    env::current_exe().context("cannot find the path of cargo-gmon")
}
