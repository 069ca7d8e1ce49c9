//! Programs of the registry, which benchmarks build and have work on a text.

#![allow(dead_code, reason = "every benchmark compiles this module and uses its own part")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::launcher::Result;
use support::sources;

/// A program of the registry, and what it is to do with a file.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    version: &'static str,
    /// The name that it is called by.
    pub(crate) binary: &'static str,
    pub(crate) arguments: &'static [&'static str],
}

pub(crate) const LARGE: Subject = Subject {
    name: "ripgrep",
    version: "14.1.1",
    binary: "rg",
    arguments: &["-j1", "--only-matching", "--line-number", "--column", r"\w+"],
};

pub(crate) const SMALL: Subject =
    Subject { name: "hexyl", version: "0.16.0", binary: "hexyl", arguments: &[] };

impl Subject {
    /// Its sources, in a folder that stays; none without the registry.
    pub(crate) fn source(&self) -> Option<PathBuf> {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry");
        sources::program(self.name, self.version, &place)
    }

    /// Command line of the program, to work on a file.
    pub(crate) fn command(&self, program: PathBuf, more: &[&str], work: &Path) -> Vec<OsString> {
        let arguments = more.iter().chain(self.arguments).map(OsString::from);
        [program.into()].into_iter().chain(arguments).chain([work.into()]).collect()
    }
}

/// The command that builds a program into a target folder; `words` are cargo, or what stands for it.
pub(crate) fn build(words: &[&str], source: &Path, target: &Path) -> Vec<OsString> {
    let options = ["--quiet", "--locked", "--release", "--manifest-path"];
    let command = words.iter().chain(&options).map(OsString::from);
    let places = [source.join("Cargo.toml").into(), "--target-dir".into(), target.into()];
    command.chain(places).collect()
}

/// Text of a length: the sources of the program, again and again.
pub(crate) fn text_of(source: &Path, length: usize) -> Result<Vec<u8>> {
    let mut once = Vec::new();
    for path in files(source)? {
        if path.extension().is_some_and(|suffix| suffix == "rs") {
            once.extend(fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
        }
    }
    Ok(once.into_iter().cycle().take(length).collect())
}

/// The program below a target folder that was built last, wherever cargo has put it.
pub(crate) fn find(target: &Path, binary: &str) -> Result<PathBuf> {
    let is_it = |path: &PathBuf| path.ends_with(Path::new("release").join(binary));
    let built_at = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
    let found = files(target)?.into_iter().filter(is_it).max_by_key(built_at);
    found.ok_or_else(|| format!("no {binary} in {}", target.display()))
}

/// All files below a folder but those that cargo has built for others, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if !path.is_dir() {
            all.push(path);
        } else if !["target", "deps", "build"].iter().any(|name| path.ends_with(name)) {
            all.extend(files(&path)?);
        }
    }
    all.sort();
    Ok(all)
}
