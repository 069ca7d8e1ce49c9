//! Samples of `perf record --call-graph dwarf`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::launcher::Result;
use crate::shares::{Shares, whole};
use crate::workloads::Workload;

/// As much of the stack as perf can copy at each sample, in bytes: 8 KB, its default, and 16 KB cut stacks off where a
/// function has large arrays, as one of brotli has, and then the functions that called it lose their time.
const COPY: &str = "dwarf,65528";

/// What perf found.
#[derive(Default)]
pub(crate) struct Theirs {
    pub(crate) shares: Shares,
    /// Samples whose stacks begin where the program or a thread begins.
    complete: f64,
}

impl Theirs {
    /// The part of the stacks that is complete, in percent.
    pub(crate) fn complete(&self) -> f64 {
        100.0 * self.complete / self.shares.samples()
    }
}

/// Runs a program once and adds its samples; libraries count as one function each, since perf and gmon call
/// functions that have several names by different ones.
pub(crate) fn add_run(
    workload: &Workload,
    folder: &Path,
    rate: u32,
    sum: &mut Theirs,
) -> Result<()> {
    let data = folder.join("perf.data");
    let mut record = Command::new("perf");
    record.args(["record", "-q", "-e", "cpu-clock", "--call-graph", COPY, "-F"]);
    record.arg(rate.to_string()).arg("-o").arg(&data).arg("--").args(workload.words());
    record.stdout(Stdio::null()).stderr(Stdio::null());
    let status = record.status().map_err(|error| format!("perf: {error}"))?;
    if !status.success() {
        return Err(format!("{record:?}: {status}"));
    }
    let mut script = Command::new("perf");
    script.args(["script", "--no-inline", "--no-demangle", "-F", "ip,sym,dso", "-i"]).arg(&data);
    let output = script.output().map_err(|error| format!("perf: {error}"))?;
    if !output.status.success() {
        return Err(format!("{script:?}: {}", output.status));
    }
    read(&String::from_utf8_lossy(&output.stdout), &workload.program, sum);
    Ok(())
}

/// Adds what `perf script` printed: a block for each sample, a line for each frame, the innermost first.
fn read(text: &str, program: &Path, sum: &mut Theirs) {
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let mut path: Vec<_> = block.lines().filter_map(|line| function(line, program)).collect();
        path.reverse();
        if !path.is_empty() {
            let start = block.trim_end().lines().last();
            let start = start.and_then(|line| line.split_whitespace().nth(1));
            let starts = ["_start", "clone3", "__clone3", "clone", "__clone"];
            sum.complete += f64::from(u8::from(start.is_some_and(|it| starts.contains(&it))));
            sum.shares.add(&path, 1.0);
        }
    }
}

/// The function of `ADDRESS NAME (FILE)`; none in the kernel, whose time is that of who called it.
fn function(line: &str, program: &Path) -> Option<String> {
    let (_, rest) = line.trim().split_once(' ')?;
    let (name, file) = rest.rsplit_once(" (")?;
    let file = Path::new(file.trim_end_matches(')'));
    if file == program {
        return Some(whole(name).to_owned());
    }
    let file = file.file_name()?.to_str()?;
    (!file.starts_with("[kernel") && !file.starts_with("[unknown")).then(|| format!("[{file}]"))
}
