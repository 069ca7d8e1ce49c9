//! Cost of hooks that sleep in a program in Rust, ripgrep: `cargo bench --bench dormant -- --ripgrep [--check]`.
//!
//! ripgrep is built by cargo, with what `cargo gmon` sets besides hooks, and by `cargo gmon --dormant`. A search works on a text in
//! one thread, in three processes by turns: without hooks, a copy of that program, and with hooks that sleep. Each is the
//! first, the second and the last of a turn equally often. Of each turn the result is the ratio of CPU times; of all turns,
//! the one in the middle. The programs stay where they are built, so that the next time begins at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::launcher::{Earlier, Launcher, Middle, Result};
use super::registry::{self, LARGE};
use super::show;

/// Flags that `cargo gmon` gives rustc for all crates, with hooks or without.
const FLAGS: &str = "-Cstrip=none -Ccodegen-units=1 -Cdebuginfo=line-tables-only \
                     -Csymbol-mangling-version=v0";

/// Folders of the programs, whose names are equally long: the stack of a process begins below its path.
const PROGRAMS: [&str; 3] = ["plain", "again", "sleep"];

/// Amount of work.
struct Size {
    turns: usize,
    /// Bytes of text.
    text: usize,
}

/// Measures and prints; returns how many limits do not hold.
pub(super) fn run(full: bool) -> Result<usize> {
    let size = match full {
        true => Size { turns: 300, text: 4 << 20 },
        false => Size { turns: 3, text: 1 << 16 },
    };
    let Some(source) = LARGE.source() else { return Ok(0) };
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ripgrep");
    let programs = build(&source, &place)?;
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let work = folder.path().join("work");
    let text = registry::text_of(&source, size.text)?;
    fs::write(&work, text).map_err(|error| format!("{}: {error}", work.display()))?;
    let commands = programs.map(|program| LARGE.command(program, &["--no-mmap"], &work));
    let mut ratios = [Vec::new(), Vec::new()];
    for turn in 0..size.turns {
        let mut order = [0, 1, 2];
        if turn % 2 == 0 {
            order.reverse();
        }
        order.rotate_left(turn / 2 % 3);
        let ordered = order.map(|which| commands[which].clone());
        let runs = launcher.launch(1, Earlier::Removed, &ordered, &[])?;
        let mut times = [0.0; 3];
        for (which, runs) in order.into_iter().zip(runs) {
            times[which] = runs.cpu as f64;
        }
        for (copy, ratios) in (1..).zip(&mut ratios) {
            ratios.push(times[copy] / times[0]);
        }
    }
    let [noise, asleep] = ratios.map(Middle::of);
    let Size { turns, text } = size;
    println!(
        "CPU time of rg --no-mmap {} with {text} bytes, {turns} turns, by that without hooks:",
        LARGE.arguments.join(" ")
    );
    Ok(show(&noise, &asleep))
}

/// Builds the programs.
fn build(source: &Path, place: &Path) -> Result<[PathBuf; 3]> {
    let targets = ["built-plain", "built-asleep"].map(|name| place.join(name));
    let words = [
        &[env!("CARGO"), "build"][..],
        &[env!("CARGO_BIN_EXE_cargo-gmon"), "gmon", "build", "--dormant"],
    ];
    let mut built = Vec::new();
    for (target, words) in targets.iter().zip(words) {
        let command = registry::build(words, source, target);
        let mut build = Command::new(&command[0]);
        build.args(&command[1..]).current_dir(source);
        if built.is_empty() {
            build.env("RUSTFLAGS", FLAGS);
        }
        let status = build.status().map_err(|error| format!("{command:?}: {error}"))?;
        if !status.success() {
            return Err(format!("{command:?}: {status}"));
        }
        built.push(registry::find(target, LARGE.binary)?);
    }
    let [plain, asleep] = [&built[0], &built[1]];
    let mut programs = PROGRAMS.map(|name| place.join(name));
    for (folder, from) in programs.iter_mut().zip([plain, plain, asleep]) {
        let to = folder.join(LARGE.binary);
        let copied = fs::create_dir_all(&folder).and_then(|()| fs::copy(from, &to));
        copied.map_err(|error| format!("{}: {error}", to.display()))?;
        *folder = to;
    }
    Ok(programs)
}
