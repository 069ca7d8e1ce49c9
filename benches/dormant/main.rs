//! What hooks that sleep cost a program of real size: `cargo bench --bench dormant [-- --check]`.
//!
//! A program has SQLite three times: as the compiler makes it, a copy of that, and with hooks that sleep, as `gmon cc --dormant`
//! compiles it. They work by turns in one process, in one order and then in the other, so that all have the same memory and meet
//! the same noise; many processes do so, since each has its pages elsewhere. Of each process the result is the ratio in the middle
//! of those of its turns; of all processes, the one in the middle, and the range in which the true middle is in 95 of 100 cases.
//! With `-- --ripgrep` it is ripgrep, in processes by turns ([`ripgrep`]).
//!
//! What the copy differs by is noise. The program is started without `GMON_OPTIONS`, so that all hooks sleep. With `--check` a
//! ratio above 1.01 fails the run. Without `--bench`, which cargo passes when benchmarking, everything runs once and small,
//! to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;
#[path = "../registry/mod.rs"]
mod registry;
mod ripgrep;

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use launcher::{Middle, Result, compile_by};
use support::sources;

/// The CPU time that hooks may take while they sleep, of what the program takes without them.
const MOST: f64 = 1.01;

/// The copies of SQLite, by the names of what they do.
const COPIES: [&str; 3] = ["plain", "copy", "asleep"];

/// Amount of work.
struct Size {
    processes: usize,
    /// Turns of each.
    turns: usize,
    rows: usize,
}

fn main() -> ExitCode {
    let run = if env::args().any(|word| word == "--ripgrep") { ripgrep::run } else { run };
    launcher::bench_on_x86_64("dormant", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let size = match full {
        true => Size { processes: 60, turns: 24, rows: 20_000 },
        false => Size { processes: 1, turns: 2, rows: 100 },
    };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let program = build(folder.path(), if full { "-O2" } else { "-O0" })?;
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..size.processes {
        let turns = turns(&program, &size)?;
        for (copy, ratios) in (1..).zip(&mut ratios) {
            let of_turns = turns.iter().map(|times| times[copy] / times[0]).collect();
            ratios.push(Middle::of(of_turns).middle);
        }
    }
    let [noise, asleep] = ratios.map(Middle::of);
    let Size { processes, turns, rows } = size;
    println!(
        "CPU time of SQLite with {rows} rows, {turns} turns in each of {processes} processes, by that without hooks:"
    );
    Ok(show("without hooks, a copy", &noise, &asleep))
}

/// Prints what the CPU time is, by that without hooks; returns how many limits do not hold. `other` is what the noise is of.
fn show(other: &str, noise: &Middle, asleep: &Middle) -> usize {
    for (what, it) in [(other, noise), ("hooks asleep", asleep)] {
        println!("{what:28} {:.4}  ({:.4} to {:.4})", it.middle, it.least, it.most);
    }
    usize::from(asleep.middle > MOST)
}

/// Builds the program.
fn build(folder: &Path, optimization: &str) -> Result<PathBuf> {
    let sources = sources::folder_of("libsqlite3-sys").join("sqlite3");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let driver = here.join("tests/suite/conformance/programs/sqlite.c");
    let inputs = [driver, sources.join("sqlite3.c")];
    let include = format!("-I{}", sources.display());
    let dormant = [env!("CARGO_BIN_EXE_gmon"), "cc", "--dormant"];
    let mut objects = Vec::new();
    for name in COPIES {
        let words = if name == "asleep" { &dormant[..] } else { &[] };
        let renamed = format!("-Dmain={name}");
        let flags = ["-c", "-w", "-DSQLITE_OMIT_LOAD_EXTENSION", &include, &renamed, optimization];
        let mut parts = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let part = folder.join(format!("{name}{number}.o"));
            compile_by(words, [input.as_os_str()], &flags, &part)?;
            parts.push(part);
        }
        // Each is one object, of which others see one name.
        let object = folder.join(format!("{name}.o"));
        let parts = parts.iter().map(|part| part.as_os_str());
        compile_by(&[], parts, &["-r", "-nostdlib"], &object)?;
        let mut objcopy = Command::new("objcopy");
        objcopy.arg(format!("--keep-global-symbol={name}")).arg(&object);
        let status = objcopy.status().map_err(|error| format!("objcopy: {error}"))?;
        if !status.success() {
            return Err(format!("{objcopy:?}: {status}"));
        }
        objects.push(object);
    }
    let program = folder.join("program");
    let turns = here.join("benches/dormant/turns.c");
    let inputs = objects.iter().chain([&turns]).map(|input| input.as_os_str());
    let inputs = inputs.chain(["-lm", "-lpthread"].map(OsStr::new));
    compile_by(&dormant, inputs, &[], &program)?;
    Ok(program)
}

/// Runs the program and returns, for each turn, the CPU time in seconds of each copy.
fn turns(program: &Path, size: &Size) -> Result<Vec<[f64; COPIES.len()]>> {
    let mut command = Command::new(program);
    command.args([size.rows, size.turns].map(|number| number.to_string()));
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let turn = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
        <[f64; COPIES.len()]>::try_from(numbers).map_err(|_| format!("{command:?}: {text}"))
    };
    let turns: Vec<_> = text.lines().map(turn).collect::<Result<_>>()?;
    match output.status.success() && turns.len() == size.turns {
        true => Ok(turns),
        false => Err(format!("{command:?}: {}: {text}", output.status)),
    }
}
