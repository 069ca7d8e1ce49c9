//! `cargo gmon` as the user calls it: probes the compiler and has cargo do the rest.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use gmon_events::pass_on_state;
use gmon_format::names;
use gmon_format::options::{self, Key};

use super::arguments::Arguments;
use super::config::Config;
use super::instrumentation::Instrumentation;
use super::pgo::{self, Stage};
use super::project::Project;
use super::rustc::Rustc;
use super::settings::{self, Settings};
use super::{c_flags, callbacks};
use crate::carried::{self, Port};
use crate::dormant;
use crate::report::{Html, View};
use crate::run::{Sampling, may_step};

/// Builds and runs what the arguments name.
pub(super) fn run(words: Vec<OsString>) -> Result<ExitCode> {
    let build = Build::read(words)?;
    if build.arguments.is_guided {
        return pgo::run(&build);
    }
    let mut settings = plan(&build.arguments, &build.config)?;
    let folder = build.folder.join("gmon").join(name_of_build(&settings, build.is_with_c()));
    if ["test", "bench"].contains(&build.arguments.verb.as_str()) {
        settings.profiles =
            folder_for_profiles(folder.join("profiles"))?.map(PathBuf::into_os_string);
    }
    let mut command = build.command(&settings, &folder)?;
    if settings.instrumentation == Instrumentation::Guards {
        build.without_lto(&mut command);
    }
    settings::note_changes(&mut command);
    if build.arguments.verb == "build" {
        let folder = folder.display();
        let then = match settings.instrumentation {
            Instrumentation::Dormant => {
                "counts calls when gmon ctl or GMON_OPTIONS wakes functions"
            }
            _ => "writes gmon.out when it runs",
        };
        writeln!(io::stderr(), "gmon: what is built goes to {folder} and {then}")?;
    }
    pass_on_state(&mut command);
    Err(command.exec()).context(CANNOT_RUN)
}

/// Why cargo cannot be run.
pub(super) const CANNOT_RUN: &str = "cannot run cargo; install Rust (https://rustup.rs)";

/// A build that the arguments ask for.
pub(super) struct Build {
    pub(super) arguments: Arguments,
    cargo: OsString,
    /// The values of `--config`.
    options: Vec<OsString>,
    pub(super) config: Config,
    /// The folder that cargo would build in.
    pub(super) folder: PathBuf,
}

impl Build {
    fn read(words: Vec<OsString>) -> Result<Self> {
        let mut arguments = Arguments::read(words)?;
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let options = arguments.take("--config");
        let manifest = arguments.of_cargo("--manifest-path").pop();
        let project = Project::read(&cargo, manifest.as_ref(), &options)?;
        if arguments.verb == "run" && !project.has_program && !arguments.has(&["--example"]) {
            let instead = if project.has_example { "say --example NAME, or" } else { "say" };
            bail!("there is no program in this project; {instead} `cargo gmon test`");
        }
        let folder = arguments.take("--target-dir").pop().map(PathBuf::from);
        let folder = folder.unwrap_or(project.target_folder);
        let config = Config::read(&cargo, &options);
        Ok(Self { arguments, cargo, options, config, folder })
    }

    fn is_with_c(&self) -> bool {
        !self.arguments.own.get_flag("no-c")
    }

    /// The call of cargo that builds in a folder.
    pub(super) fn command(&self, settings: &Settings, folder: &Path) -> Result<Command> {
        let arguments = &self.arguments;
        let mut command = Command::new(&self.cargo);
        command.arg(&arguments.verb);
        command.args(self.options.iter().flat_map(|option| [OsStr::new("--config"), option]));
        callbacks::ask_for(&mut command, settings, &self.config, !self.options.is_empty())?;
        if arguments.verb != "bench" && !arguments.names_profile() {
            command.arg("--release");
        }
        if !arguments.has(&["--target"]) {
            // Even if it is what rustc would do: so cargo tells apart what is part of the build.
            command.args(["--target", &settings.target]);
        }
        command.arg("--target-dir").arg(folder).args(&arguments.rest);
        // Names of functions are listed for whole crates.
        command.env("CARGO_INCREMENTAL", "0");
        let has_hooks = settings.guidance.as_ref().is_none_or(|it| it.stage == Stage::Measured);
        if has_hooks && self.is_with_c() {
            let flag = settings.instrumentation.flag_of_c(&settings.target);
            c_flags::add(&mut command, &settings.target, flag, &self.config);
        }
        Ok(command)
    }

    /// Has a call of cargo optimise each crate by itself.
    pub(super) fn without_lto(&self, command: &mut Command) {
        command.env(format!("CARGO_PROFILE_{}_LTO", profile(&self.arguments)), "off");
    }
}

/// Plan of the work, from arguments, environment, cargo's files and compiler.
pub(super) fn plan(arguments: &Arguments, config: &Config) -> Result<Settings> {
    let rustc = Rustc::find(config)?;
    let target = target(arguments, config)?.unwrap_or_else(|| rustc.host().to_owned());
    let is_guided = arguments.is_guided;
    let is_dormant = !is_guided && arguments.own.get_flag("dormant");
    let wanted = match is_dormant {
        true => Some(Instrumentation::Dormant),
        // Only this way tells which functions there are.
        false if is_guided => Some(Instrumentation::Attributes),
        false => {
            arguments.own.get_one::<String>("hooks").and_then(|name| Instrumentation::named(name))
        }
    };
    let port = Port::of_target(&target)?;
    if is_dormant {
        dormant::processor(port)?;
    }
    let archive = carried::unpack(port)?.archive();
    let builds_std = arguments.builds_std() || config.builds_std();
    // Without a `core` for the target, the compiler can only be tried on its own machine.
    let tried = if builds_std { rustc.host() } else { &target };
    let instrumentation = Instrumentation::choose(&rustc, tried, &target, wanted)?;
    writeln!(
        io::stderr(),
        "gmon: building with {} so that calls {} counted ({})",
        rustc.version(),
        if is_dormant { "can be" } else { "are" },
        instrumentation.wish()
    )?;
    let runner = match env::var(callbacks::runner_variable(&target)) {
        Ok(words) => words.split_whitespace().map(str::to_owned).collect(),
        Err(_) => config.runner(&target, || rustc.cfg(&target)),
    };
    let sampling = match is_guided {
        // Steps of a runner, as of an emulator, are none of the program.
        true => Sampling::for_compilers(
            arguments.own.get_one("rate").copied(),
            runner.is_empty() && may_step(),
        ),
        false => Sampling::asked_for(&arguments.own),
    };
    let rustc_wrapper = env::var_os("RUSTC_WRAPPER").or_else(|| config.rustc_wrapper());
    Ok(Settings {
        instrumentation,
        only: if is_guided { Vec::new() } else { arguments.all("only") },
        exclude: if is_guided { Vec::new() } else { arguments.all("exclude") },
        archive: archive.into(),
        rustc_wrapper: rustc_wrapper.filter(|wrapper| !wrapper.is_empty()),
        runner,
        profiles: None,
        view: if is_guided { View::standard() } else { View::asked_for(&arguments.own) },
        html: (arguments.verb == "run" && !is_guided)
            .then(|| Html::asked_for(&arguments.own))
            .flatten(),
        color: arguments.of_cargo("--color").pop().and_then(|word| word.into_string().ok()),
        sampling,
        guidance: None,
        target,
    })
}

/// The target that is named, if one is.
fn target(arguments: &Arguments, config: &Config) -> Result<Option<String>> {
    let targets = arguments.of_cargo("--target");
    if targets.len() > 1 {
        bail!("each target has its own runtime; name one --target at a time");
    }
    let target = targets.into_iter().next().or_else(|| env::var_os("CARGO_BUILD_TARGET"));
    let target = target.map(|target| target.to_string_lossy().into_owned());
    Ok(target.or_else(|| config.target()))
}

/// A folder for each way to build: cargo does not know that they differ.
fn name_of_build(settings: &Settings, is_with_c: bool) -> String {
    let mut hasher = DefaultHasher::new();
    (&settings.only, &settings.exclude, &settings.archive, is_with_c).hash(&mut hasher);
    format!("{}-{:08x}", settings.instrumentation.name(), hasher.finish() as u32)
}

/// The profile's name in variables of cargo's.
fn profile(arguments: &Arguments) -> String {
    let usual = if arguments.verb == "bench" { "bench" } else { "release" };
    let named = arguments.of_cargo("--profile").pop();
    let name = named.map_or(usual.to_owned(), |name| name.to_string_lossy().into_owned());
    name.to_uppercase().replace('-', "_")
}

/// The folder in which each of several programs has a profile of its own, unless the user has named another
/// place. What earlier calls left there is removed: all that a program does is added up.
pub(super) fn folder_for_profiles(folder: PathBuf) -> Result<Option<PathBuf>> {
    let options = env::var_os(options::VARIABLE).unwrap_or_default();
    let is_named = options::value(options.as_encoded_bytes(), Key::Out).is_some();
    if is_named || env::var_os(names::PREFIX_VARIABLE).is_some() {
        return Ok(None);
    }
    let name = folder.display().to_string();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {name}"))?;
    for entry in fs::read_dir(&folder).with_context(|| name.clone())? {
        let path = entry.with_context(|| name.clone())?.path();
        let name = path.to_string_lossy();
        if name.trim_end_matches(names::FULL).ends_with(".gmon.out") {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(Some(folder))
}
