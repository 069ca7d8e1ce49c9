//! Profiles with times in JSON, and in the formats that show threads over time: the same samples as in the full profile.

use std::path::Path;

use serde_json::Value;

use super::{OPTIONS, by_name, run, samples};
use support::{
    command::{gmon, output_of, said, text_of},
    program::Program,
};

/// The profile in a format, as JSON.
fn export(program: &Program, format: &str, options: &[&str]) -> Value {
    let mut command = gmon();
    command.args(["export", "--format", format]).args(options).arg(&program.executable);
    serde_json::from_str(&text_of(command.arg(program.path("gmon.out")))).expect("JSON")
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number")).collect()
}

/// An interval of the exported profile is that of the full one, function by function.
#[test]
fn intervals_of_exported_profiles_are_those_of_the_run() {
    let (program, _) = run(&["200"], OPTIONS);
    let json = program.path("whole.json");
    let mut command = gmon();
    command.arg("export").arg("-o").arg(&json).arg(&program.executable);
    text_of(command.arg(program.path("gmon.out")));
    for options in
        [&["--from", "100ms", "--to", "300ms"][..], &["--last", "0.15"], &["--to", "120ms"]]
    {
        let (mut expected, sum) = samples(&program, &["gmon.out"], options);
        let mut command = gmon();
        command.args(["export", "--format", "json"]).args(options);
        let part: Value = serde_json::from_str(&text_of(command.arg(&json))).expect("JSON");
        let mut found = by_name(&part);
        for list in [&mut expected, &mut found] {
            list.retain(|(_, total)| *total != 0);
            list.sort();
        }
        assert_eq!(found, expected, "{options:?}");
        assert_eq!(part["sampling"]["samples"].as_u64(), Some(sum));
        let timeline = &part["timeline"];
        assert_eq!(numbers(&timeline["samples"]).iter().sum::<u64>(), sum);
        assert!(timeline["interval"].is_object(), "{timeline}");
        let text = text_of(gmon().arg("report").args(options).arg(&json));
        assert!(text.contains("calls are counted without times"), "{text}");
        // With its errors, which are those of the interval.
        let table = |view: &[&str], files: &[&Path]| {
            let mut command = gmon();
            command.args(["report", "--format", "csv"]).args(view).args(options);
            text_of(command.args(files))
        };
        let data = program.path("gmon.out");
        for view in [&[][..], &["--threads"]] {
            let expected = table(view, &[&program.executable, &data]);
            assert_eq!(table(view, &[&json]), expected, "{options:?}");
        }
        let text = text_of(gmon().args(["report", "--threads"]).args(options).arg(&json));
        assert!(text.contains("CPU: by samples;"), "{text}");
    }
    let mut command = gmon();
    let output = output_of(command.args(["report", "--from", "1h"]).arg(&json));
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("no sample was taken in"), "{output:?}");
}

/// Times in order, and weights and names that are ours.
#[test]
fn threads_over_time_have_all_samples() {
    let (program, _) = run(&["150"], OPTIONS);
    let json = export(&program, "json", &[]);
    let all = json["sampling"]["samples"].as_u64().expect("a number");
    let period_us = json["sampling"]["period_ns"].as_u64().expect("a number") / 1000;

    let firefox = export(&program, "firefox", &[]);
    let thread = &firefox["threads"][0];
    let table = &thread["samples"];
    assert_eq!(numbers(&table["weight"]).iter().sum::<u64>(), all);
    let times: Vec<f64> =
        table["time"].as_array().expect("times").iter().filter_map(Value::as_f64).collect();
    assert!(times.is_sorted() && times.len() as u64 == table["length"].as_u64().unwrap_or(0));
    // The CPU time since the sample before.
    let (weights, cpu) = (numbers(&table["weight"]), numbers(&table["threadCPUDelta"]));
    let expected = weights.iter().map(|weight| weight * period_us);
    assert!([0].into_iter().chain(expected).take(cpu.len()).eq(cpu), "{table}");
    let strings = thread["stringArray"].as_array().expect("strings");
    for name in ["load", "compute", "finish", "main"] {
        assert!(strings.iter().any(|known| known == name), "{name} in {strings:?}");
    }
    // Each table says how long it is.
    for name in ["samples", "stackTable", "frameTable", "funcTable", "resourceTable"] {
        let table = thread[name].as_object().expect("a table");
        for (column, list) in table.iter().filter(|(_, list)| list.is_array()) {
            let len = list.as_array().map(Vec::len).unwrap_or_default() as u64;
            assert_eq!(Some(len), table["length"].as_u64(), "{name}.{column}");
        }
    }

    let perfetto = export(&program, "perfetto", &[]);
    let events = perfetto["traceEvents"].as_array().expect("events");
    let slices = |name: &'static str| events.iter().filter(move |event| event["name"] == name);
    let end = |event: &Value| event["ts"].as_u64().zip(event["dur"].as_u64());
    let sum = |name| slices(name).filter_map(end).map(|(_, dur)| dur).sum::<u64>();
    let main = sum("main");
    // On a busy machine signals come late, and then close together.
    assert!(main * 2 >= all * period_us, "{main} us of {all} samples");
    assert!(["load", "compute", "finish"].map(sum).iter().sum::<u64>() <= main);
    let first = |name| slices(name).filter_map(end).map(|(ts, _)| ts).min();
    assert!(first("load") < first("compute") && first("compute") < first("finish"));

    let speedscope = export(&program, "speedscope", &[]);
    let profile = &speedscope["profiles"][0];
    let weights: u64 = numbers(&profile["weights"]).iter().sum();
    assert_eq!(weights, all * period_us * 1000);
    let frames = speedscope["shared"]["frames"].as_array().expect("frames");
    let first = |name: &str| {
        let frame = frames.iter().position(|frame| frame["name"] == name).expect("a frame");
        let stacks = profile["samples"].as_array().expect("samples").iter();
        stacks.map(numbers).position(|stack| stack.contains(&(frame as u64))).expect("a stack")
    };
    assert!(first("load") < first("compute") && first("compute") < first("finish"));
}

/// Without times there is nothing to show over time, and other formats are as they were.
#[test]
fn profiles_without_times_are_refused() {
    let (program, _) = run(&["50"], "stacks,hz=1000");
    for format in ["firefox", "perfetto"] {
        let mut command = gmon();
        command.args(["export", "--format", format]).arg(&program.executable);
        let output = output_of(command.arg(program.path("gmon.out")));
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("the times of samples were not kept; record them by"));
    }
    let json = export(&program, "json", &[]);
    assert!(json.get("timeline").is_none());
    let speedscope = export(&program, "speedscope", &[]);
    assert_eq!(speedscope["name"], "program (no time order)");
}

/// Two intervals of one run differ in what the program did then.
#[test]
fn intervals_of_one_run_are_compared() {
    let (program, text) = run(&["300"], OPTIONS);
    let origin = super::origin(&program);
    let [[_, load], [_, compute]] = ["load", "compute"].map(|it| super::phase(&text, it, origin));
    let (against, at) = (format!("..{load}us"), format!("{load}us..{compute}us"));
    let mut command = gmon();
    command.args(["diff", "--format", "json", "--against", &against, "--at", &at]);
    let json: Value =
        serde_json::from_str(&text_of(command.arg(program.path("gmon.out")))).expect("JSON");
    let functions = json["functions"].as_array().expect("functions");
    let find = |name: &str| {
        functions.iter().find(|it| it.to_string().contains(&format!("\"{name}\""))).is_some()
    };
    assert!(find("load") && find("compute"), "{json}");
    assert_eq!(json["base"]["stretch"], format!("0 s to {} s", load as f64 / 1e6));
    // Of stretches of different lengths the longer one has longer times.
    for (options, is_told) in [(&[][..], true), (&["--shares"], false)] {
        let mut command = gmon();
        let third = format!("{}us..{}us", load, load + (compute - load) / 3);
        command.arg("diff").args(options).args(["--against", &third, "--at"]);
        command.arg(format!("{}us..{compute}us", load + (compute - load) / 3));
        let text = text_of(command.arg(program.path("gmon.out")));
        assert!(text.contains(&format!(" to {} s (", compute as f64 / 1e6)), "{text}");
        assert_eq!(text.contains("s long, and times differ by that alone"), is_told, "{text}");
    }
    for (options, message) in [
        (&["--at", "2s..3s"][..], "--against"),
        (&["--at", "3s..2s", "--against", "0..1s"], "must be two times, as 2s..3.5s"),
        (&["--at", "2s..5s", "--against", "..3s"], "--against and --at overlap"),
    ] {
        let mut command = gmon();
        let output = output_of(command.arg("diff").args(options).arg(program.path("gmon.out")));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said(&output).contains(message), "{output:?}");
    }
}
