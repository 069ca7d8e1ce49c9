//! Cost of hooks by which calls can be timed, while nothing is timed and while each call is: `cargo bench --bench times`.
//!
//! A program calls a function with hooks and one without by turns, each of about a microsecond, so that the runtime times every
//! call. The result is the CPU time of a call with hooks less that of one without: of all turns the one in the middle, and the range
//! in which the true middle is in 95 of 100 cases. The compiler is `$CC`. Without `--bench`, which cargo passes when benchmarking,
//! everything runs once and small, to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use launcher::{Middle, Result, compile_by};

/// State of a program that is measured: a name, and `GMON_OPTIONS`.
type State = (&'static str, Option<&'static str>);

/// Ways to build.
const WAYS: [(&str, &[State]); 2] = [
    (
        "--dormant",
        &[
            ("asleep", None),
            ("each call timed", Some("stacks,times=hooked")),
            ("the same by caller", Some("stacks,times=hooked,times_by=caller")),
        ],
    ),
    (
        "--times",
        &[
            ("counted", None),
            ("counted, others timed", Some("stacks,times=other")),
            ("each call timed", Some("stacks,times=hooked")),
            ("the same by caller", Some("stacks,times=hooked,times_by=caller")),
        ],
    ),
];

/// Work that is to be done.
struct Size {
    turns: usize,
    calls: usize,
    rounds: usize,
}

fn main() -> ExitCode {
    launcher::bench_on_x86_64("times", run)
}

fn run(full: bool) -> Result<usize> {
    let size = match full {
        true => Size { turns: 3000, calls: 1000, rounds: 3_000 },
        false => Size { turns: 2, calls: 10, rounds: 10 },
    };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    println!(
        "a call of about a microsecond, by the same without hooks, in nanoseconds of CPU time:"
    );
    for (way, states) in WAYS {
        let program = build(folder.path(), way)?;
        for (state, options) in states {
            let it = Middle::of(costs(&program, *options, &size)?);
            println!("{way:10} {state:22} {:6.1}  ({:.1} to {:.1})", it.middle, it.least, it.most);
        }
    }
    Ok(0)
}

/// Builds the program, whose functions but for one have hooks.
fn build(folder: &Path, way: &str) -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/times");
    let hooks = [env!("CARGO_BIN_EXE_gmon"), "cc", way];
    let mut objects = Vec::new();
    for name in ["plain", "hooked", "other"] {
        let object = folder.join(format!("{name}{way}.o"));
        let words = if name == "plain" { &[][..] } else { &hooks };
        let work = here.join("work.c");
        compile_by(words, [work.as_os_str()], &["-c", &format!("-DNAME={name}")], &object)?;
        objects.push(object);
    }
    let turns = folder.join(format!("turns{way}.o"));
    compile_by(&[], [here.join("turns.c").as_os_str()], &["-c"], &turns)?;
    objects.push(turns);
    let program = folder.join(format!("program{way}"));
    compile_by(&hooks, objects.iter().map(|object| object.as_os_str()), &[], &program)?;
    Ok(program)
}

/// Runs the program, and returns for each turn what hooks cost a call, in nanoseconds.
fn costs(program: &Path, options: Option<&str>, size: &Size) -> Result<Vec<f64>> {
    let mut command = Command::new(program);
    command.args([size.turns, size.calls, size.rounds].map(|number| number.to_string()));
    command.current_dir(program.parent().unwrap_or(Path::new(".")));
    command.envs(options.map(|options| ("GMON_OPTIONS", OsStr::new(options))));
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let turn = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [plain, hooked] => Ok(hooked - plain),
            _ => Err(format!("{command:?} printed `{line}`")),
        }
    };
    match output.status.success() {
        true => text.lines().map(turn).collect(),
        false => Err(format!("{command:?}: {}", output.status)),
    }
}
