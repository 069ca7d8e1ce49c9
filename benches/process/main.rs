//! What the runtime costs a process beside its hooks: `cargo bench --bench process`.
//!
//! Start and end of an empty program, memory of a small and of a large one, and what samples cost
//! a busy one: without a runtime, with the C library's and with ours, by turns in one run. Without
//! `--bench`, which cargo passes when benchmarking, everything runs once, to show that it works.

#[path = "../launcher/mod.rs"]
mod launcher;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use launcher::{Earlier, Launcher, Result, Runs, compile};

fn main() -> ExitCode {
    launcher::bench("process", |full| run(full).map(|()| 0))
}

fn run(full: bool) -> Result<()> {
    let rounds = if full { 300 } else { 2 };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bench = Bench::new(folder.path())?;

    let empty = bench.write("empty.c", "int main(void) { return 0; }\n")?;
    for (what, flags) in [("empty program", ""), ("empty program, static", "-static")] {
        let sides = bench.sides(&empty, flags)?;
        for (earlier, file) in [(Earlier::Removed, "first"), (Earlier::Replaced, "another")] {
            let runs = bench.launch(rounds, earlier, &sides, &[])?;
            report(&format!("{what}, {file} gmon.out"), &runs, &["plain", "C library", "gmon"]);
        }
    }
    let large = bench.write("large.c", &many_functions(20_000))?;
    let sides = bench.sides(&large, "-O0")?;
    let runs = bench.launch(rounds / 20 + 1, Earlier::Removed, &sides, &[])?;
    report("20,000 functions, each called once", &runs, &["plain", "C library", "gmon"]);

    let none = Earlier::Removed;
    let busy = bench.source("busy.c");
    let [_, glibc, ours] = bench.sides(&busy, "")?;
    for hz in [100, 1000] {
        let options = |sampler: &str| format!("hz={hz},sampler={sampler}");
        let rounds = rounds / 60 + 1;
        let off = bench.launch(rounds, none, &[&ours], &[("GMON_OPTIONS", &options("none"))])?;
        let on = bench.launch(rounds, none, &[&ours], &[("GMON_OPTIONS", &options("thread"))])?;
        let samples = off[0].cpu as f64 / 1e9 * f64::from(hz);
        let cost = (on[0].cpu as f64 - off[0].cpu as f64) / samples / 1e3;
        println!("busy program at {hz} Hz: {cost:.1} us of CPU time for each sample, {:+.2} %", {
            100.0 * (on[0].cpu as f64 / off[0].cpu as f64 - 1.0)
        });
    }
    let theirs = bench.launch(rounds / 60 + 1, none, &[&glibc], &[])?;
    println!("busy program, C library at 100 Hz: {:.3} s of CPU time", theirs[0].cpu as f64 / 1e9);
    Ok(())
}

fn report(what: &str, runs: &[Runs], names: &[&str]) {
    println!("{what}:");
    for (runs, name) in runs.iter().zip(names) {
        println!(
            "  {name:10} {:8.0} us fastest, {:8.0} us middle, {:8} KiB",
            runs.fastest as f64 / 1e3,
            runs.middle as f64 / 1e3,
            runs.memory,
        );
    }
    if let [_, theirs, ours] = runs {
        println!(
            "  gmon / C library: {:.2} fastest, {:.2} middle, {:.2} CPU time, {:.2} memory",
            ours.fastest as f64 / theirs.fastest as f64,
            ours.middle as f64 / theirs.middle as f64,
            ours.cpu as f64 / theirs.cpu as f64,
            ours.memory as f64 / theirs.memory as f64,
        );
    }
}

/// A program of `count` functions that `main` calls once each.
fn many_functions(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        let _ = writeln!(text, "__attribute__((noinline)) int f{i}(int x) {{ return x * {i}; }}");
    }
    text += "int main(void) { int x = 1;\n";
    for i in 0..count {
        let _ = writeln!(text, "x += f{i}(x);");
    }
    text + "return x == 0x7fffffff; }\n"
}

/// A folder of compiled programs.
struct Bench<'a> {
    archive: PathBuf,
    launcher: Launcher<'a>,
}

impl<'a> Bench<'a> {
    fn new(folder: &'a Path) -> Result<Self> {
        let gmon =
            Command::new(env!("CARGO_BIN_EXE_gmon")).args(["config", "--static-lib"]).output();
        let archive = gmon.map_err(|error| format!("gmon config: {error}"))?.stdout;
        let archive = PathBuf::from(String::from_utf8_lossy(&archive).trim());
        Ok(Self { archive, launcher: Launcher::new(folder)? })
    }

    fn source(&self, name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/process/c").join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.launcher.folder().join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// The program without a runtime, with the C library's and with ours.
    fn sides(&self, source: &Path, flags: &str) -> Result<[PathBuf; 3]> {
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let hooked: Vec<&str> = [&flags[..], &["-pg"]].concat();
        let name = |side| {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            self.launcher.folder().join(format!("{stem}{}-{side}", flags.concat()))
        };
        let [plain, glibc, ours] = ["plain", "glibc", "gmon"].map(name);
        compile([source.as_os_str()], &flags, &plain)?;
        compile([source.as_os_str()], &hooked, &glibc)?;
        compile([source.as_os_str(), self.archive.as_os_str()], &hooked, &ours)?;
        Ok([plain, glibc, ours])
    }

    /// Runs the programs by turns, in a folder of their own profiles.
    fn launch(
        &self,
        rounds: u32,
        earlier: Earlier,
        programs: &[impl AsRef<Path>],
        environment: &[(&str, &str)],
    ) -> Result<Vec<Runs>> {
        let commands: Vec<_> =
            programs.iter().map(|program| vec![program.as_ref().as_os_str().to_owned()]).collect();
        self.launcher.launch(rounds, earlier, &commands, environment)
    }
}
