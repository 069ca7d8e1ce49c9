//! Programs of real size that compute for about a second: other people's code, which cargo fetches from its registry,
//! built with `-O2` and without any preparation for a profiler.

#![allow(dead_code, reason = "some benchmarks take one of the programs only")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, iter};

use support::sources;

use crate::launcher::{Result, compile, compile_by};

/// A program and what it does.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
}

impl Workload {
    /// The words that start it.
    pub(crate) fn words(&self) -> impl Iterator<Item = &OsStr> {
        iter::once(self.program.as_os_str()).chain(self.arguments.iter().map(OsStr::new))
    }
}

/// How a program is built in a folder; there is none if its sources are out of reach.
type Build = fn(&Path) -> Result<Option<Workload>>;

/// All of them.
pub(crate) const ALL: [(&str, Build); 4] = [
    ("SQLite", |folder| sqlite(folder).map(Some)),
    ("bzip2", bzip2),
    ("Lua", |folder| lua(folder).map(Some)),
    ("brotli", brotli),
];

/// SQLite makes, indexes, joins, sorts and changes rows in memory.
pub(crate) fn sqlite(folder: &Path) -> Result<Workload> {
    let driver = source("tests/suite/conformance/programs/sqlite.c");
    let program = once(&folder.join("sqlite"), |program| {
        compile_sqlite(&[], &[driver.as_os_str()], program)
    })?;
    Ok(Workload { name: "SQLite", program, arguments: vec!["200000".to_owned()] })
}

/// Compiles SQLite and what it is to do with the user's C compiler, which other words start.
pub(crate) fn compile_sqlite(words: &[&str], driver: &[&OsStr], program: &Path) -> Result<()> {
    let sources = sources::folder_of("libsqlite3-sys").join("sqlite3");
    let include = format!("-I{}", sources.display());
    let amalgamation = sources.join("sqlite3.c");
    let inputs = driver.iter().copied().chain([amalgamation.as_os_str(), OsStr::new("-lm")]);
    let flags = ["-g", "-w", "-DSQLITE_OMIT_LOAD_EXTENSION", "-pthread", &include];
    compile_by(words, inputs, &flags, program)
}

/// bzip2 compresses C.
pub(crate) fn bzip2(folder: &Path) -> Result<Option<Workload>> {
    let Some(sources) = bzip2_sources(folder) else { return Ok(None) };
    let driver = sources.join("bzip2.c");
    let program = once(&folder.join("bzip2"), |program| {
        compile_bzip2(&sources, &[driver.as_os_str()], program)
    })?;
    let arguments = ["-k", "-c", &text()].map(str::to_owned).to_vec();
    Ok(Some(Workload { name: "bzip2", program, arguments }))
}

/// The folder with the sources of bzip2, if they are within reach.
pub(crate) fn bzip2_sources(folder: &Path) -> Option<PathBuf> {
    let package = sources::program("bzip2-sys", "0.1.13+1.0.8", &folder.join("sources"))?;
    Some(package.join("bzip2-1.0.8"))
}

/// Compiles bzip2's library and what it is to do with the user's C compiler.
pub(crate) fn compile_bzip2(sources: &Path, driver: &[&OsStr], program: &Path) -> Result<()> {
    let files =
        ["blocksort", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable"];
    let files = files.map(|name| sources.join(format!("{name}.c")));
    let inputs = files.iter().map(|file| file.as_os_str()).chain(driver.iter().copied());
    compile(inputs, &["-g", "-w", &format!("-I{}", sources.display())], program)
}

/// Lua sorts, formats, matches and recurses.
pub(crate) fn lua(folder: &Path) -> Result<Workload> {
    let driver = source("benches/workloads/lua.c");
    let program = once(&folder.join("lua"), |program| compile_lua(&[driver.as_os_str()], program))?;
    let script = source("benches/workloads/work.lua").display().to_string();
    Ok(Workload { name: "Lua", program, arguments: vec![script] })
}

/// Compiles Lua and what it is to do with the user's C compiler.
pub(crate) fn compile_lua(driver: &[&OsStr], program: &Path) -> Result<()> {
    let sources = sources::folder_of("lua-src").join("lua-5.4.9");
    let entries = fs::read_dir(&sources).map_err(|error| error.to_string())?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension() == Some(OsStr::new("c")));
    let inputs = files.iter().map(|file| file.as_os_str()).chain(driver.iter().copied());
    let include = format!("-I{}", sources.display());
    let flags = ["-g", "-w", "-DLUA_USE_POSIX", &include];
    compile(inputs.chain([OsStr::new("-lm")]), &flags, program)
}

/// brotli, which is written in Rust, compresses C.
pub(crate) fn brotli(folder: &Path) -> Result<Option<Workload>> {
    let Some(package) = sources::program("brotli", "8.0.2", &folder.join("sources")) else {
        return Ok(None);
    };
    let program = package.join("target/release/brotli");
    let program = once(&program, |_| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--release", "--bin", "brotli"]).current_dir(&package);
        build.env_remove("RUSTFLAGS").env("CARGO_TARGET_DIR", package.join("target"));
        let status = build.status().map_err(|error| format!("cargo: {error}"))?;
        status.success().then_some(()).ok_or_else(|| format!("{build:?}: {status}"))
    })?;
    let arguments = ["-c", "-q6", &text(), "/dev/null"].map(str::to_owned).to_vec();
    Ok(Some(Workload { name: "brotli (Rust)", program, arguments }))
}

/// Nine megabytes of C.
fn text() -> String {
    sources::folder_of("libsqlite3-sys").join("sqlite3/sqlite3.c").display().to_string()
}

/// A file of this package.
pub(crate) fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Builds a program unless an earlier run of the benchmark did.
fn once(program: &Path, build: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    if !program.exists() {
        eprintln!("building {}", program.display());
        build(program)?;
    }
    Ok(program.to_owned())
}
