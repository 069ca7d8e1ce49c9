//! Costs of sampling from outside, for the process and for gmon: `cargo bench --bench attach [-- --check]`.
//!
//! Code of other people does the same piece of work again and again, and notes the CPU time of each piece. Again and again
//! `gmon run --pid` samples the process for a moment, at 99 or at 1,000 Hz, and ends. So it is one process, with the same memory in the
//! same places, that works with and without. Where `perf` is installed it takes its turns, too, with copies of stacks as large, and
//! with none: that is what the clock's interrupts cost, whoever asks for them.
//!
//! On a virtual machine others slow a process down for parts of a second, by more than half. So the pieces of each 50 ms are taken
//! together, and of all these the twentieth that took least counts: nobody disturbed them, and they have as many samples as all others.
//! Shown is the CPU time of a piece beside that while nobody looks, and where it would lie in 19 of 20 such measurements, found by
//! drawing rounds again; and the tool's own time beside that in which it looked. With `--check` a program that takes 1 % more at
//! 99 Hz, or 3 % more at 1,000, and more than 5 % of a processor for following stacks at 1,000 fail the run. `-- Rust` or another
//! program's name leaves out the rest. Without `--bench`, which cargo passes when benchmarking, there is one round of one program.

#[path = "../launcher/mod.rs"]
mod launcher;
mod steady;
#[path = "../workloads/mod.rs"]
mod workloads;

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use launcher::{Middle, Result, is_wanted};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;
use steady::{Process, Window};
use support::tools;

/// Rounds of a whole measurement.
const ROUNDS: usize = 45;

/// Length of a look at the process, with a tool or without.
const WINDOW: Duration = Duration::from_millis(600);

/// Number of times that rounds are drawn again, to find how far a figure may be off.
const DRAWS: usize = 400;

/// Observer of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Gmon(u32),
    Perf(u32),
    /// perf without copies of stacks.
    Clock(u32),
}

/// Means of pieces of work in stretches of time, in nanoseconds of CPU time: a list for each round.
type Rounds = Vec<Vec<f64>>;

fn main() -> ExitCode {
    launcher::bench("attach", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let mut sides = vec![Side::Gmon(99), Side::Gmon(1000)];
    if full && let Some(perf) = tools::find("perf") {
        println!("perf: {}", perf.display());
        sides.extend([Side::Perf(1000), Side::Clock(1000)]);
    }
    let (rounds, programs) = if full { (ROUNDS, steady::ALL.len()) } else { (1, 1) };
    let mut over = 0;
    for (name, build) in steady::ALL.iter().filter(|(name, _)| is_wanted(name)).take(programs) {
        let program = folder.path().join(name);
        if !build(&program)? {
            continue;
        }
        let process = Process::start(&program)?;
        let mut alone = Rounds::new();
        let mut with = vec![Rounds::new(); sides.len()];
        let mut tools = vec![Vec::new(); sides.len()];
        for round in 0..rounds {
            let mut before = Vec::new();
            for turn in 0..sides.len() {
                let place = (turn + round) % sides.len();
                let window = Window::begin();
                thread::sleep(WINDOW);
                before.extend(process.stretches(&window.end())?);
                let (stretches, tool) = sides[place].look(&process, folder.path())?;
                with[place].push(stretches);
                tools[place].push(tool);
            }
            alone.push(before);
        }
        for (side, with) in sides.iter().zip(&with) {
            over += side.report(name, with, &alone);
        }
        for (side, tools) in sides.iter().zip(&tools) {
            let tool = Middle::of(tools.clone()).middle;
            println!("{name}: {} takes {:.1} % of a processor itself", side.name(), 100.0 * tool);
        }
        // What the rates have in common is to read the program and to write the profile.
        let of_looks = tools[0].iter().zip(&tools[1]);
        let looks = of_looks.map(|(few, many)| 100.0 * (many - few) * 1000.0 / (1000.0 - 99.0));
        let looks = Middle::of(looks.collect());
        println!(
            "{name}: to follow stacks as they come takes gmon {:.2} % ({:.2} to {:.2}) of a processor at 1,000 Hz",
            looks.middle, looks.least, looks.most
        );
        over += usize::from(looks.least > 5.0);
    }
    Ok(over)
}

/// The time of a piece of work that nobody disturbed, in some rounds: a twentieth of all stretches are not above it.
fn undisturbed<'r>(rounds: impl Iterator<Item = &'r Vec<f64>>) -> f64 {
    let mut stretches: Vec<f64> = rounds.flatten().copied().collect();
    stretches.sort_unstable_by(f64::total_cmp);
    stretches.get(stretches.len() / 20).copied().unwrap_or(f64::NAN)
}

impl Side {
    fn name(self) -> String {
        match self {
            Self::Gmon(rate) => format!("gmon at {rate} Hz"),
            Self::Perf(rate) => format!("perf at {rate} Hz"),
            Self::Clock(rate) => format!("perf at {rate} Hz without stacks"),
        }
    }

    /// Prints what it costs a program; returns how many limits do not hold.
    fn report(self, program: &str, with: &Rounds, alone: &Rounds) -> usize {
        let more = |rounds: &[usize]| {
            let of = |all: &Rounds| undisturbed(rounds.iter().map(|round| &all[*round]));
            100.0 * (of(with) / of(alone) - 1.0)
        };
        let all: Vec<usize> = (0..with.len()).collect();
        let mut random = fastrand::Rng::with_seed(7);
        let mut draw = || more(&all.iter().map(|_| random.usize(..all.len())).collect::<Vec<_>>());
        let mut drawn: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        drawn.sort_unstable_by(f64::total_cmp);
        let (least, most) = (drawn[DRAWS / 40], drawn[DRAWS - 1 - DRAWS / 40]);
        println!(
            "{program}, {}: {:+.2} % of CPU time ({least:+.2} to {most:+.2})",
            self.name(),
            more(&all)
        );
        match self {
            Self::Gmon(rate) => usize::from(least > if rate < 1000 { 1.0 } else { 3.0 }),
            Self::Perf(_) | Self::Clock(_) => 0,
        }
    }

    /// Means of pieces of work while this looks, and its own CPU time beside the time that it looked.
    fn look(self, process: &Process, folder: &Path) -> Result<(Vec<f64>, f64)> {
        let before = ended()?;
        let mut tool = self.attach(process, folder)?;
        let window = Window::begin();
        thread::sleep(WINDOW);
        let window = window.end();
        let pid = Pid::from_raw(tool.id() as i32);
        kill(pid, Signal::SIGINT).map_err(|error| format!("the tool: {error}"))?;
        tool.wait().map_err(|error| format!("the tool: {error}"))?;
        Ok((process.stretches(&window)?, (ended()? - before) / window.seconds()))
    }

    /// Starts what looks at a process; returns when it does.
    fn attach(self, process: &Process, folder: &Path) -> Result<Child> {
        /// Until it looks: it does not say when it does.
        const BEGIN: Duration = Duration::from_millis(300);
        let mut command = match self {
            Self::Gmon(rate) => {
                let mut gmon = Command::new(env!("CARGO_BIN_EXE_gmon"));
                gmon.args(["run", "-o", "gmon.out", "--rate", &rate.to_string(), "--pid"]);
                gmon
            }
            Self::Perf(rate) | Self::Clock(rate) => {
                let mut perf = Command::new("perf");
                perf.args(["record", "-q", "-e", "cpu-clock:u", "-F", &rate.to_string()]);
                if let Self::Perf(_) = self {
                    perf.args(["--call-graph", "dwarf,32768"]);
                }
                perf.args(["-o", "perf.data", "-p"]);
                perf
            }
        };
        command.arg(process.id().to_string()).current_dir(folder);
        let tool = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let tool = tool.map_err(|error| format!("{command:?}: {error}"))?;
        thread::sleep(BEGIN);
        Ok(tool)
    }
}

/// CPU seconds of all processes of ours that have ended.
fn ended() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
