//! Time that functions of Python add to a look at the stack of a thread of the interpreter.

use std::path::Path;
use std::process::{Command, Stdio};

use support::python::interpreters;

use crate::launcher::{Middle, Result};
use crate::walks::Walks;

/// Pairs of runs: with functions of Python, and without. What the first look takes, a millisecond, is spread over four thousand.
const PAIRS: u32 = 3;

/// Numbers of functions that call each other, the innermost of which works.
const DEPTHS: [u32; 2] = [5, 20];

const SCRIPT: &str = "
import sys
def work(n):
    s = 0
    for i in range(n):
        s += i * i % 7
    return s
def call(depth, n):
    return work(n) if depth <= 2 else globals()[f'step{depth}'](n)
for depth in range(3, 100):
    exec(f'def step{depth}(n): return {\"work\" if depth == 3 else f\"step{depth - 1}\"}(n)')
call(int(sys.argv[1]) - 1, 60000000)
";

/// Measures and prints, for each interpreter of this machine.
pub(super) fn run(folder: &Path, library: &Path) -> Result<()> {
    for python in interpreters() {
        for depth in DEPTHS {
            let walk = |is_on: u32| walk(&python, depth, is_on, folder, library);
            let more = |_| Ok(walk(1)? - walk(0)?);
            let more = (0..PAIRS).map(more).collect::<Result<Vec<f64>>>()?;
            let Middle { middle, least, most } = Middle::of(more);
            println!(
                "{}, {depth} functions of Python: a look takes {middle:+.2} us more ({least:+.2} to {most:+.2})",
                python.display()
            );
        }
    }
    Ok(())
}

/// Microseconds of a look in a run.
fn walk(python: &Path, depth: u32, is_on: u32, folder: &Path, library: &Path) -> Result<f64> {
    let data = folder.join("python.out");
    let options = format!("stacks,hz=1000,python={is_on},out={}", data.display());
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT, &depth.to_string()]).stdout(Stdio::null());
    let status = command.env("LD_PRELOAD", library).env("GMON_OPTIONS", options).status();
    match status.map_err(|error| format!("{}: {error}", python.display()))? {
        status if status.success() => Ok(Walks::read(&data.with_extension("out.full"))?.mean_us()),
        status => Err(format!("{}: {status}", python.display())),
    }
}
