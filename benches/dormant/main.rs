//! What hooks that sleep cost a program of real size: `cargo bench --bench dormant [-- --check]`.
//!
//! SQLite as the compiler makes it, and as `gmon cc --dormant` does, which runs without `GMON_OPTIONS`, so that all hooks sleep.
//! Both work by turns, in one order and then in the other, and so does a copy of the first: what that differs by is noise. Of each
//! turn the ratio of CPU times is taken; the result is the one in the middle, and the range in which the true middle
//! is in 95 of 100 cases. With `--check` a ratio above 1.01 fails the run. Without `--bench`, which cargo passes when
//! benchmarking, a small program runs once each, to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;
#[path = "../workloads/mod.rs"]
mod workloads;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use launcher::{Earlier, Launcher, Result, compile_by};
use workloads::compile_sqlite;

/// The CPU time that hooks may take while they sleep, of what the program takes without them.
const MOST: f64 = 1.01;

fn main() -> ExitCode {
    launcher::bench("dormant", |full| {
        if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return run(full);
        }
        println!("this benchmark builds for Linux on x86-64: nothing is measured");
        Ok(0)
    })
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let (rows, turns) = if full { ("400000", 60) } else { ("1000", 1) };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let [plain, copy, asleep] = ["plain", "copy", "asleep"].map(|name| folder.path().join(name));
    let compile = if full { compile_sqlite } else { compile_small };
    compile(&[], &plain)?;
    fs::copy(&plain, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    compile(&[env!("CARGO_BIN_EXE_gmon"), "cc", "--dormant"], &asleep)?;

    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..turns {
        for (other, ratios) in [&copy, &asleep].into_iter().zip(&mut ratios) {
            ratios.push(ratio(&launcher, &plain, other, rows)?);
        }
    }
    let [noise, asleep] = ratios.map(Middle::of);
    println!("CPU time, {turns} turns of four runs each, by that of the program without hooks:");
    for (what, it) in [("without hooks, a copy", &noise), ("hooks asleep", &asleep)] {
        println!("{what:24} {:.4}  ({:.4} to {:.4})", it.ratio, it.least, it.most);
    }
    Ok(usize::from(asleep.ratio > MOST))
}

/// A program that is compiled at once.
fn compile_small(words: &[&str], program: &Path) -> Result<()> {
    let source = program.with_extension("c");
    let text = "static volatile int sum;\n__attribute__((noinline)) static void add(int n) { sum += n; }\n\
                int main(void) { for (int i = 0; i < 10000000; i++) add(i); return 0; }\n";
    fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
    compile_by(words, [source.as_os_str()], &[], program)
}

/// The CPU time of one program by that of another, each run twice: this one first and last, so that a machine that gets slower or
/// faster does so for both.
fn ratio(launcher: &Launcher<'_>, plain: &Path, other: &Path, rows: &str) -> Result<f64> {
    let words = |program: &Path| vec![OsString::from(program), rows.into()];
    let commands = [plain, other, other, plain].map(words);
    let runs = launcher.launch(1, Earlier::Removed, &commands, &[])?;
    let [first, second, third, last] = &runs[..] else { return Err("four runs".to_owned()) };
    Ok((second.cpu + third.cpu) as f64 / (first.cpu + last.cpu) as f64)
}

/// The middle of ratios, and where the true one is.
struct Middle {
    ratio: f64,
    least: f64,
    most: f64,
}

impl Middle {
    fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_unstable_by(f64::total_cmp);
        let (len, last) = (ratios.len() as f64, ratios.len() - 1);
        // How many of so many values lie below the true middle is binomial: 1.96 standard deviations around one half.
        let half = 1.96 * len.sqrt() / 2.0;
        let at = |place: f64| ratios[(place.max(0.0) as usize).min(last)];
        Self { ratio: at(len / 2.0), least: at(len / 2.0 - half), most: at(len / 2.0 + half) }
    }
}
