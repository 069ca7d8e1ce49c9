//! What it costs to record call stacks: `cargo bench --bench stacks`.
//!
//! Start and end of an empty program, a counted call, and a program that is sampled: with and without stacks, and with the
//! times of samples, by turns in one run. Then marks of a program. What the walks took is also said by the runtime's own
//! clock, and what the kernel takes for signals that nobody handles by a program that has them without samples. With
//! `--long` gcc's compiler and Python compute for a minute instead; with `--python` looks at functions of Python are
//! measured. Without `--bench`, which cargo passes when benchmarking, everything runs once, to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;
mod long;
mod python;
mod walks;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use launcher::{Earlier, Launcher, Middle, Result, Runs, compile};
use walks::Walks;

/// The option that names the folder of `gmon.h`.
const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/runtime/include");

fn main() -> ExitCode {
    launcher::bench("stacks", |full| run(full).map(|()| 0))
}

fn run(full: bool) -> Result<()> {
    let rounds = if full { 600 } else { 2 };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bench = Bench::new(folder.path())?;
    let is_asked_for = |part: &str| full && std::env::args().any(|argument| argument == part);
    if is_asked_for("--long") {
        return long::run(&bench.launcher, &config("--shared-lib")?);
    }
    if is_asked_for("--python") {
        return python::run(folder.path(), &config("--shared-lib")?);
    }

    let empty = folder.path().join("empty.c");
    let text = "int main(void) { return 0; }\n";
    fs::write(&empty, text).map_err(|error| format!("{}: {error}", empty.display()))?;
    let empty = bench.compile(&empty)?;
    let sides = ["quiet", "stacks", "stacks,hz=1000"];
    for runs in bench.launch(rounds, &empty, &sides)?.iter().zip(sides) {
        println!(
            "empty program, {:16} {:6.0} us fastest, {:6.0} us middle",
            runs.1,
            runs.0.fastest as f64 / 1e3,
            runs.0.middle as f64 / 1e3
        );
    }

    let calls = bench.compile(&source("calls.c"))?;
    let sides = ["sampler=none", "sampler=none,stacks"];
    for runs in bench.launch(rounds / 60 + 1, &calls, &sides)?.iter().zip(sides) {
        println!("a counted call, {:20} {:.3} ns", runs.1, runs.0.cpu as f64 / 1e8);
    }

    let [deep, floor] = ["deep.c", "floor.c"].map(|name| bench.compile(&source(name)));
    let (deep, floor) = (deep?, floor?);
    for hz in [100, 1000] {
        let [without, with] = ["", ",stacks"].map(|stacks| format!("hz={hz}{stacks}"));
        let rate = hz.to_string();
        let sides = ["sampler=none", &without, &with];
        let mut commands: Vec<_> = sides.map(|options| command(&deep, options)).into();
        let mut signals = command(&floor, "sampler=none");
        signals.push(rate.clone().into());
        if may_signal(&floor, &rate)? {
            commands.push(signals);
        } else {
            println!("SKIPPED: the kernel grants no clock that signals");
        }
        let runs = bench.launcher.launch(rounds / 30 + 1, Earlier::Removed, &commands, &[])?;
        let base = runs.first().map_or(1.0, |runs| runs.cpu as f64);
        for (runs, side) in runs.iter().zip(sides.into_iter().chain(["signals alone"])) {
            println!("sampled program, {side:16} {:+6.2} % of CPU time", {
                100.0 * (runs.cpu as f64 / base - 1.0)
            });
        }
        let walks = bench.walks(&deep, &with)?;
        println!("sampled program, {hz} Hz: {walks}");
    }
    times_of_samples(&bench, &deep, if full { 120 } else { 2 })?;
    // More than there is room for: memory that is touched first is not what a mark takes.
    marks(&bench, if full { 300 } else { 2 })
}

/// Measures by pairs of runs what the times of samples cost beside stacks. At higher rates the kernel's signals take half
/// of the time, and that differs by several percent from run to run.
fn times_of_samples(bench: &Bench<'_>, program: &Path, pairs: u32) -> Result<()> {
    let percent = |_| {
        let runs = bench.launch(1, program, &["hz=1000,stacks", "hz=1000,record"])?;
        let [without, with] = &runs[..] else { return Err("two sides were started".to_owned()) };
        Ok(100.0 * (with.cpu as f64 / without.cpu as f64 - 1.0))
    };
    let percents = (0..pairs).map(percent).collect::<Result<Vec<f64>>>()?;
    let Middle { middle, least, most } = Middle::of(percents);
    println!(
        "times of samples, 1000 Hz: {middle:+.2} % of CPU time over stacks alone ({least:+.2} to {most:+.2})"
    );
    Ok(())
}

/// Measures what a mark costs: in a program without the runtime, and with it when no times are kept and when they are.
fn marks(bench: &Bench<'_>, turns: u32) -> Result<()> {
    let with = bench.compile(&source("marks.c"))?;
    let without = bench.launcher.folder().join("marks-alone");
    compile([source("marks.c").as_os_str()], &[INCLUDE], &without)?;
    for (name, program, options) in [
        ("without the runtime", &without, "off"),
        ("when no times are kept", &with, "stacks"),
        ("kept", &with, "record"),
    ] {
        let mut command = Command::new(program);
        command.arg(turns.to_string()).current_dir(bench.launcher.folder());
        let output = command.env("GMON_OPTIONS", options).output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let turns = text.lines().filter_map(|line| line.parse().ok()).collect();
        let Middle { middle, least, most } = Middle::of(turns);
        println!("a mark, {name:24} {middle:6.1} ns  ({least:.1} to {most:.1})");
    }
    Ok(())
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/stacks/c").join(name)
}

/// Runs a program with these options.
fn command(program: &Path, options: &str) -> Vec<OsString> {
    vec![OsString::from(format!("GMON_OPTIONS={options}")), program.into()]
}

/// Whether the program gets its signals: unprivileged users may not have any where `perf_event_paranoid` says so.
fn may_signal(floor: &Path, rate: &str) -> Result<bool> {
    let status = Command::new(floor).arg(rate).env("GMON_OPTIONS", "off").status();
    status.map(|status| status.success()).map_err(|error| format!("{}: {error}", floor.display()))
}

/// The path of a library, as `gmon config` tells it.
fn config(option: &str) -> Result<PathBuf> {
    let gmon = Command::new(env!("CARGO_BIN_EXE_gmon")).args(["config", option]).output();
    let path = gmon.map_err(|error| format!("gmon config: {error}"))?.stdout;
    Ok(PathBuf::from(String::from_utf8_lossy(&path).trim()))
}

/// A folder of compiled programs.
struct Bench<'a> {
    archive: PathBuf,
    launcher: Launcher<'a>,
}

impl<'a> Bench<'a> {
    fn new(folder: &'a Path) -> Result<Self> {
        Ok(Self { archive: config("--static-lib")?, launcher: Launcher::new(folder)? })
    }

    /// The program of a source, with hooks and the runtime.
    fn compile(&self, source: &Path) -> Result<PathBuf> {
        let program = self.launcher.folder().join(source.file_stem().unwrap_or_default());
        compile([source.as_os_str(), self.archive.as_os_str()], &["-pg", INCLUDE], &program)?;
        Ok(program)
    }

    /// Runs the program with these options by turns.
    fn launch(&self, rounds: u32, program: &Path, options: &[&str]) -> Result<Vec<Runs>> {
        let commands: Vec<_> = options.iter().map(|options| command(program, options)).collect();
        self.launcher.launch(rounds, Earlier::Removed, &commands, &[])
    }

    /// Runs the program once more with these options, and reads what its full profile says.
    fn walks(&self, program: &Path, options: &str) -> Result<Walks> {
        let folder = self.launcher.folder();
        let mut command = Command::new(program);
        command.current_dir(folder).env("GMON_OPTIONS", options);
        let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
        match status.success() {
            true => Walks::read(&folder.join("gmon.out.full")),
            false => Err(format!("{}: {status}", program.display())),
        }
    }
}
