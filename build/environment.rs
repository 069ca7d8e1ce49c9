//! Surroundings of the build script: cargo, the user's variables, other tools.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use gmon_archive::MANIFEST_DIR;

use crate::Result;

/// The packages that the runtime is made of beside its own: each is `gmon-NAME`, in a folder NAME.
pub(crate) const NEIGHBOURS: [&str; 6] =
    ["format", "interpose", "python", "stacks", "system", "unwind"];

/// Tells cargo which files the libraries are made of.
pub(crate) fn watch_sources() {
    let archive = Path::new(MANIFEST_DIR);
    println!("cargo::rerun-if-changed={}", archive.display());
    // In a checkout only: in a registry a changed source is another version.
    let runtime = archive.with_file_name("");
    let neighbours = NEIGHBOURS
        .iter()
        .flat_map(|name| ["src", "build.rs", "Cargo.toml"].map(|part| format!("../{name}/{part}")));
    let own = ["src", "asm", "build.rs", "Cargo.toml"].map(str::to_owned);
    for folder in own.into_iter().chain(neighbours) {
        if let Ok(path) = runtime.join(folder).canonicalize() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

/// Tells the command which compiler built it.
pub(crate) fn name_compiler() -> Result<()> {
    let rustc = variable("RUSTC")?;
    let version = run(Command::new(rustc).arg("--version"), "check that rustc works")?;
    println!("cargo::rustc-env=GMON_BUILT_BY={}", version.trim());
    Ok(())
}

/// A variable that cargo sets.
pub(crate) fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| format!("{name}: {error}; the build script is run by cargo"))
}

/// A variable that the user may set.
pub(crate) fn setting(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Runs a tool to its end and returns its output. The tool's own messages are shown only if it fails.
pub(crate) fn run(command: &mut Command, remedy: &str) -> Result<String> {
    let program = Path::new(command.get_program()).display().to_string();
    let output =
        command.output().map_err(|error| format!("cannot run {program}: {error}; {remedy}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprintln!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Err(format!(
        "{program} did not build the profiling runtime ({}); see above, or {remedy}",
        output.status
    ))
}

/// Writes a file, and the folder that it is in.
pub(crate) fn write(file: &Path, text: &[u8]) -> Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))
        .and_then(|()| fs::write(file, text))
        .map_err(|error| failure(file, &error))
}

/// The message for a file that cannot be read or written.
pub(crate) fn failure(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
