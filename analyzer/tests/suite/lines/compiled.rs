//! Programs compiled for profiling and run with the C library's runtime.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

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
    compile.args(["-pg", "-o", "exe", &source_name]).args(flags).current_dir(case.folder());
    assert!(compile.status().unwrap().success(), "{compiler} {flags:?}");
    let exe = fs::read(case.path("exe")).unwrap();
    if let Some(exe) = common_ground(&exe) {
        fs::write(case.path("exe"), exe).unwrap();
    }
    case.run_program();
    case
}

/// Runs a tool in the directory of a case.
pub(super) fn tool(case: &Case, name: &str, words: &[&str]) {
    let run = Command::new(name).args(words).current_dir(case.folder()).output().unwrap();
    assert!(run.status.success(), "{name} {words:?}: {run:?}");
}

/// The sources as the compiler names them are below this.
pub(super) fn folder(case: &Case) -> PathBuf {
    case.folder().to_owned()
}
