//! `cargo gmon` as the user calls it: probes the compiler and has cargo do the rest.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::arguments::Arguments;
use super::rustc::Rustc;
use super::settings::Settings;
use super::way::Way;
use super::{RUNNER, c_flags, project};
use crate::carried::{self, Port};

/// Builds and runs what the arguments name.
pub(super) fn run(words: Vec<OsString>) -> Result<ExitCode> {
    let arguments = Arguments::read(words)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = match arguments.of_cargo(&["--target-dir"]) {
        Some(folder) => folder.into(),
        None => project::target_folder(&cargo, arguments.of_cargo(&["--manifest-path"]).as_ref())?,
    };
    let rustc = Rustc::find()?;
    let settings = settle(&arguments, &rustc)?;
    let is_with_c = !arguments.own.get_flag("no-c");
    let folder = folder.join("gmon").join(name_of_build(&settings, is_with_c));

    let mut command = Command::new(cargo);
    command.arg(&arguments.verb);
    if arguments.verb != "bench" && !arguments.has(&["--profile", "--release", "-r"]) {
        command.arg("--release");
    }
    if !arguments.has(&["--target"]) {
        // Even if it is what rustc would do: so cargo tells apart what is part of the build.
        command.args(["--target", &settings.target]);
    }
    command.arg("--target-dir").arg(&folder);
    command.args(without_target_folder(&arguments.rest));
    // Names of functions are listed for whole crates.
    command.env("CARGO_INCREMENTAL", "0");
    if is_with_c {
        c_flags::add(&mut command, &settings.target);
    }
    if settings.way == Way::Guards {
        command.env(format!("CARGO_PROFILE_{}_LTO", profile(&arguments)), "off");
    }
    let own_path = env::current_exe().context("cannot find the path of cargo-gmon")?;
    settings.hand_to(&mut command, &own_path.clone().into_os_string());
    command.env(runner_variable(&settings.target), runner(&own_path)?);
    if ["test", "bench"].contains(&arguments.verb.as_str()) {
        keep_profiles_apart(&mut command, &folder.join("profiles"))?;
    }
    writeln!(io::stderr(), "gmon: hooks by {} of {}", settings.way.option(), rustc.version())?;
    if arguments.verb == "build" {
        let folder = folder.display();
        writeln!(
            io::stderr(),
            "gmon: what is built goes to {folder} and writes gmon.out when it runs"
        )?;
    }
    Err(command.exec()).context("cannot run cargo; install Rust (https://rustup.rs)")
}

/// What is to be done, as arguments, environment and compiler have it.
fn settle(arguments: &Arguments, rustc: &Rustc) -> Result<Settings> {
    let target = arguments.of_cargo(&["--target"]).or_else(|| env::var_os("CARGO_BUILD_TARGET"));
    let target = target.map(|target| target.to_string_lossy().into_owned());
    let target = target.unwrap_or_else(|| rustc.host().to_owned());
    let wanted = arguments.own.get_one::<String>("hooks").and_then(|name| Way::named(name));
    let archive = carried::unpack(Port::of_target(&target)?)?.archive();
    let runner = env::var(runner_variable(&target)).unwrap_or_default();
    Ok(Settings {
        way: Way::choose(rustc, &target, wanted)?,
        only: arguments.all("only"),
        exclude: arguments.all("exclude"),
        archive,
        rustc_wrapper: env::var_os("RUSTC_WRAPPER").filter(|wrapper| !wrapper.is_empty()),
        runner: runner.split_whitespace().map(str::to_owned).collect(),
        top: arguments.own.get_one::<usize>("top").copied().unwrap_or_default(),
        target,
    })
}

/// A folder for each way to build: cargo does not know that they differ.
fn name_of_build(settings: &Settings, is_with_c: bool) -> String {
    let mut hasher = DefaultHasher::new();
    (&settings.only, &settings.exclude, &settings.archive, is_with_c).hash(&mut hasher);
    format!("{}-{:08x}", settings.way.name(), hasher.finish() as u32)
}

/// Arguments without `--target-dir`, of which cargo takes one.
fn without_target_folder(rest: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word.clone());
            kept.extend(words.cloned());
            break;
        }
        if word == "--target-dir" {
            words.next();
        } else if !word.as_bytes().starts_with(b"--target-dir=") {
            kept.push(word.clone());
        }
    }
    kept
}

/// The profile's name in variables of cargo's.
fn profile(arguments: &Arguments) -> String {
    let usual = if arguments.verb == "bench" { "bench" } else { "release" };
    let named = arguments.of_cargo(&["--profile"]);
    let name = named.map_or(usual.to_owned(), |name| name.to_string_lossy().into_owned());
    name.to_uppercase().replace('-', "_")
}

/// The variable that tells cargo how to run programs for a target.
fn runner_variable(target: &str) -> String {
    format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace(['-', '.'], "_"))
}

/// Us as a runner.
fn runner(own_path: &Path) -> Result<OsString> {
    // Cargo splits the variable into words.
    if own_path.as_os_str().as_bytes().iter().any(u8::is_ascii_whitespace) {
        bail!(
            "{} has a space in its path, where cargo cannot call it; move it",
            own_path.display()
        );
    }
    let mut runner = own_path.as_os_str().to_owned();
    runner.push(" ");
    runner.push(RUNNER);
    Ok(runner)
}

/// Has each of several programs write a profile of its own, unless the user has named one.
fn keep_profiles_apart(command: &mut Command, folder: &PathBuf) -> Result<()> {
    let options = env::var("GMON_OPTIONS").unwrap_or_default();
    let is_named = options.split(',').any(|pair| pair.starts_with("out="));
    let path = folder.to_string_lossy().replace('%', "%%");
    // A comma would end the option.
    if is_named || env::var_os("GMON_OUT_PREFIX").is_some() || path.contains(',') {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let separator = if options.is_empty() { "" } else { "," };
    command.env("GMON_OPTIONS", format!("{options}{separator}out={path}/%e.gmon.out"));
    Ok(())
}
