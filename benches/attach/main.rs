//! Costs of sampling from outside, for the process and for gmon: `cargo bench --bench attach [-- --check]`.
//!
//! Programs of other people compute for about a second: alone, and sampled by `gmon run --pid` at 99 and at 1,000 Hz, in each
//! round in another order. Where `perf` is installed it takes its turns, too, with copies of stacks as large. Shown are the
//! program's CPU time beside that of the run alone in the same round, and the tool's own beside it; of all rounds the middle one,
//! and where nineteen of twenty such middles would lie. With `--check` a program that takes 1 % more at 99 Hz, or 3 % more at
//! 1,000, and more than 5 % of a processor for following stacks at 1,000 fail the run. Without `--bench`, which cargo passes
//! when benchmarking, one program runs once.

#[path = "../launcher/mod.rs"]
mod launcher;
#[path = "../workloads/mod.rs"]
mod workloads;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use launcher::{Middle, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use support::tools;
use workloads::Workload;

/// Rounds of a whole measurement.
const ROUNDS: usize = 31;

/// Observer of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Nobody,
    Gmon(u32),
    Perf(u32),
}

/// CPU seconds of a program, and of the tool that looks at it.
#[derive(Clone, Copy)]
struct Cost {
    program: f64,
    tool: f64,
}

fn main() -> ExitCode {
    launcher::bench("attach", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let kept = support::lasting_folder().join("workloads");
    fs::create_dir_all(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    let mut sides = vec![Side::Gmon(99), Side::Gmon(1000)];
    if full && let Some(perf) = tools::find("perf") {
        println!("perf: {}", perf.display());
        sides.push(Side::Perf(1000));
    }
    let (rounds, programs) = if full { (ROUNDS, workloads::ALL.len()) } else { (1, 1) };
    let mut over = 0;
    for (_, build) in workloads::ALL.iter().take(programs) {
        let Some(program) = build(&kept)? else { continue };
        let mut costs = vec![Vec::new(); sides.len()];
        for round in 0..rounds {
            let alone = measure(&program, Side::Nobody, folder.path())?;
            for turn in 0..sides.len() {
                let place = (turn + round) % sides.len();
                costs[place].push((measure(&program, sides[place], folder.path())?, alone));
            }
        }
        for (side, costs) in sides.iter().zip(&costs) {
            over += side.report(program.name, costs);
        }
        // What the rates have in common is to read the program and to write the profile.
        let of_looks = costs[0].iter().zip(&costs[1]).map(|((few, _), (many, _))| {
            100.0 * (many.tool - few.tool) / many.program * 1000.0 / (1000.0 - 99.0)
        });
        let looks = Middle::of(of_looks.collect());
        println!(
            "{}: to follow stacks as they come takes gmon {:.2} % ({:.2} to {:.2}) of a processor at 1,000 Hz",
            program.name, looks.middle, looks.least, looks.most
        );
        over += usize::from(looks.least > 5.0);
    }
    Ok(over)
}

impl Side {
    /// Prints what was measured; returns how many limits do not hold.
    fn report(self, program: &str, costs: &[(Cost, Cost)]) -> usize {
        let of = |figure: fn(&(Cost, Cost)) -> f64| costs.iter().map(figure).collect::<Vec<_>>();
        let slower = Middle::of(of(|(with, alone)| 100.0 * (with.program / alone.program - 1.0)));
        let tool = Middle::of(of(|(with, _)| 100.0 * with.tool / with.program));
        let (name, rate) = match self {
            Self::Nobody => return 0,
            Self::Gmon(rate) => ("gmon", rate),
            Self::Perf(rate) => ("perf", rate),
        };
        println!(
            "{program}, {name} at {rate} Hz: {:+.2} % of CPU time ({:+.2} to {:+.2}); the tool itself {:.1} % of that",
            slower.middle, slower.least, slower.most, tool.middle
        );
        let most = if rate < 1000 { 1.0 } else { 3.0 };
        usize::from(name == "gmon" && slower.least > most)
    }
}

/// Runs the program, looked at from before its first instruction on.
fn measure(program: &Workload, side: Side, folder: &Path) -> Result<Cost> {
    let before = ended()?;
    // A shell that waits for a line, and becomes the program.
    let mut shell = Command::new("sh");
    shell.args(["-c", "read -r line && exec \"$@\"", "sh"]).args(program.words());
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).current_dir(folder);
    let mut target = shell.spawn().map_err(|error| format!("sh: {error}"))?;
    let tool = side.attach(&target, folder)?;
    let line = target.stdin.take().map(|mut pipe| pipe.write_all(b"\n"));
    line.transpose().map_err(|error| format!("{}: {error}", program.name))?;
    finish(&mut target, program.name)?;
    let ran = ended()?;
    if let Some(mut tool) = tool {
        finish(&mut tool, "the tool")?;
    }
    Ok(Cost { program: ran - before, tool: ended()? - ran })
}

impl Side {
    /// Starts what looks at a process.
    fn attach(self, target: &Child, folder: &Path) -> Result<Option<Child>> {
        /// Until it looks: nobody says when perf does.
        const BEGIN: Duration = Duration::from_millis(300);
        let mut command = match self {
            Self::Nobody => return Ok(None),
            Self::Gmon(rate) => {
                let mut gmon = Command::new(env!("CARGO_BIN_EXE_gmon"));
                gmon.args(["run", "-o", "gmon.out", "--rate", &rate.to_string(), "--pid"]);
                gmon
            }
            Self::Perf(rate) => {
                let mut perf = Command::new("perf");
                perf.args(["record", "-q", "-e", "cpu-clock:u", "-F", &rate.to_string()]);
                perf.args(["--call-graph", "dwarf,32768", "-o", "perf.data", "-p"]);
                perf
            }
        };
        command.arg(target.id().to_string()).current_dir(folder);
        let tool = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let tool = tool.map_err(|error| format!("{command:?}: {error}"))?;
        thread::sleep(BEGIN);
        Ok(Some(tool))
    }
}

/// Waits for a process that must end well.
fn finish(process: &mut Child, name: &str) -> Result<()> {
    let status = process.wait().map_err(|error| format!("{name}: {error}"))?;
    status.success().then_some(()).ok_or_else(|| format!("{name}: {status}"))
}

/// CPU seconds of all processes of ours that have ended.
fn ended() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
