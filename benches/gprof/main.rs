//! What a report costs beside GNU gprof's: `cargo bench --bench gprof [-- --check] [INPUT]`.
//!
//! Both make the same report of the same files, by turns in one run. Shown is the fastest run of
//! each, how many times faster ours is, and what part of GNU gprof's memory it takes. Where GNU gprof
//! cannot make the report, or not within minutes, it is the time and the memory of ours.
//!
//! INPUT is a part of the name of an input, for those alone. With `--check` a limit that does not
//! hold fails the run. Without `--bench`, which cargo passes when benchmarking, everything runs once
//! and small, to show that it still works.

mod inputs;
#[path = "../launcher/mod.rs"]
mod launcher;

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use launcher::{Earlier, Launcher, Result, Runs};

fn main() -> ExitCode {
    let input = env::args().skip(1).find(|argument| !argument.starts_with('-'));
    launcher::bench("gprof", |full| run(full, &input.unwrap_or_default()))
}

/// Measures the inputs of this name and prints; returns how many limits do not hold.
fn run(is_full: bool, name: &str) -> Result<usize> {
    if Command::new("gprof").arg("--version").output().is_err() {
        println!("gprof: there is no GNU gprof to compare with");
        return Ok(0);
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    println!("{:44} {:>9} {:>9} {:>7} {:>7}", "milliseconds", "GNU", "gmon", "faster", "memory");
    let mut over = 0;
    for input in inputs::all(is_full).iter().filter(|input| input.name.contains(name)) {
        let files = input.build(&launcher)?;
        for report in &input.reports {
            let rounds = if is_full { report.rounds } else { 1 };
            let ours = command(&[env!("CARGO_BIN_EXE_gmon"), "gprof"], report.options, &files);
            let mut commands = vec![ours];
            if report.faster.is_some() {
                commands.push(command(&["gprof"], report.options, &files));
            }
            let runs = launcher.launch(rounds, Earlier::Removed, &commands, &[("LC_ALL", "C")])?;
            let name = format!("{}, {}", input.name, report.options);
            over += usize::from(is_full && !show(&name, report.faster, &runs));
        }
    }
    Ok(over)
}

/// The words of a command on files.
fn command(words: &[&str], options: &str, files: &[OsString]) -> Vec<OsString> {
    let words = words.iter().copied().chain(options.split_whitespace()).map(OsString::from);
    words.chain(files.iter().cloned()).collect()
}

/// In KiB: less than this are nearly all pages of the command and the C library, which processes share.
const SHARED_MEMORY: u64 = 4096;

/// Equal commands come as close as this to each other.
const NOISE: f64 = 0.95;

/// Prints what our runs took and, if there were any, those of GNU gprof; returns whether the limits
/// hold.
fn show(name: &str, at_least: Option<f64>, runs: &[Runs]) -> bool {
    let milliseconds = |runs: &Runs| runs.fastest as f64 / 1e6;
    let (ours, theirs) = (&runs[0], runs.get(1));
    let (Some(theirs), Some(at_least)) = (theirs, at_least) else {
        let megabytes = ours.memory / 1024;
        println!("{name:44} {:>9} {:9.1} {:>7} {megabytes:4} MB", "", milliseconds(ours), "");
        return true;
    };
    let faster = milliseconds(theirs) / milliseconds(ours);
    let memory = ours.memory as f64 / theirs.memory as f64;
    let is_small = ours.memory < SHARED_MEMORY;
    let holds = faster >= at_least * NOISE && (memory <= 1.0 || is_small);
    let limit = if holds { String::new() } else { format!("  beyond {at_least:.1} or 1.00") };
    let (theirs, ours) = (milliseconds(theirs), milliseconds(ours));
    println!("{name:44} {theirs:9.1} {ours:9.1} {faster:7.1} {memory:7.2}{limit}");
    holds
}
