//! What profiling a Rust program costs: `cargo bench --bench rust [-- --check]`.
//!
//! A program of the registry is built by cargo and by `cargo gmon`, and both do the same work by turns,
//! work that calls functions all the time. Shown is the CPU time of each and how many times ours is
//! the other's.
//!
//! With `--check` a limit that does not hold fails the run. Without `--bench`, which cargo passes
//! when benchmarking, a small program is taken and everything runs once, to show that it still works.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use launcher::{Earlier, Launcher, Result, Runs};
use support::sources;

/// A program of the registry, and what it is to do with a file.
struct Subject {
    name: &'static str,
    version: &'static str,
    /// The name that it is called by.
    binary: &'static str,
    arguments: &'static [&'static str],
    /// Bytes of text to work on.
    work: usize,
}

const LARGE: Subject = Subject {
    name: "ripgrep",
    version: "14.1.1",
    binary: "rg",
    arguments: &["-j1", "--only-matching", "--line-number", "--column", r"\w+"],
    work: 30 << 20,
};

const SMALL: Subject =
    Subject { name: "hexyl", version: "0.16.0", binary: "hexyl", arguments: &[], work: 1 << 20 };

/// How many times as long building and running may take.
const LIMITS: [f64; 2] = [2.5, 2.0];

fn main() -> ExitCode {
    launcher::bench("rust", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(is_full: bool) -> Result<usize> {
    let (subject, rounds) = if is_full { (LARGE, 10) } else { (SMALL, 1) };
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry");
    let Some(source) = sources::program(subject.name, subject.version, &place) else {
        return Ok(0);
    };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let targets = ["plain", "gmon"].map(|name| folder.path().join(name));
    let with_manifest = |words: &[&str], target: &Path| -> Vec<OsString> {
        let again = ["sh", "-c", r#"rm -rf "$0" && exec "$@""#].map(OsString::from);
        let mut command = again.to_vec();
        command.push(target.into());
        command.extend(words.iter().map(OsString::from));
        command.extend(
            ["build", "--quiet", "--locked", "--release", "--manifest-path"].map(OsString::from),
        );
        command.extend([source.join("Cargo.toml").into(), "--target-dir".into(), target.into()]);
        command
    };
    let builds = [
        with_manifest(&[env!("CARGO")], &targets[0]),
        with_manifest(&[env!("CARGO_BIN_EXE_cargo-gmon"), "gmon"], &targets[1]),
    ];
    println!("{:40} {:>9} {:>9} {:>6}", "seconds of CPU time", "plain", "gmon", "ratio");
    let builds = launcher.launch(1, Earlier::Removed, &builds, &[])?;
    let mut over = usize::from(!show(&format!("building {}", subject.name), &builds, LIMITS[0]));

    let work = folder.path().join("work");
    fs::write(&work, text_of(&source, subject.work)?).map_err(|error| format!("work: {error}"))?;
    let mut commands = Vec::new();
    for target in &targets {
        let mut command = vec![find(target, subject.binary)?.into_os_string()];
        command.extend(subject.arguments.iter().map(OsString::from));
        command.push(work.clone().into());
        commands.push(command);
    }
    let runs = launcher.launch(rounds, Earlier::Removed, &commands, &[])?;
    let name = format!("{} {}", subject.binary, subject.arguments.join(" "));
    over += usize::from(!show(&name, &runs, LIMITS[1]));
    Ok(if is_full { over } else { 0 })
}

/// Prints both sides; returns whether the limit holds.
fn show(name: &str, runs: &[Runs], limit: f64) -> bool {
    let [plain, ours] = [&runs[0], &runs[1]].map(|runs| runs.cpu as f64 / 1e9);
    let ratio = ours / plain;
    let holds = ratio <= limit;
    let beyond = if holds { String::new() } else { format!("  beyond {limit:.1}") };
    println!("{name:40} {plain:9.2} {ours:9.2} {ratio:6.2}{beyond}");
    holds
}

/// So much text: the sources of the program, again and again.
fn text_of(source: &Path, length: usize) -> Result<Vec<u8>> {
    let mut once = Vec::new();
    for path in files(source)? {
        if path.extension().is_some_and(|suffix| suffix == "rs") {
            once.extend(fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
        }
    }
    Ok(once.into_iter().cycle().take(length).collect())
}

/// The program below a target folder, wherever cargo has put it.
fn find(target: &Path, binary: &str) -> Result<PathBuf> {
    let is_it = |path: &PathBuf| path.ends_with(Path::new("release").join(binary));
    let found = files(target)?.into_iter().find(is_it);
    found.ok_or_else(|| format!("no {binary} in {}", target.display()))
}

/// All files below a folder but those that cargo has built for others, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if !path.is_dir() {
            all.push(path);
        } else if !["target", "deps", "build"].iter().any(|name| path.ends_with(name)) {
            all.extend(files(&path)?);
        }
    }
    all.sort();
    Ok(all)
}
