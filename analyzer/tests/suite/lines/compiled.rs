//! Programs compiled for profiling and run with the C library's runtime.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::run::Case;
use support::common_ground::common_ground;

/// The program of most tests: inlined functions from a header, several regions on one line, a source
/// without a final newline.
pub(super) const PROGRAM: &str = include_str!("programs/program.c");

/// Compiles a program with its headers; the data of a run lies beside it.
pub(super) fn compiled(source: &str, compiler: &str, flags: &[&str]) -> Case {
    let case = Case::new(b"", b"");
    fs::create_dir(case.path("sub")).unwrap();
    case.file("inline.h", include_bytes!("programs/inline.h"));
    case.file("sub/other.h", include_bytes!("programs/other.h"));
    let extension = if compiler.ends_with("++") { "cc" } else { "c" };
    let source_name = format!("program.{extension}");
    case.file(&source_name, source.as_bytes());
    let mut compile = Command::new(compiler);
    compile.args(["-pg", "-o", "exe", &source_name]).args(flags).current_dir(case.dir.path());
    assert!(compile.status().unwrap().success(), "{compiler} {flags:?}");
    let exe = fs::read(case.path("exe")).unwrap();
    if let Some(exe) = common_ground(&exe) {
        fs::write(case.path("exe"), exe).unwrap();
    }
    run_in(&case.path("exe"), case.dir.path());
    case
}

/// Runs a program where its data is to lie. Its file was just written: what other tests start may
/// have been given it open for writing, until it runs a program of its own.
fn run_in(exe: &Path, folder: &Path) {
    let mut program = Command::new(exe);
    program.current_dir(folder).env_remove("GMON_OUT_PREFIX");
    let run = loop {
        match program.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::yield_now(),
            run => break run.unwrap(),
        }
    };
    assert!(run.status.code().is_some(), "{run:?}");
}

/// Runs a tool in the directory of a case.
pub(super) fn tool(case: &Case, name: &str, words: &[&str]) {
    let run = Command::new(name).args(words).current_dir(case.dir.path()).output().unwrap();
    assert!(run.status.success(), "{name} {words:?}: {run:?}");
}

/// The sources as the compiler names them are below this.
pub(super) fn folder(case: &Case) -> PathBuf {
    case.dir.path().to_owned()
}
