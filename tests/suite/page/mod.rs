//! `gmon report --html`: the page in a real browser, and what it holds without one.

mod file;
mod over_time;
mod views;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{
    command::{gmon, output_of, said, text_of},
    program::Program,
    suite::Suite,
    workplace::Workplace,
};

const SUITE: Suite = Suite("page");

/// Builds the program of these tests and runs it with these options.
fn run(options: &str) -> Program {
    let program = SUITE.build("market.c", "default", &["-pthread", "-fno-optimize-sibling-calls"]);
    let output = program.run(&[], &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{output:?}");
    program
}

/// A command that reports on a program.
fn report(program: &Program, arguments: &[&str]) -> Command {
    let mut command = gmon();
    command.arg("report").args(arguments).arg(&program.executable).arg(program.data());
    command
}

/// Writes the page of a program.
fn page(place: &Workplace, program: &Program, arguments: &[&str]) -> PathBuf {
    let path = place.path("page.html");
    let mut command = report(program, arguments);
    command.arg("--html").arg(&path);
    let output = output_of(&mut command);
    assert!(output.status.success(), "{output:?}");
    assert_eq!((output.stdout.len(), said(&output).as_str()), (0, ""), "{output:?}");
    path
}

/// What a page holds of its profile.
pub(crate) fn data(page: &Path) -> Value {
    let text = fs::read_to_string(page).expect("a page");
    let (_, data) = text.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end of the data");
    serde_json::from_str(data).expect("JSON")
}

/// The functions that `gmon report` shows with these options: self time, total time, its error and calls by name.
fn rows_of_report(program: &Program, options: &[&str]) -> Vec<(String, [String; 4])> {
    let text = text_of(report(program, options).args(["--top", "1000"]));
    let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("self ")).skip(1);
    let rows = rows.take_while(|line| line.starts_with(' '));
    // Without those whose names are cut, or go on with whom they worked for.
    let rows = rows.filter(|line| !["...", " (from "].iter().any(|it| line.contains(it)));
    let cells = rows.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Self time, its percentage, total time; times have a point, counts of calls none.
        let calls = words.iter().find(|word| !word.contains('.'))?;
        // What too few samples found has a bound and no error.
        let error = if words[2].starts_with('<') { "" } else { words[3] };
        let cells = [words[0], words[2], error, calls].map(str::to_owned);
        Some(((*words.last()?).to_owned(), cells))
    });
    cells.collect()
}
