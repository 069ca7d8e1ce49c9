//! The table of differences in `docs/gprof.md`: every row names a test, and the test is there.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let files = paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|it| it == "rs")).collect()
}

#[test]
fn every_difference_from_gnu_gprof_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/gprof.md")).expect("docs/gprof.md");
    let (_, table) = page.split_once("## Differences").expect("a chapter on differences");
    let folders = ["analyzer/tests", "analyzer/src", "tests"].map(|name| root.join(name));
    let texts: Vec<String> = folders
        .iter()
        .flat_map(|folder| sources(folder))
        .map(|path| fs::read_to_string(path).expect("a source file"))
        .collect();
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| |");
    let rows: Vec<&str> = table.lines().filter(is_row).collect();
    assert!(rows.len() > 15, "only {} rows", rows.len());
    for row in rows {
        let tests = row.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
        for test in tests.split(", ") {
            let definition = format!("#[test]\nfn {}()", test.trim_matches('`'));
            assert!(texts.iter().any(|text| text.contains(&definition)), "no {test} for:\n{row}");
        }
    }
}
