//! Phases and moments that programs mark.

use std::os::unix::process::ExitStatusExt;

use serde_json::Value;

use super::{SUITE, of, origin, samples};
use support::{
    command::{gmon, output_of, said, text_of},
    program::Program,
    suite::printed,
    tools,
};

fn build() -> Program {
    SUITE.build("marked.c", "default", &["-fno-optimize-sibling-calls", "-fno-inline"])
}

/// Runs it, and gives what it printed.
fn run(program: &Program, arguments: &[&str]) -> String {
    program.clear();
    let output = program.run(arguments, &[("GMON_OPTIONS", super::OPTIONS)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output), "");
    String::from_utf8(output.stdout).expect("text")
}

/// The marks of an exported profile: names, starts and lengths in nanoseconds.
fn marks(program: &Program, data: &[&str], options: &[&str]) -> Vec<(String, u64, Option<u64>)> {
    let mut export = gmon();
    export.args(["export", "--format", "json"]).args(options).arg(&program.executable);
    let json = text_of(export.args(data.iter().map(|name| program.path(name))));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let marks = json["timeline"]["marks"].as_array().cloned().unwrap_or_default();
    let mark = |mark: Value| {
        let name = mark["name"].as_str().expect("a name").to_owned();
        (name, mark["at_ns"].as_u64().expect("a time"), mark["length_ns"].as_u64())
    };
    marks.into_iter().map(mark).collect()
}

/// The phases that the program printed, with their borders since the profile began.
fn phases(text: &str, origin: i64) -> Vec<(&str, [i64; 2])> {
    let phases = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, begun, ended] = words[..] else { return None };
        let time = |text: &str| text.parse::<i64>().expect("a number") - origin;
        Some((name, [time(begun), time(ended)]))
    });
    phases.collect()
}

/// Borders of marks lie between the times that the program read before and after.
fn check_borders(text: &str, origin: i64, marks: &[(String, u64, Option<u64>)]) {
    let printed = phases(text, origin);
    let lengths = marks.iter().filter(|(.., length)| length.is_some());
    assert_eq!(lengths.count(), printed.len(), "{marks:?}");
    for (name, [begun, ended]) in printed {
        let is_it = |(known, at, length): &&(String, u64, Option<u64>)| {
            let Some(length) = *length else { return false };
            let (start, end) = (*at as i64, (*at + length) as i64);
            // The system tells when the profile began to the microsecond.
            known == name && begun - 1000 <= start && start <= end && end <= ended + 1000
        };
        let found = marks.iter().find(is_it);
        let (_, at, length) = found.unwrap_or_else(|| panic!("{name} {begun} {ended}: {marks:?}"));
        let inside = marks.iter().filter(|(inner, moment, _)| {
            inner == "inside" && (*at..at + length.unwrap_or(0)).contains(moment)
        });
        assert!(inside.count() >= 1, "{marks:?}");
    }
}

/// Each phase has what the program did in it, in 30 of 30 runs, and nothing else but what a look found that was due before.
#[test]
fn phases_are_what_the_program_did_in_them() {
    let program = build();
    for run in 0..tools::rounds(30) {
        let text = self::run(&program, &["60"]);
        check_borders(&text, origin(&program), &marks(&program, &["gmon.out"], &[]));
        if run != 0 {
            continue;
        }
        let mut sums = 0;
        for (name, borders) in [("load", 2), ("compute", 4)] {
            let (functions, sum) = samples(&program, &["gmon.out"], &["--phase", name]);
            let own = of(&functions, name) + of(&functions, super::HOOKS);
            // A look takes up to a few periods where the system looks at threads every 4 ms.
            assert!(sum > 5 && own + 8 * borders >= sum, "{own} of {sum}: {functions:?}");
            sums += sum;
        }
        let (_, all) = samples(&program, &["gmon.out"], &[]);
        assert!(sums < all, "{sums} of {all}");
    }
    let mut report = gmon();
    report.args(["report", "--phase", "nothing"]).arg(&program.executable);
    let output = output_of(report.arg(program.path("gmon.out")));
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    assert!(text.contains("no phase is called nothing; there are: compute, load"), "{text}");
    let mut diff = gmon();
    diff.args(["diff", "--phase", "compute", "--against-phase", "load"]);
    let text = text_of(diff.arg(program.path("gmon.out")));
    assert!(text.contains("total 0."), "{text}");
    let mut diff = gmon();
    let output = output_of(diff.args(["diff", "--phase", "load"]).arg(program.path("gmon.out")));
    assert!(said(&output).contains("--against-phase NAME"), "{output:?}");
}

/// All threads, a child and a merged file have their marks, each in its thread.
#[test]
fn threads_and_children_have_their_own() {
    let program = build();
    let text = run(&program, &["50", "threads"]);
    let known = marks(&program, &["gmon.out"], &[]);
    check_borders(&text, origin(&program), &known);
    assert_eq!(known.iter().filter(|(name, ..)| name == "worker").count(), 4);

    let text = run(&program, &["50", "fork"]);
    let child = format!("gmon.out.{}", printed(&text, "pid"));
    let data = ["gmon.out", &child];
    let both = marks(&program, &data, &[]);
    let of = |name: &str| both.iter().find(|(known, ..)| known == name).expect("a mark");
    let (parent, child) = (of("parent"), of("child"));
    let end = |mark: &(String, u64, Option<u64>)| mark.1 + mark.2.expect("a length");
    assert!(parent.1 < child.1 && end(child) < end(parent), "{both:?}");
    super::merge(&program, &data);
    assert_eq!(marks(&program, &["sum"], &[]), both);
    let (_, sum) = samples(&program, &["sum"], &["--phase", "child"]);
    assert_eq!(sum, samples(&program, &data, &["--phase", "child"]).1);
}

/// A killed program leaves the phase that it was in.
#[test]
fn phases_of_killed_programs_are_there() {
    let program = build();
    program.clear();
    let options = format!("live=profile.live,{}", super::OPTIONS);
    let output = program.run(&["80", "killed"], &[("GMON_OPTIONS", &options)]);
    assert_eq!(output.status.signal(), Some(9));
    let mut recover = gmon();
    recover.arg("recover").arg(program.path("profile.live")).arg("-o");
    text_of(recover.arg(program.path("gmon.out")));
    let known = marks(&program, &["gmon.out"], &[]);
    let names: Vec<&str> = known.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["load", "inside", "forever"]);
    let (functions, sum) = samples(&program, &["gmon.out"], &["--phase", "forever"]);
    assert!(sum > 5 && of(&functions, "compute") + 10 >= sum, "{functions:?}");
}

/// Formats for threads over time have the marks.
#[test]
fn exports_have_the_marks() {
    let program = build();
    run(&program, &["30"]);
    let known = marks(&program, &["gmon.out"], &[]);
    let export = |format: &str| -> Value {
        let mut export = gmon();
        export.args(["export", "--format", format]).arg(&program.executable);
        serde_json::from_str(&text_of(export.arg(program.path("gmon.out")))).expect("JSON")
    };
    let firefox = export("firefox");
    let thread = &firefox["threads"][0];
    let markers = &thread["markers"];
    for ((name, at, length), index) in known.iter().zip(0..) {
        let number = markers["name"][index].as_u64().expect("a position") as usize;
        assert_eq!(thread["stringArray"][number].as_str(), Some(name.as_str()));
        let start = markers["startTime"][index].as_f64().expect("a time");
        assert!((start - *at as f64 / 1e6).abs() < 1e-6);
        assert_eq!(markers["endTime"][index].is_null(), length.is_none());
    }
    assert_eq!(markers["length"].as_u64(), Some(known.len() as u64));
    let perfetto = export("perfetto");
    let events = perfetto["traceEvents"].as_array().expect("events");
    let of = |kind: &str| events.iter().filter(|event| event["ph"] == kind).count();
    let phases = known.iter().filter(|(.., length)| length.is_some()).count();
    assert_eq!((of("b"), of("e"), of("i")), (phases, phases, known.len() - phases));
}
