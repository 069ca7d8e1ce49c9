//! What is drawn: flame graphs of stacks, graphs of calls.

use super::super::subjects::Subject;
use super::tool;
use support::{
    command::{output_of, quiet, said, text_of},
    tools,
};

pub(super) fn flame_graphs_have_all_samples(what: &str, subject: &Subject) {
    let profile = subject.json();
    let samples = profile["sampling"]["samples"].as_u64().expect("a number");
    for threads in ["merge", "split"] {
        let file = subject.file("p.folded", &["--threads", threads]);
        let text = std::fs::read_to_string(&file).expect("a file");
        let counts = text.lines().filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
        assert_eq!(counts.sum::<u64>(), samples, "{what}");
        if let Some(mut inferno) = tool("inferno-flamegraph") {
            let output = output_of(inferno.arg(&file));
            assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "{what}");
            let svg = String::from_utf8_lossy(&output.stdout);
            assert!(
                svg.contains(&format!("<title>all ({} samples, 100%)", grouped(samples))),
                "{what}"
            );
        }
        if let Some(mut gprof2dot) = tool("gprof2dot") {
            text_of(gprof2dot.args(["-f", "collapse"]).arg(&file));
        }
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|it| String::from_utf8_lossy(it)).collect();
    groups.join(",")
}

pub(super) fn graphviz_draws_as_many_calls_as_are_written(what: &str, subject: &Subject) {
    if tools::find("dot").is_none() {
        return;
    }
    for options in [&["--min-share", "0"][..], &[], &["--top", "5"]] {
        let file = subject.file("p.dot", options);
        let text = std::fs::read_to_string(&file).expect("a file");
        let written = text.lines().filter(|line| line.contains(" -> n")).count();
        // Layout of all of SQLite takes a minute; reading it does not.
        let drawn =
            text_of(quiet("dot").args(["-Tjson0", "-Gnslimit=1", "-Gnslimit1=1"]).arg(&file));
        let drawn: serde_json::Value = serde_json::from_str(&drawn).expect("JSON");
        let edges = drawn["edges"].as_array().map_or(0, Vec::len);
        assert_eq!(edges, written, "{what} {options:?}");
        if what.starts_with("SQLite") && options.is_empty() {
            assert!(text.contains("left out:") && edges > 10, "{text}");
        }
        if what.starts_with("SQLite") {
            // Once in each way is enough for a large one.
            assert!(text.contains("apportioned") != what.contains("stacks"), "{what}");
        }
    }
}
