//! What each format of `gmon export` costs, and sums of many files: `cargo bench --bench export [-- --check]`.
//!
//! The inputs are SQLite without stacks and with them, an exported profile of a million different frames in
//! stacks, 1,000 profiles of SQLite as rows, which `gmon merge` adds up and, where their modules for Python are
//! installed, DuckDB and Spark, to the same sums of calls, and the data files of 1,024 ranks. Shown are the fastest run and the largest
//! memory, process start and reading of the program included. With `--check` a limit that does not hold fails the run.
//! Without `--bench`, which cargo passes when benchmarking, everything runs once and small, to show that it still works.

#[path = "../launcher/mod.rs"]
mod launcher;
#[path = "../made/mod.rs"]
mod made;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use gmon_analyzer::export::Compressed;
use launcher::{Earlier, Launcher, Result, Runs};
use support::{sources, tools};

/// Formats, and whether they need stacks.
const FORMATS: [(&str, bool); 10] = [
    ("pprof", false),
    ("callgrind", false),
    ("folded", true),
    ("speedscope", true),
    ("json", false),
    ("jsonl", false),
    ("csv", false),
    ("tsv", false),
    ("markdown", false),
    ("dot", false),
];

/// A profile to export.
struct Input {
    name: &'static str,
    files: Vec<&'static str>,
    has_stacks: bool,
    /// Milliseconds and megabytes that no format may exceed.
    most: (f64, u64),
}

fn main() -> ExitCode {
    launcher::bench("export", run)
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let program = if full { build_sqlite(folder.path())? } else { build_small(folder.path())? };
    // At 10,000 Hz, so that there are many stacks where the system can.
    for (data, options) in [("counted", "hz=10000"), ("sampled", "stacks,hz=10000")] {
        profile(&program, &folder.path().join(data), options)?;
    }
    let made = folder.path().join("made.json");
    let nodes = if full { 1_000_000 } else { 1000 };
    let stacks = made::stacks(&mut fastrand::Rng::with_seed(7), 0, nodes);
    fs::write(made, made::profile(1, &stacks, "")).map_err(|error| error.to_string())?;
    let inputs = [
        Input {
            name: "SQLite",
            files: vec!["program", "counted/gmon.out"],
            has_stacks: false,
            most: (100.0, 50),
        },
        Input {
            name: "SQLite with stacks",
            files: vec!["program", "sampled/gmon.out"],
            has_stacks: true,
            most: (100.0, 50),
        },
        Input {
            name: "1,000,000 frames, of JSON",
            files: vec!["made.json"],
            has_stacks: true,
            most: (2000.0, 2048),
        },
    ];
    println!("{:44} {:>9} {:>9}", "", "ms", "memory");
    let mut over = 0;
    for input in &inputs {
        let formats = FORMATS.iter().filter(|(_, needs_stacks)| input.has_stacks || !needs_stacks);
        for (format, _) in formats {
            let words = [env!("CARGO_BIN_EXE_gmon"), "export", "--format", format, "-o", "out"];
            let words = words.into_iter().chain(input.files.iter().copied());
            let command: Vec<OsString> = words.map(OsString::from).collect();
            let rounds = if full { 5 } else { 1 };
            let runs = launcher.launch(rounds, Earlier::Removed, &[command], &[])?;
            over +=
                usize::from(full && !show(&format!("{}, {format}", input.name), input, &runs[0]));
        }
    }
    let python = python_with("duckdb");
    let has_spark = python.is_some() && python_with("duckdb, pyspark").is_some();
    for input in &inputs[..2] {
        let number = if full { 1000 } else { 3 };
        let fleet = folder.path().join(format!("fleet-{}", input.has_stacks));
        make_fleet(folder.path(), &input.files, &fleet.join("data"), number)?;
        let words = [env!("CARGO_BIN_EXE_gmon"), "merge", "-o", "sum.json"].map(OsString::from);
        let merge: Vec<OsString> = words.into_iter().chain([fleet.clone().into()]).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let add_up = |python: &PathBuf, program: &str| {
            let [script, program] =
                ["benches/export/fleet.py", program].map(|path| root.join(path).into());
            vec![python.into(), script, program, fleet.clone().into(), "sum.json".into()]
        };
        let mut commands = vec![("gmon merge", merge)];
        commands.extend(python.iter().map(|it| ("DuckDB", add_up(it, "examples/fleet/arcs.sql"))));
        let spark = python.iter().filter(|_| has_spark);
        commands.extend(spark.map(|it| ("Spark", add_up(it, "examples/fleet/arcs.py"))));
        // One after another: the sums of the others are compared with those of gmon.
        for (name, command) in commands {
            let rounds = if full { 2 } else { 1 };
            let runs = launcher.launch(rounds, Earlier::Removed, &[command], &[])?;
            let most = if name == "gmon merge" { (30_000.0, 100) } else { (120_000.0, 4096) };
            let input = Input { most, files: Vec::new(), ..*input };
            let name = format!("{} x {number}, {name}", input.name);
            over += usize::from(full && !show(&name, &input, &runs[0]));
        }
    }
    for (name, file) in [("ranks", "counted/gmon.out"), ("ranks, stacks", "sampled/gmon.out.full")]
    {
        let number = if full { 1024 } else { 4 };
        let (ranks, megabytes) = make_ranks(folder.path(), file, number)?;
        let words = [env!("CARGO_BIN_EXE_gmon"), "merge", "-o", "sum"].map(OsString::from);
        let command = words.into_iter().chain(ranks).collect();
        let rounds = if full { 5 } else { 1 };
        let runs = launcher.launch(rounds, Earlier::Removed, &[command], &[])?;
        // A second for 100 MB.
        let most = ((10.0 * megabytes).ceil(), 100);
        let input = Input { name, files: Vec::new(), has_stacks: false, most };
        let name = format!("{number} {name}, {megabytes:.0} MB, gmon merge");
        over += usize::from(full && !show(&name, &input, &runs[0]));
    }
    Ok(over)
}

/// Copies of a data file for so many ranks: their names, and their megabytes in all.
fn make_ranks(folder: &Path, file: &str, number: u32) -> Result<(Vec<OsString>, f64)> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let bytes = read(&folder.join(file))?;
    let name = |rank| OsString::from(format!("{file}.{rank}"));
    let write = |rank| fs::write(folder.join(name(rank)), &bytes);
    (0..number).try_for_each(write).map_err(|error| error.to_string())?;
    Ok(((0..number).map(name).collect(), f64::from(number) * bytes.len() as f64 / 1e6))
}

/// Python that has these modules, beside the tools that read exports or else the user's.
fn python_with(modules: &str) -> Option<PathBuf> {
    let beside = tools::find("check-jsonschema").map(|tool| tool.with_file_name("python3"));
    let has_them = |python: &PathBuf| {
        let import = format!("import {modules}");
        let known = Command::new(python).args(["-c", &import]).stderr(Stdio::null()).status();
        known.is_ok_and(|status| status.success())
    };
    let found = beside.into_iter().chain(["python3".into()]).find(has_them);
    if found.is_none() {
        eprintln!("SKIPPED: no {modules} for Python");
    }
    found
}

/// Profiles of so many processes, as rows.
fn make_fleet(folder: &Path, files: &[&str], fleet: &Path, number: u32) -> Result<()> {
    let mut export = Command::new(env!("CARGO_BIN_EXE_gmon"));
    export.args(["export", "-o", "rows.jsonl"]).args(files);
    done(export.current_dir(folder))?;
    let rows = fs::read_to_string(folder.join("rows.jsonl")).map_err(|error| error.to_string())?;
    let (run, others) = rows.split_once('\n').ok_or("no rows")?;
    let (before, pid) = run.split_once("\"pid\":").ok_or("a run without a process")?;
    let (_, after) = pid.split_once(',').ok_or("a process without an end")?;
    fs::create_dir_all(fleet).map_err(|error| error.to_string())?;
    for process in 1..=number {
        let write = || {
            let mut out =
                Compressed::new(fs::File::create(fleet.join(format!("{process}.jsonl.gz")))?);
            write!(out, "{before}\"pid\":{process},{after}\n{others}")?;
            out.finish()
        };
        write().map_err(|error: io::Error| error.to_string())?;
    }
    Ok(())
}

/// Prints what runs took; returns whether the limits hold.
fn show(name: &str, input: &Input, runs: &Runs) -> bool {
    let (milliseconds, megabytes) = (runs.fastest as f64 / 1e6, runs.memory / 1024);
    let (most, most_memory) = input.most;
    let holds = milliseconds <= most && megabytes <= most_memory;
    let limit = if holds { String::new() } else { format!("  beyond {most} ms, {most_memory} MB") };
    println!("{name:44} {milliseconds:9.1} {megabytes:6} MB{limit}");
    holds
}

fn build_sqlite(folder: &Path) -> Result<PathBuf> {
    let sources = sources::folder_of("libsqlite3-sys").join("sqlite3");
    let driver = "tests/suite/conformance/programs/sqlite.c";
    let include = format!("-I{}", sources.display());
    let amalgamation = sources.join("sqlite3.c").display().to_string();
    let options =
        ["-O2", "-DSQLITE_OMIT_LOAD_EXTENSION", "-pthread", &include, &amalgamation, "-lm"];
    build(folder, driver, &options)
}

fn build_small(folder: &Path) -> Result<PathBuf> {
    build(folder, "tests/suite/report/dear.c", &["-O2"])
}

fn build(folder: &Path, source: &str, options: &[&str]) -> Result<PathBuf> {
    let program = folder.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let mut compile = Command::new(env!("CARGO_BIN_EXE_gmon"));
    compile.args(["cc", "cc", "-g"]).arg(source).args(options).arg("-o").arg(&program);
    done(compile.current_dir(folder))?;
    Ok(program)
}

/// Runs a program in a folder of its own.
fn profile(program: &Path, folder: &Path, options: &str) -> Result<()> {
    fs::create_dir(folder).map_err(|error| error.to_string())?;
    let mut run = Command::new(program);
    // Rows of SQLite's tables: half a second, so that samples are taken where timers are slow, too.
    run.arg("100000").current_dir(folder).env("GMON_OPTIONS", options).stdout(Stdio::null());
    done(&mut run)
}

fn done(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
