//! A run of `gmon run`: its stacks, and the rows that it shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::launcher::Result;
use crate::shares::{Shares, whole};
use crate::workloads::Workload;

/// What a run measured.
pub(crate) struct Run {
    pub(crate) shares: Shares,
    /// The inclusive share of each function that the summary lists and half of its interval, in percent.
    pub(crate) rows: BTreeMap<String, (f64, f64)>,
}

impl Run {
    /// Runs a program in a folder.
    pub(crate) fn new(workload: &Workload, folder: &Path) -> Result<Self> {
        let names = ["--names", "linker"];
        let mut run = gmon(folder);
        run.args(["run", "--report", "summary", "--top", "10000"]).args(names).arg("--");
        succeed(run.args(workload.words()))?;
        let mut export = gmon(folder);
        export.args(["export", "--format", "json", "-o", "profile.json"]).args(names);
        succeed(export.arg(&workload.program).arg("gmon.out"))?;
        let profile = read(&folder.join("profile.json"))?;
        let profile: Value = serde_json::from_str(&profile).map_err(|error| error.to_string())?;
        let rows = rows(&read(&folder.join("summary"))?).ok_or("a summary without CPU time")?;
        Ok(Self { shares: shares(&profile).ok_or("not a profile")?, rows })
    }
}

/// The command under test.
pub(crate) fn gmon(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gmon"));
    command.current_dir(folder).stdout(Stdio::null()).env_remove("GMON_OPTIONS");
    command
}

pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    status.success().then_some(()).ok_or_else(|| format!("{command:?}: {status}"))
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The shares of functions as perf knows them: without inlined ones, each library as one.
fn shares(profile: &Value) -> Option<Shares> {
    let [functions, frames, modules] =
        ["functions", "frames", "modules"].map(|key| profile[key].as_array());
    let (functions, frames, modules) = (functions?, frames?, modules?);
    let function = |frame: &Value| -> Option<String> {
        let function = functions.get(frame["function"].as_u64()? as usize)?;
        let module = function["module"].as_u64();
        match module {
            Some(0) => Some(whole(function["name"].as_str()?).to_owned()),
            Some(module) => {
                let path = Path::new(modules.get(module as usize)?["path"].as_str()?);
                Some(format!("[{}]", path.file_name()?.to_str()?))
            }
            None => Some(function["name"].as_str()?.to_owned()),
        }
    };
    let mut sum = Shares::default();
    for stack in profile["stacks"].as_array()? {
        let on_stack = stack["frames"].as_array()?.iter();
        let on_stack = on_stack.filter_map(|frame| frames.get(frame.as_u64()? as usize));
        let path: Vec<_> =
            on_stack.filter(|frame| frame["inlined"] == false).filter_map(function).collect();
        sum.add(&path, stack["samples"].as_f64()?);
    }
    Some(sum)
}

/// The rows of a summary whose time has an interval.
pub(crate) fn rows(summary: &str) -> Option<BTreeMap<String, (f64, f64)>> {
    let (before, _) = summary.split_once(" seconds of CPU time")?;
    let cpu: f64 = before.rsplit(' ').next()?.parse().ok()?;
    let percent = |cell: &str| Some(100.0 * cell.parse::<f64>().ok()? / cpu);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        // Only a bound is known of a function that few samples found.
        let (total, error, behind) = match cells.get(2)?.strip_prefix('<') {
            Some(bound) => (0.0, percent(bound)?, 3),
            None => (percent(cells.get(2)?)?, percent(cells.get(3)?)?, 4),
        };
        // Behind calls and the time of each, which is one word only where it is `-`.
        let name = cells.get(behind + 2..).filter(|name| !name.is_empty())?.join(" ");
        Some((name, (total, error)))
    };
    Some(summary.lines().filter_map(row).collect())
}

/// The callers of a function that `gmon report --calls` shows: name, time and half of the interval, in seconds; only an
/// upper bound is known of a time that is zero.
pub(crate) fn callers(
    program: &str,
    function: &str,
    folder: &Path,
) -> Result<Vec<(String, f64, f64)>> {
    let mut report = gmon(folder);
    report.args(["report", program, "--calls", function]).stdout(Stdio::piped());
    let output = report.output().map_err(|error| format!("{report:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |cell: &str| cell.parse::<f64>().ok();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let name = cells.last()?.to_string();
        match cells.first()?.strip_prefix('<') {
            Some(bound) => Some((name, 0.0, number(bound)?)),
            None => Some((name, number(cells[0])?, number(cells.get(1)?)?)),
        }
    };
    let lines = text.lines().skip_while(|line| !line.ends_with(" callers")).skip(1);
    let rows: Vec<_> = lines.take_while(|line| !line.trim().is_empty()).filter_map(row).collect();
    if rows.is_empty() {
        return Err(format!("no callers of {function}:\n{text}"));
    }
    Ok(rows)
}
