//! Whether each rank of a parallel program has its time: `cargo bench --bench mpi [-- --check]`.
//!
//! Rank r of `examples/languages/units.c` does r + 1 units of work, each half a second of CPU time by its own clock. So the times of
//! four ranks are as 1 : 2 : 3 : 4, in the profile of each, and in the view of all. Shown is by how much they are
//! not, with MPICH and with Open MPI. A library that is not there is left out aloud, and makes `--check` fail. Without `--bench`,
//! which cargo passes when benchmarking, the units are shorter.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::path::Path;
use std::process::{Command, ExitCode};

use launcher::Result;

/// By how much a time may differ from what it is by the work.
const LIMIT: f64 = 0.05;

const RANKS: usize = 4;

struct Library {
    name: &'static str,
    compiler: &'static str,
    launcher: &'static str,
    /// How to start programs as any user on any machine.
    options: &'static [&'static str],
}

const LIBRARIES: [Library; 2] = [
    Library { name: "MPICH", compiler: "mpicc.mpich", launcher: "mpirun.mpich", options: &[] },
    Library {
        name: "Open MPI",
        compiler: "mpicc.openmpi",
        launcher: "mpirun.openmpi",
        options: &["--allow-run-as-root", "--oversubscribe"],
    },
];

fn main() -> ExitCode {
    launcher::bench("mpi", |full| {
        println!("{:52} {:>6} {:>6} {:>6} {:>6}   off by", "seconds of rank", 0, 1, 2, 3);
        let unit = if full { 0.5 } else { 0.1 };
        LIBRARIES.iter().map(|library| library.measure(unit)).sum()
    })
}

impl Library {
    /// How many limits do not hold, with units of so many seconds.
    fn measure(&self, unit: f64) -> Result<usize> {
        for tool in [self.compiler, self.launcher] {
            if Command::new(tool).arg("--version").output().is_err() {
                println!("{}: left out: there is no {tool}", self.name);
                return Ok(1);
            }
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let folder = folder.path();
        let gmon = env!("CARGO_BIN_EXE_gmon");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/languages/units.c");
        let mut compile = Command::new(gmon);
        compile.args(["cc", self.compiler, "-O2", "-g", &format!("-DUNIT={unit}")]);
        compile.arg(source).args(["-o", "units"]);
        text_of(compile.current_dir(folder))?;
        let mut run = Command::new(self.launcher);
        run.args(self.options).args(["-n", &RANKS.to_string(), gmon, "run", "./units"]);
        // Open MPI's runs of one user share a folder there.
        text_of(run.current_dir(folder).env("TMPDIR", folder))?;

        let files: Vec<String> = (0..RANKS).map(|rank| format!("gmon.out.{rank}")).collect();
        let report = |words: &[&str], files: &[String]| {
            let mut report = Command::new(gmon);
            report.args(["report", "units", "--top", "100"]).args(words).args(files);
            text_of(report.current_dir(folder))
        };
        let all = report(&["--by", "rank"], &files)?;
        let mut over = 0;
        let alone = |rank: usize| cell(&report(&[], &files[rank..=rank])?, "unit", 0);
        over += self.judge("`unit` in the profile of each rank alone", unit, alone)?;
        let outside = |rank: usize| cell(&all, &rank.to_string(), 2);
        over += self.judge("outside MPI, in the view of all", unit, outside)?;
        Ok(over)
    }

    /// Shows the times of all ranks; one if a limit does not hold.
    fn judge(&self, what: &str, unit: f64, time: impl Fn(usize) -> Result<f64>) -> Result<usize> {
        let times = (0..RANKS).map(time).collect::<Result<Vec<f64>>>()?;
        let off = times.iter().zip(1..).map(|(time, units)| time / (unit * f64::from(units)) - 1.0);
        let most = off.map(f64::abs).fold(0.0, f64::max);
        let times: String = times.iter().map(|time| format!(" {time:6.3}")).collect();
        let holds = most <= LIMIT;
        println!(
            "{:52}{times}   {:.1} % (limit {:.0} %): {}",
            format!("{}, {what}", self.name),
            100.0 * most,
            100.0 * LIMIT,
            if holds { "holds" } else { "does NOT hold" }
        );
        Ok(usize::from(!holds))
    }
}

/// What a command prints.
fn text_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}: {said}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The number in a column of the row that ends in a name.
fn cell(text: &str, row: &str, column: usize) -> Result<f64> {
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let cells = lines.find(|cells| cells.last() == Some(&row));
    let number = cells.as_ref().and_then(|cells| cells.get(column)?.parse().ok());
    number.ok_or_else(|| format!("no row {row} in {text}"))
}
