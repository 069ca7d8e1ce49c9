//! What a hook costs: `cargo bench --bench hook [-- --check]`.
//!
//! One C source runs without hooks, with a hook that only returns, with the C library's hooks and
//! with ours, all in one run and by turns, so that a change of the machine's speed meets all sides.
//! The cost of a hook is the time of a hooked call minus the time of the plain one.
//!
//! ```text
//! programs ─→ timing  (four shapes of calls, one thread)   ─┐
//!          └→ storm   (shared functions, several threads)  ─┴→ report
//! ```
//!
//! The limits of the project stand in [`report`]. Each line says whether it holds; only with
//! `--check` does a line that does not hold fail the run. Without `--bench`, which cargo passes
//! when benchmarking, everything runs once and briefly, to show that it still works.

mod programs;
mod report;
mod sides;
mod storm;
mod timing;

use std::env;
use std::process::ExitCode;

use programs::Programs;

/// One line for the user: what went wrong, with which program.
type Result<T> = std::result::Result<T, String>;

/// How long to measure.
struct Effort {
    /// How often each side gets its turn at each shape.
    passes: usize,
    /// Length of one turn.
    milliseconds: u32,
    /// How often each side gets its turn at the storm.
    storms: usize,
    /// Calls of each thread of a storm.
    storm_calls: u64,
}

const FULL: Effort = Effort { passes: 15, milliseconds: 20, storms: 3, storm_calls: 10_000_000 };
const BRIEF: Effort = Effort { passes: 1, milliseconds: 1, storms: 1, storm_calls: 100_000 };

fn main() -> ExitCode {
    let mut effort = &BRIEF;
    let mut check = false;
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--bench" => effort = &FULL,
            "--check" => check = true,
            _ => {
                eprintln!(
                    "hook: unknown argument `{argument}`\nusage: cargo bench --bench hook [-- --check]"
                );
                return ExitCode::from(2);
            }
        }
    }
    match run(effort) {
        Ok(over) if check && over > 0 => {
            eprintln!("hook: {over} of the limits do not hold");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("hook: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints; returns how many limits do not hold.
fn run(effort: &Effort) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let programs = Programs::build(folder.path())?;
    report::machine(&programs.compiler());

    let costs = timing::measure(&programs, effort)?;
    let over = report::costs(&costs);
    let storms = storm::measure(&programs, effort)?;
    Ok(over + report::storms(&storms))
}
