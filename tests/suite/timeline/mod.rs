//! The times of samples: any interval of a run as a profile, whose parts add up to all of it.

mod exported;
mod fortran;
mod kernel;
mod marked;
mod ring;
mod states;

use std::path::PathBuf;

use support::{
    command::{gmon, output_of, said, text_of},
    program::Program,
    stacks::FullProfile,
    suite::{Suite, printed},
    workplace::Workplace,
};

const SUITE: Suite = Suite("timeline");

/// Samples as often as is usual with stacks.
const OPTIONS: &str = "record,hz=1000";

/// The program, which was run with these arguments, and what it printed.
fn run(arguments: &[&str], options: &str) -> (Program, String) {
    let program =
        SUITE.build("phases.c", "default", &["-fno-optimize-sibling-calls", "-fno-inline"]);
    program.clear();
    let output = program.run(arguments, &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output), "");
    let text = String::from_utf8(output.stdout).expect("text");
    (program, text)
}

/// When the profile of a run began, in nanoseconds of the clock by which the program tells its times.
fn origin(program: &Program) -> i64 {
    FullProfile::read(&program.path("gmon.out.full")).facts["origin"].parse().expect("a number")
}

/// The start and the end of a phase, in microseconds since the profile began.
fn phase(text: &str, name: &str, origin: i64) -> [i64; 2] {
    [name, &format!("{name}_end")].map(|name| {
        let time: i64 = printed(text, name).parse().expect("a number");
        (time - origin) / 1000
    })
}

/// The samples of the functions in an interval, by their names, and all together.
fn samples(program: &Program, data: &[&str], options: &[&str]) -> (Vec<(String, u64)>, u64) {
    let mut command = gmon();
    command.args(["export", "--format", "json"]).args(options).arg(&program.executable);
    let files: Vec<PathBuf> = data.iter().map(|name| program.path(name)).collect();
    let json = text_of(command.args(files));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    (by_name(&json), json["sampling"]["samples"].as_u64().expect("a sum"))
}

/// The samples of the functions of an exported profile, with all that they called. Two modules can have a function of one name,
/// as the C library and the kernel's `vdso` do.
fn by_name(profile: &serde_json::Value) -> Vec<(String, u64)> {
    let period = profile["sampling"]["period_ns"].as_u64().expect("a period");
    let mut functions: Vec<(String, u64)> = Vec::new();
    for function in profile["functions"].as_array().expect("functions") {
        let total = function["total_ns"].as_u64().expect("a time") / period;
        let name = function["name"].as_str().expect("a name");
        match functions.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += total,
            None => functions.push((name.to_owned(), total)),
        }
    }
    functions
}

/// Adds data files, and the full profiles beside them, to `sum`.
fn merge(program: &Program, data: &[&str]) {
    let mut merge = gmon();
    merge.arg("merge").arg("-o").arg(program.path("sum"));
    let files = data.iter().flat_map(|name| [(*name).to_owned(), format!("{name}.full")]);
    text_of(merge.args(files.map(|name| program.path(&name))));
}

fn of(samples: &[(String, u64)], function: &str) -> u64 {
    samples.iter().find(|(name, _)| name == function).map_or(0, |(_, total)| *total)
}

/// Work of the profiler itself, which is on no stack.
const HOOKS: &str = "[profiling hooks]";

const PHASES: [&str; 3] = ["load", "compute", "finish"];

/// Each phase is all of the time between its borders, up to a few periods.
#[test]
fn intervals_are_what_the_program_did_then() {
    /// The clocks of the system look at threads every 4 ms where there is nothing better.
    const MARGIN: i64 = 15_000;
    let (program, text) = run(&[], OPTIONS);
    let origin = origin(&program);
    let mut all = 0;
    for name in PHASES {
        let [start, end] = phase(&text, name, origin);
        let (from, to) =
            (format!("{}us", start + MARGIN), format!("{}us", (end - MARGIN).max(start + MARGIN)));
        let (functions, sum) = samples(&program, &["gmon.out"], &["--from", &from, "--to", &to]);
        assert!(sum > 5, "{sum} samples from {from} to {to}");
        assert_eq!(of(&functions, name) + of(&functions, HOOKS), sum, "{functions:?}");
        let of_phases: u64 = PHASES.iter().map(|name| of(&functions, name)).sum();
        assert_eq!(of_phases, of(&functions, name));
        all += sum;
    }
    let (_, total) = samples(&program, &["gmon.out"], &[]);
    assert!(all <= total && all * 10 >= total * 7, "{all} of {total}");
}

/// Intervals that follow each other have all samples, and each sample once, whatever their borders are.
#[test]
fn parts_add_up_to_the_whole() {
    for options in [OPTIONS, "record,hz=1000,sampler=wall", "record,hz=97", "record=60s,hz=10000"] {
        let (program, _) = run(&["100"], options);
        let (all, total) = samples(&program, &["gmon.out"], &[]);
        for borders in [&[150_000][..], &[90_000, 91_000, 200_000, 5_000_000]] {
            let borders: Vec<String> = borders.iter().map(|us| format!("{us}us")).collect();
            let starts = std::iter::once(None).chain(borders.iter().map(Some));
            let ends = borders.iter().map(Some).chain([None]);
            let (mut sum, mut by_name) = (0, all.clone());
            for (start, end) in starts.zip(ends) {
                let from = start.iter().flat_map(|time| ["--from", time]);
                let to = end.iter().flat_map(|time| ["--to", time]);
                let options: Vec<&str> = from.chain(to).collect();
                let mut command = gmon();
                command.arg("report").args(&options).arg(&program.executable);
                let output = output_of(command.arg(program.path("gmon.out")));
                if !output.status.success() {
                    assert!(said(&output).contains("no sample was taken in"), "{output:?}");
                    continue;
                }
                let (functions, part) = samples(&program, &["gmon.out"], &options);
                sum += part;
                for (name, rest) in &mut by_name {
                    *rest -= of(&functions, name);
                }
            }
            assert_eq!(sum, total, "{options} at {borders:?}");
            assert!(by_name.iter().all(|(_, rest)| *rest == 0), "{by_name:?}");
        }
    }
}

/// The processes of a run have one clock: a phase of the child lies between two of its parent.
#[test]
fn children_are_on_the_clock_of_their_parent() {
    const MARGIN: i64 = 15_000;
    let (program, text) = run(&["300", "fork"], OPTIONS);
    let child = format!("gmon.out.{}", printed(&text, "child"));
    let origin = origin(&program);
    merge(&program, &["gmon.out", &child]);
    for data in [&["gmon.out", &child][..], &["sum"]] {
        let (_, total) = samples(&program, data, &[]);
        for name in PHASES {
            let [start, end] = phase(&text, name, origin);
            let (from, to) = (format!("{}us", start + MARGIN), format!("{}us", end - MARGIN));
            let (functions, sum) = samples(&program, data, &["--from", &from, "--to", &to]);
            let its = of(&functions, name) + of(&functions, HOOKS);
            assert!(sum > 5 && its == sum, "{name}: {functions:?}");
        }
        let (_, first) = samples(&program, data, &["--to", "400ms"]);
        let (_, second) = samples(&program, data, &["--from", "400ms"]);
        assert_eq!(first + second, total, "{data:?}");
    }
}

/// Times of two runs have nothing in common, and a profile without times has no intervals.
/// Two programs that follow each other: what one did is not in the other's time.
#[test]
fn programs_of_one_run_have_one_clock() {
    let place = Workplace::new();
    place.write(
        "one.c",
        "#include <time.h>\nvolatile int sink;\n\
         int main(void) { while (clock() < CLOCKS_PER_SEC / 2) sink++; return 0; }\n",
    );
    for command in ["cc gcc -O1 one.c -o one", "cc gcc -O1 one.c -o two"] {
        text_of(&mut place.gmon(command));
    }
    let mut run = place.gmon("run -d folder --report /dev/null sh -c");
    assert!(output_of(run.arg("./one; ./two")).status.success());
    let shown = |options: &str| {
        let output = output_of(&mut place.gmon(&format!("report folder {options}")));
        let text = String::from_utf8_lossy(&output.stdout);
        let heads = text.lines().filter_map(|line| line.split_once(": "));
        let heads: Vec<String> = heads.map(|(head, _)| head.to_owned()).collect();
        let has = |name: &str| heads.iter().any(|head| head.ends_with(name));
        ([has("one"), has("two")], output.status.code(), said(&output))
    };
    // Half a second of the processor takes half a second or more.
    let (both, code, said) = shown("--to 300ms");
    assert_eq!((both, code), ([true, false], Some(0)), "{said}");
    assert!(said.contains("no sample was taken in the start to 0.3 s; the first came"), "{said}");
    let (both, code, said) = shown("--to 300ms --child two");
    assert_eq!((both, code), ([false, false], Some(1)), "{said}");
    assert_eq!(shown("--from 0s"), ([true, true], Some(0), String::new()));
}

#[test]
fn intervals_that_cannot_be_are_refused() {
    let refusal = |program: &Program, data: &[&str], options: &[&str]| {
        let mut command = gmon();
        command.arg("report").args(options).arg(&program.executable);
        let output = output_of(command.args(data.iter().map(|name| program.path(name))));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        said(&output)
    };
    let (program, _) = run(&["50"], OPTIONS);
    for (name, copy) in [("gmon.out", "first"), ("gmon.out.full", "first.full")] {
        std::fs::rename(program.path(name), program.path(copy)).expect("a file");
    }
    let output = program.run(&["50"], &[("GMON_OPTIONS", OPTIONS)]);
    assert!(output.status.success(), "{output:?}");
    let text = refusal(&program, &["first", "gmon.out"], &["--last", "1s"]);
    assert!(text.contains("these profiles are of several, whose clocks"), "{text}");
    merge(&program, &["first", "gmon.out"]);
    let text = refusal(&program, &["sum"], &["--from", "0"]);
    assert!(text.contains("--from needs one run"), "{text}");

    let text = refusal(&program, &["first"], &["--from", "1h"]);
    assert!(text.contains("no sample was taken in 3600 s to the end; the first came"), "{text}");
    let (program, _) = run(&["50"], "stacks,hz=1000");
    let text = refusal(&program, &["gmon.out"], &["--to", "1s"]);
    assert!(text.contains("--to needs the times of samples, which were not kept; run"), "{text}");
}

/// A report says what it is of, and makes up no counts.
#[test]
fn reports_say_of_which_time_they_are() {
    let (program, _) = run(&["200"], OPTIONS);
    let report = |options: &[&str]| {
        let mut command = gmon();
        command.arg("report").args(options).arg(&program.executable);
        text_of(command.arg(program.path("gmon.out")))
    };
    for view in [&[][..], &["--tree"], &["--threads"], &["--modules"], &["--calls", "work"]] {
        let text = report(&[&["--last", "0.2s"], view].concat());
        assert!(text.contains("\nthe last 0.2 s\n"), "{text}");
        assert!(text.contains("calls are counted without times"), "{text}");
    }
    assert!(!report(&[]).contains("made room"));
    let text = report(&["--from", "10ms", "--to", "0.5", "--only", "load"]);
    assert!(text.contains("\n0.01 s to 0.5 s, stacks with load\n"), "{text}");
    assert!(!text.contains(" finish\n") && text.contains(" load\n"), "{text}");
}
