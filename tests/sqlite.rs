//! A program of real size: SQLite, built through `gmon cc`, under a workload. Both analyzers must
//! print the same bytes, and the counts must be those of callgrind.

mod support;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use support::{
    callgrind,
    command::{first_difference, gmon, gmon_gprof, gnu_gprof, quiet, text_of},
    compilers::GCC,
    report::Report,
    sqlite,
};
use tempfile::TempDir;

/// The workload, compiled once for all tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let workload =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/sqlite_workload.c");
        let sources = sqlite::source_folder();
        let object = |name: &str, source: &Path| {
            let object = folder.join(name);
            let mut compile = gmon();
            compile.args(["cc", GCC.c, "-O2", "-g", "-c", "-I"]).arg(&sources).arg(source);
            text_of(compile.arg("-o").arg(&object));
            object
        };
        let objects =
            [object("workload.o", &workload), object("sqlite3.o", &sources.join("sqlite3.c"))];
        let program = folder.join("sqlite_workload");
        let mut link = gmon();
        link.args(["cc", GCC.c, "-O2", "-g"]).args(objects).arg("-lm").arg("-o").arg(&program);
        text_of(&mut link);
        program
    })
}

/// Runs the workload and gives the folder with its data file.
fn run(rows: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printed = text_of(quiet(program()).arg(rows).current_dir(&folder));
    assert!(printed.starts_with(&format!("{rows}|")), "not the workload's output:\n{printed}");
    folder
}

#[test]
fn report_of_200_000_rows_is_the_one_of_gnu_gprof() {
    let folder = run("200000");
    let data = folder.path().join("gmon.out");
    let ours = gmon_gprof(program(), &data);
    let report = Report::parse(&ours);
    assert!(report.entries.len() > 400, "only {} functions", report.entries.len());
    assert_eq!(report.entry("print_row").map(|entry| entry.calls), Some(12));
    let Some(gnu) = gnu_gprof(program(), &data) else { return };
    if let Some(difference) = first_difference(&ours, &gnu) {
        panic!("gmon gprof and GNU gprof differ in {difference}");
    }
}

#[test]
fn counts_are_those_of_callgrind() {
    let rows = "20000";
    let Some(expected) = callgrind::calls(program(), &[rows]) else { return };
    let folder = run(rows);
    let data = folder.path().join("gmon.out");
    let ambiguous = functions_before_unnamed_ones();
    let readers = [
        ("gmon gprof", Some(gmon_gprof(program(), &data))),
        ("GNU gprof", gnu_gprof(program(), &data)),
    ];
    for (reader, text) in readers.into_iter().filter_map(|(reader, text)| Some((reader, text?))) {
        let report = Report::parse(&text);
        let mut compared: Vec<u64> = Vec::new();
        for entry in report.entries.iter().filter(|entry| !ambiguous.contains(&entry.name)) {
            let calls = entry.calls + entry.self_calls;
            let callgrind = expected.get(&entry.name).copied().unwrap_or(0);
            assert_eq!(calls, callgrind, "calls of {} according to {reader}", entry.name);
            compared.push(calls);
        }
        compared.sort_unstable();
        let tenth = compared.iter().rev().nth(9).copied().unwrap_or(0);
        assert!(compared.len() > 300 && tenth > 20_000, "{reader}: too little was compared");
    }
}

/// Functions that stand before a local one whose name has a dot. GNU gprof leaves most of those
/// out (`f.part.0`, `f.cold`) and charges their calls to the function before.
fn functions_before_unnamed_ones() -> BTreeSet<String> {
    let symbols = text_of(quiet("nm").arg("-n").arg(program()));
    let mut functions = BTreeSet::new();
    let mut before = "";
    for symbol in symbols.lines() {
        let mut fields = symbol.split_whitespace().skip(1);
        let (Some(kind), Some(name)) = (fields.next(), fields.next()) else { continue };
        match kind {
            "t" if name.contains('.') => {
                functions.extend([before.to_owned(), name.to_owned()]);
            }
            "t" | "T" => before = name,
            _ => {}
        }
    }
    functions
}
