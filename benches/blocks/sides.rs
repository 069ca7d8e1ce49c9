//! What is compared, and the programs: the same C objects, compiled with other counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_format::{Encoding, Record, Records};

use crate::Result;

/// One way to count, or not to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) name: &'static str,
    compiler: &'static str,
    flags: &'static str,
}

const fn side(name: &'static str, compiler: &'static str, flags: &'static str) -> Side {
    Side { name, compiler, flags }
}

pub(crate) const SIDES: [Side; 6] = [
    side("gcc", "gcc", ""),
    side("gcc's counts", "gcc", "-fprofile-arcs"),
    Side::ATOMIC,
    side("gmon, gcc", "gcc", "-fsanitize-coverage=trace-pc"),
    side("clang", "clang", ""),
    side("gmon, clang", "clang", "-fsanitize-coverage=trace-pc-guard,pc-table,no-prune"),
];

impl Side {
    pub(crate) const ATOMIC: Self =
        side("gcc's atomic", "gcc", "-fprofile-arcs -fprofile-update=atomic");

    /// Where it is in a list of all sides.
    pub(crate) fn place(&self) -> usize {
        SIDES.iter().position(|side| side == self).expect("one of the sides")
    }

    /// Whether our runtime counts.
    pub(crate) fn is_ours(&self) -> bool {
        self.flags.contains("sanitize")
    }

    /// The side of this compiler without counts.
    pub(crate) fn without_counts(&self) -> &'static Self {
        let mut sides = SIDES.iter().filter(|side| side.compiler == self.compiler);
        sides.find(|side| side.flags.is_empty()).expect("a side without counts for each compiler")
    }
}

/// What one run of a program measured of one round.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) nanoseconds: f64,
    /// The counts that it made, if it made any.
    pub(crate) hits: f64,
}

impl Run {
    pub(crate) const NONE: Self = Self { nanoseconds: f64::INFINITY, hits: 0.0 };
}

/// The programs of all sides whose compiler is installed.
pub(crate) struct Programs {
    folder: PathBuf,
    sides: Vec<Side>,
}

impl Programs {
    /// Compiles and links in an empty folder.
    pub(crate) fn build(folder: &Path) -> Result<Self> {
        let mut config = Command::new(env!("CARGO_BIN_EXE_gmon"));
        let archive = output_of(config.args(["config", "--static-lib"]))?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
        let has = |compiler| Command::new(compiler).arg("--version").output().is_ok();
        let sides: Vec<Side> = SIDES.into_iter().filter(|side| has(side.compiler)).collect();
        for side in &sides {
            let object = folder.join(format!("{}.o", side.place()));
            let mut compile = Command::new(side.compiler);
            compile.args(["-O2", "-c"]).args(side.flags.split_whitespace()).current_dir(folder);
            compile.arg(sources.join("blocks/c/shapes.c")).arg("-o").arg(&object);
            output_of(&mut compile)?;
            let mut link = Command::new(side.compiler);
            link.args(["-O2", "-pthread"]).arg("-I").arg(sources.join("hook/c"));
            link.arg(sources.join("blocks/c/timing.c")).arg(&object);
            link.arg("-o").arg(folder.join(side.place().to_string()));
            if side.is_ours() {
                link.arg(archive.trim_end());
            } else if !side.flags.is_empty() {
                link.arg("-lgcov");
            }
            output_of(&mut link)?;
        }
        Ok(Self { folder: folder.to_owned(), sides })
    }

    pub(crate) fn sides(&self) -> impl Iterator<Item = &Side> {
        self.sides.iter()
    }

    /// Runs the program of one side to its end.
    pub(crate) fn run(&self, side: &Side, arguments: [&str; 3]) -> Result<Run> {
        let mut command = Command::new(self.folder.join(side.place().to_string()));
        command.args(arguments).current_dir(&self.folder);
        command.env_remove("GMON_OUT_PREFIX").env_remove("LD_PRELOAD");
        // Only the counts are measured.
        command.env("GMON_OPTIONS", "sampler=none");
        let numbers = output_of(&mut command)?;
        let (nanoseconds, rounds) = numbers
            .trim()
            .split_once(' ')
            .and_then(|(time, rounds)| Some((time.parse().ok()?, rounds.parse::<f64>().ok()?)))
            .ok_or_else(|| format!("{command:?} printed {numbers:?}, not two numbers"))?;
        let hits = match side {
            _ if side.flags.is_empty() => 0,
            _ if side.is_ours() => executions(&self.folder.join("gmon.out"))?,
            _ => gcc_counts(&self.folder.join(format!("{}.gcda", side.place())))?,
        };
        Ok(Run { nanoseconds, hits: hits as f64 / rounds })
    }
}

/// The sum of gcc's counts.
fn gcc_counts(file: &Path) -> Result<u64> {
    // FILE:       FIRST: COUNT COUNT...
    let text = output_of(Command::new("gcov-dump").arg("-l").arg(file))?;
    let rows = text.lines().filter_map(|line| line.rsplit_once(": "));
    let rows = rows.filter(|(_, counts)| !counts.contains(':'));
    let counts = rows.flat_map(|(_, counts)| counts.split_whitespace());
    let sum = counts.filter_map(|count| count.parse::<u64>().ok()).sum();
    // Or the next run would add to it.
    fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(sum)
}

/// The sum of the counts of all blocks in a data file.
fn executions(profile: &Path) -> Result<u64> {
    let failure = |error: &dyn std::fmt::Display| format!("{}: {error}", profile.display());
    let bytes = fs::read(profile).map_err(|error| failure(&error))?;
    let records = Records::new(&bytes, Encoding::NATIVE).map_err(|error| failure(&error))?;
    let mut executions = 0;
    for record in records {
        if let Record::Blocks(blocks) = record.map_err(|error| failure(&error))? {
            executions += blocks.iter().map(|block| block.count).sum::<u64>();
        }
    }
    // What an earlier run left must not pass for the next one's.
    fs::remove_file(profile).map_err(|error| failure(&error))?;
    Ok(executions)
}

/// Runs a command that must succeed and returns what it printed.
fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{stderr}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{command:?}: output is not UTF-8"))
}
