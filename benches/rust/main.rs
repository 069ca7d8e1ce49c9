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
#[path = "../registry/mod.rs"]
mod registry;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use launcher::{Earlier, Launcher, Result, Runs};
use registry::{LARGE, SMALL};

/// Bytes of text to work on.
const WORK: [usize; 2] = [30 << 20, 1 << 20];

/// How many times as long building and running may take.
const LIMITS: [f64; 2] = [2.5, 2.0];

fn main() -> ExitCode {
    launcher::bench("rust", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(is_full: bool) -> Result<usize> {
    let (subject, rounds) = if is_full { (LARGE, 10) } else { (SMALL, 1) };
    let Some(source) = subject.source() else { return Ok(0) };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let targets = ["plain", "gmon"].map(|name| folder.path().join(name));
    let from_scratch = |words: &[&str], target: &Path| -> Vec<OsString> {
        let again = ["sh", "-c", r#"rm -rf "$0" && exec "$@""#].map(OsString::from);
        let build = registry::build(words, &source, target);
        again.into_iter().chain([target.into()]).chain(build).collect()
    };
    let builds = [
        from_scratch(&[env!("CARGO"), "build"], &targets[0]),
        from_scratch(&[env!("CARGO_BIN_EXE_cargo-gmon"), "gmon", "build"], &targets[1]),
    ];
    println!("{:40} {:>9} {:>9} {:>6}", "seconds of CPU time", "plain", "gmon", "ratio");
    let builds = launcher.launch(1, Earlier::Removed, &builds, &[])?;
    let mut over = usize::from(!show(&format!("building {}", subject.name), &builds, LIMITS[0]));

    let work = folder.path().join("work");
    let text = registry::text_of(&source, WORK[usize::from(!is_full)])?;
    fs::write(&work, text).map_err(|error| format!("work: {error}"))?;
    let command =
        |target: &PathBuf| Ok(subject.command(registry::find(target, subject.binary)?, &[], &work));
    let commands = targets.iter().map(command).collect::<Result<Vec<_>>>()?;
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
