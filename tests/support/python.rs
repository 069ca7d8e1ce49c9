//! Interpreters of Python on this machine.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::tools;

/// All interpreters that are there: `python3` has to be; other versions by their names, or where pyenv puts them.
pub fn interpreters() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = tools::find("python3").into_iter().collect();
    let folder = PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".pyenv/versions");
    let versions = fs::read_dir(folder).into_iter().flatten().flatten();
    found.extend(versions.map(|version| version.path().join("bin/python3")));
    let path = env::var_os("PATH").unwrap_or_default();
    for minor in 8..=14 {
        let name = format!("python3.{minor}");
        found.extend(env::split_paths(&path).map(|folder| folder.join(&name)));
    }
    // Wrappers that choose a version are not the interpreter.
    let real = |python: &PathBuf| {
        let script = "import sys; print(sys.executable, sys.version_info.minor)";
        let output = Command::new(python).args(["-c", script]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let (path, minor) = text.trim().rsplit_once(' ')?;
        (8..=14).contains(&minor.parse::<u32>().ok()?).then(|| fs::canonicalize(path).ok())?
    };
    let real: BTreeSet<PathBuf> = found.iter().filter_map(real).collect();
    real.into_iter().collect()
}
