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

/// Nobody can look at the clock of a thread or process that has ended.
#[test]
fn cpu_time_of_what_has_ended_is_all_that_it_used() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("ended.c");
    let mut command = program.command();
    let target = Target::of(command.current_dir(program.path("")));
    let work = format!("kill -USR1 {}; until [ -e done ]; do sleep 0.1; done", target.id());
    let mut run = target.run(&program, "-o profile -- sh -c");
    let summary = told(run.arg(work));
    let mut report = gmon();
    report.current_dir(program.path("")).args(["report", "profile", "--threads"]);
    let threads = text_of(&mut report);
    target.end();
    // Threads and the child, of which the list of processes has the whole.
    let first = |line: &str| line.split_whitespace().next().and_then(|it| it.parse::<f64>().ok());
    let times: Vec<f64> = threads.lines().filter_map(first).filter(|time| *time > 0.1).collect();
    let are_whole = times.iter().all(|time| (0.24..0.38).contains(time));
    assert!(times.len() == 5 && are_whole, "{threads}");
    let all = summary.lines().find_map(|line| line.split_once("program: ")?.1.split(' ').next());
    let all: f64 = all.and_then(|all| all.parse().ok()).unwrap_or_else(|| panic!("{summary}"));
    assert!((all - times.iter().sum::<f64>()).abs() < 0.1, "{all}: {threads}");
}
