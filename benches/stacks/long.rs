//! A minute of work of large programs that nobody prepared, gcc's compiler and Python, alone and sampled with stacks 1,000
//! times a second.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use support::sources;

use crate::launcher::{Earlier, Launcher, Result, Runs};
use crate::walks::Walks;

/// How often each side runs.
const ROUNDS: u32 = 2;

/// CPU time that a run of Python is to take, in seconds.
const LONG: f64 = 60.0;

/// Builds and searches lists, dictionaries and text, so many times.
const PYTHON: &str = "
import json, re, sys
def work(n):
    rows = [{str(i): [i * .5] * 5} for i in range(n)]
    text = json.dumps(rows)
    return len(re.findall('[0-9]+7', text)) + len(sorted(json.loads(text), key=str))
for _ in range(int(sys.argv[1])):
    work(20000)
";

/// Measures and prints.
pub(super) fn run(launcher: &Launcher<'_>, library: &Path) -> Result<()> {
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let python = |times: u32| words(&["python3", "-c", PYTHON, &times.to_string()]);
    let short = launch(launcher, 1, &[python(10)])?;
    let seconds = short.first().map_or(LONG, |runs| runs.cpu as f64 / 1e9);
    compare(launcher, library, "python3", &python((10.0 * LONG / seconds).ceil() as u32))?;

    let source = launcher.folder().join("sqlite.i");
    let amalgamation = sources::folder_of("libsqlite3-sys").join("sqlite3/sqlite3.c");
    let mut preprocess = Command::new("gcc");
    preprocess.args(["-E", "-o"]).arg(&source).arg(amalgamation);
    let status = preprocess.status().map_err(|error| format!("gcc: {error}"))?;
    let compiler = Command::new("gcc").arg("-print-prog-name=cc1").output();
    let compiler = compiler.map_err(|error| format!("gcc: {error}"))?.stdout;
    if !status.success() {
        return Err(format!("{preprocess:?}: {status}"));
    }
    let mut cc1 = words(&[String::from_utf8_lossy(&compiler).trim()]);
    cc1.extend(words(&["-quiet", "-fpreprocessed", "-O3", "-g", "-o", "/dev/null"]));
    cc1.push(source.into());
    compare(launcher, library, "cc1 -O3 -g, SQLite", &cc1)
}

/// Runs a command alone and sampled, by turns.
fn compare(
    launcher: &Launcher<'_>,
    library: &Path,
    name: &str,
    command: &[OsString],
) -> Result<()> {
    let data = launcher.folder().join("long.out");
    let options = format!("GMON_OPTIONS=stacks,hz=1000,out={}", data.display());
    let preload = format!("LD_PRELOAD={}", library.display());
    let mut sampled: Vec<OsString> = ["env".to_owned(), preload, options].map(Into::into).into();
    sampled.extend_from_slice(command);
    let runs = launch(launcher, ROUNDS, &[command.to_vec(), sampled])?;
    let [alone, with] = &runs[..] else { return Err("two sides were started".to_owned()) };
    let walks = Walks::read(&data.with_extension("out.full"))?;
    println!(
        "{name}: {:.1} s of CPU time and {} MB alone, {:.1} s ({:+.1} %) and {} MB with stacks",
        alone.cpu as f64 / 1e9,
        alone.memory / 1024,
        with.cpu as f64 / 1e9,
        100.0 * (with.cpu as f64 / alone.cpu as f64 - 1.0),
        with.memory / 1024
    );
    println!("{name}: {walks}");
    fs::remove_file(&data).map_err(|error| format!("{}: {error}", data.display()))
}

fn launch(launcher: &Launcher<'_>, rounds: u32, commands: &[Vec<OsString>]) -> Result<Vec<Runs>> {
    launcher.launch(rounds, Earlier::Removed, commands, &[])
}
