//! Programs that a build leads to: cargo calls our runner for each, which notes them in place of running them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A program, and how cargo runs it.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::cargo) struct Program {
    /// The user's own runner of it, in words.
    pub(in crate::cargo) runner: Vec<String>,
    /// The program, with its arguments.
    pub(in crate::cargo) words: Vec<OsString>,
    pub(in crate::cargo) folder: OsString,
    /// Variables that cargo may have set for it.
    pub(in crate::cargo) variables: Vec<(OsString, OsString)>,
}

impl Program {
    /// Returns `true` if it is a file below a folder.
    pub(in crate::cargo) fn is_below(&self, folder: &Path) -> bool {
        self.path().starts_with(folder)
    }

    /// The program's file. Cargo may name it from where the program runs.
    pub(in crate::cargo) fn path(&self) -> PathBuf {
        Path::new(&self.folder).join(&self.words[0])
    }
}

/// Notes a program in a file.
pub(in crate::cargo) fn note(
    file: &OsStr,
    runner: &[String],
    words: &[OsString],
) -> Result<ExitCode> {
    let is_cargos = |(name, _): &(OsString, OsString)| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO") || name == "OUT_DIR" || name == "LD_LIBRARY_PATH"
    };
    let folder = env::current_dir().context("the current folder")?.into();
    let program = Program {
        runner: runner.to_vec(),
        words: words.to_vec(),
        folder,
        variables: env::vars_os().filter(is_cargos).collect(),
    };
    let line = serde_json::to_string(&program).context("cannot note a program")?;
    let shown = || Path::new(file).display().to_string();
    let mut list = OpenOptions::new().create(true).append(true).open(file).with_context(shown)?;
    writeln!(list, "{line}").with_context(shown)?;
    Ok(ExitCode::SUCCESS)
}

/// The programs that were noted in a file; none if there is no such file.
pub(in crate::cargo) fn noted(file: &Path) -> Result<Vec<Program>> {
    let shown = || file.display().to_string();
    let text = match file.exists() {
        true => fs::read_to_string(file).with_context(shown)?,
        false => String::new(),
    };
    text.lines().map(|line| serde_json::from_slice(line.as_bytes()).with_context(shown)).collect()
}
