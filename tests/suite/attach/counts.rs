//! Counts of a process that has a live file of ours.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use support::command::{gmon, text_of};

use super::{SUITE, Target, can_sample, told};

/// The calls of a function, in a table of functions.
fn calls(table: &str, function: &str) -> u64 {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let titles = lines.next().unwrap_or_default();
    let place = |title: &str| titles.iter().position(|it| it.starts_with(title));
    let row = lines.find(|row| place("function").is_some_and(|at| row[at] == function));
    let calls = row.zip(place("calls")).and_then(|(row, at)| row[at].parse().ok());
    calls.unwrap_or_else(|| panic!("no calls of {function}: {table}"))
}

#[test]
fn calls_of_the_time_are_those_of_the_live_file() {
    if !can_sample() {
        return;
    }
    let program = SUITE.build("life.c", "default", &[]);
    let live = program.path("live");
    let mut command = program.command();
    command.arg("work").env("GMON_OPTIONS", format!("stacks,live={}", live.display()));
    let target = Target::of(&mut command);
    // Whatever is counted now is not of the time in which somebody looks.
    sleep(Duration::from_millis(500));
    told(&mut target.run(&program, "--for 1s"));
    let all = program.path("all");
    text_of(gmon().arg("recover").arg(&live).arg("-o").arg(&all));
    target.end();
    let table = |data: &Path| {
        let mut command = gmon();
        command.args(["export", "--format", "csv", "--table", "functions"]);
        text_of(command.arg(&program.executable).arg(data))
    };
    let (during, whole) = (table(&program.path("gmon.out")), table(&all));
    let [outer, middle, inner] = ["outer", "middle", "inner"].map(|name| calls(&during, name));
    // One of them may just have called the next.
    assert!(outer > 0 && outer.abs_diff(middle) <= 1 && middle.abs_diff(inner) <= 1, "{during}");
    assert!(calls(&whole, "outer") > outer + outer / 10, "{during}{whole}");
}
