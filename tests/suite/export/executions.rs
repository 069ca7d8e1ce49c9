//! Counted executions of lines, in the formats that have a place for them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::subjects::{Subject, list, sum};
use support::command::{output_of, quiet, said};
use support::tools;

/// Executions by file and line, added up.
fn executions(profile: &Value, name: &str) -> BTreeMap<(u64, u64), u64> {
    let mut lines = BTreeMap::new();
    for item in list(profile, name) {
        let number = |field: &str| item[field].as_u64();
        if let (Some(file), Some(line), Some(count)) =
            (number("file"), number("line"), number("executions"))
        {
            *lines.entry((file, line)).or_default() += count;
        }
    }
    lines.retain(|_, count| *count != 0);
    lines
}

#[test]
fn executions_are_the_second_event_of_callgrind() {
    for options in ["hz=1000", "stacks,hz=1000", "sampler=none"] {
        let subject = Subject::with_blocks("dear.c", options);
        let (profile, text) = (subject.json(), subject.exported(&["--format", "callgrind"]));
        let of_lines = executions(&profile, "lines");
        assert!(of_lines.len() > 10, "{of_lines:?}");
        // Each function has its part of a line.
        assert_eq!(executions(&profile, "places"), of_lines, "{options}");
        let lcov = subject.exported(&["--format", "lcov"]);
        let counts = lcov.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(','));
        let of_lcov: u64 = counts.map(|(_, count)| count.parse::<u64>().expect("a count")).sum();
        let all: u64 = of_lines.values().sum();
        assert_eq!(of_lcov, all, "{options}");

        let event = if options == "sampler=none" { "Calls" } else { "ns" };
        assert!(text.contains(&format!("event: Ex : Executions\nevents: {event} Ex\n")), "{text}");
        let of_first = match event {
            "ns" => sum(&profile, "functions", "self_ns"),
            _ => sum(&profile, "functions", "calls"),
        };
        assert!(text.ends_with(&format!("\ntotals: {of_first} {all}\n")), "{text}");
        if tools::find("callgrind_annotate").is_none() || tools::find("gprof2dot").is_none() {
            return;
        }
        let file = subject.file("callgrind.out.1", &[]);
        let mut annotate = quiet("callgrind_annotate");
        let shown = output_of(annotate.args(["--auto=no", "--show=Ex"]).arg(&file));
        assert_eq!((shown.status.code(), said(&shown).as_str()), (Some(0), ""));
        let shown = String::from_utf8_lossy(&shown.stdout);
        let totals = shown.lines().find(|line| line.ends_with("PROGRAM TOTALS")).expect("totals");
        let digits = totals.chars().take_while(|c| *c != '(').filter(char::is_ascii_digit);
        assert_eq!(digits.collect::<String>(), all.to_string(), "{options}: {totals}");
        let graph = output_of(quiet("gprof2dot").args(["-f", "callgrind"]).arg(&file));
        assert_eq!((graph.status.code(), said(&graph).as_str()), (Some(0), ""), "{options}");
    }
}
