//! How true measured times are: `cargo bench --bench truth [-- --check] [PROGRAM…]`.
//!
//! A function that is cheap for one caller and dear for another; programs with a rhythm (`rhythm`), which say themselves
//! what is true; and the shares of all functions of real programs, against `perf record --call-graph dwarf` and, for the intervals, against the mean of all runs: an interval speaks of
//! how exact a run is by its number of samples, not of what two profilers mean by time. Runs of both sides take turns.
//! With `--check` a limit that does not hold fails the run. Without `--bench`, which cargo passes when
//! benchmarking, only the small program runs, once. Needs the right to use perf's software clock.

#[path = "../launcher/mod.rs"]
mod launcher;
mod ours;
mod perf;
mod rhythm;
mod shares;
#[path = "../workloads/mod.rs"]
mod workloads;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use launcher::{Result, compile};
use ours::Run;
use perf::Theirs;
use shares::Shares;
use workloads::Workload;

/// Runs of a program.
const RUNS: usize = 24;
/// After every third one there is one by perf.
const RUNS_FOR_PERF: usize = 3;
/// Runs of each rhythm, of which every two are compared.
const RUNS_OF_RHYTHMS: usize = 8;
/// Samples per second of both.
const RATE: u32 = 1000;

fn main() -> ExitCode {
    launcher::bench("truth", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let folder = folder.path();
    let asked: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_asked = |name: &str| {
        let name = name.to_lowercase();
        asked.is_empty() || asked.iter().any(|word| name.starts_with(&word.to_lowercase()))
    };
    let mut over = 0;
    if is_asked("dear") {
        over += dear(folder, if full { 30 } else { 1 })?;
    }
    if !full {
        return Ok(over);
    }
    if is_asked("rhythm") {
        over += rhythm::measure(folder, RUNS_OF_RHYTHMS)?;
    }
    let place = support::lasting_folder().join("workloads");
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    for (name, build) in workloads::ALL {
        if is_asked(name) {
            if let Some(workload) = build(&place)? {
                over += compare(&workload, folder)?;
            }
        }
    }
    Ok(over)
}

/// In how many runs the time that a function takes for two callers is 0 and 100 % within its interval.
fn dear(folder: &Path, runs: usize) -> Result<usize> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/report/dear.c");
    compile([source.as_os_str()], &["-pg"], &folder.join("dear"))?;
    let mut right = 0;
    for _ in 0..runs {
        ours::succeed(ours::gmon(folder).args(["run", "--report", "summary", "./dear"]))?;
        let callers = ours::callers("dear", "work", folder)?;
        let all: f64 = callers.iter().map(|(_, time, _)| time).sum();
        let holds = |(name, time, error): &(String, f64, f64)| {
            let truth = if name == "dear" { all } else { 0.0 };
            // Times are printed in milliseconds.
            (time - truth).abs() <= error + 0.0005
        };
        let has = |name| callers.iter().any(|caller| caller.0 == name && holds(caller));
        // Who was never seen at work has no time, and may have no row.
        let is_cheap = has("cheap") || callers.iter().all(|caller| caller.0 != "cheap");
        right += usize::from(has("dear") && is_cheap);
    }
    println!("cheap and dear: 0 and 100 % within their intervals in {right} of {runs} runs");
    Ok(usize::from(right < runs))
}

/// Compares what we and perf measure of a program, and looks how often intervals hold the mean of the runs.
fn compare(workload: &Workload, folder: &Path) -> Result<usize> {
    let (mut runs, mut theirs, mut ours) = (Vec::new(), Theirs::default(), Shares::default());
    let has_perf = Command::new("perf").arg("version").output().is_ok();
    for turn in 0..RUNS {
        let run = Run::new(workload, folder)?;
        ours.add_run(&run.shares);
        runs.push(run);
        if has_perf && turn % RUNS_FOR_PERF == 0 {
            perf::add_run(workload, folder, RATE, &mut theirs)?;
        }
    }
    let samples: f64 = runs.iter().map(|run| run.shares.samples()).sum();
    println!("\n{}: {RUNS} runs of {:.0} samples", workload.name, samples / RUNS as f64);
    let mut over = 0;
    if has_perf {
        let all = theirs.shares.difference(&ours);
        println!(
            "  perf: {:.0} samples, {:.1} % with complete stacks, {} functions of 1 % or more",
            theirs.shares.samples(),
            theirs.complete(),
            all.functions
        );
        println!(
            "  all runs against perf: mean difference {:.2} points of self, {:.2} of total; largest {:.1} ({})",
            all.mean.own, all.mean.total, all.largest.0, all.largest.1
        );
        let single = runs.iter().map(|run| theirs.shares.difference(&run.shares).mean);
        let worst = single.map(|mean| mean.own.max(mean.total)).fold(0.0, f64::max);
        println!("  the run that differs most: mean difference {worst:.2} points");
        over += usize::from(all.mean.own >= 1.0 || all.mean.total >= 1.0);
    } else {
        eprintln!("SKIPPED: perf is not installed");
    }
    let (held, all, worst) = coverage(&runs);
    println!(
        "  intervals hold the mean of all runs in {held} of {all} cases, {:.1} %; most rarely {worst}",
        100.0 * held as f64 / all.max(1) as f64
    );
    Ok(over + usize::from((held as f64) < 0.9 * all as f64))
}

/// How many intervals hold the mean of all runs, of how many, and of which function the fewest.
fn coverage(runs: &[Run]) -> (usize, usize, String) {
    let (mut held, mut all, mut worst) = (0, 0, (usize::MAX, String::new()));
    let share = |run: &Run, name: &str| run.rows.get(name).copied().unwrap_or_default();
    for name in runs.first().into_iter().flat_map(|run| run.rows.keys()) {
        let mean = runs.iter().map(|run| share(run, name).0).sum::<f64>() / runs.len() as f64;
        if mean < 1.0 {
            continue;
        }
        let holds = |run: &&Run| {
            let (total, error) = share(run, name);
            (total - mean).abs() <= error
        };
        let count = runs.iter().filter(holds).count();
        (held, all) = (held + count, all + runs.len());
        if count < worst.0 {
            worst = (count, format!("in {count} of {} runs of {name} ({mean:.1} %)", runs.len()));
        }
    }
    (held, all, worst.1)
}
