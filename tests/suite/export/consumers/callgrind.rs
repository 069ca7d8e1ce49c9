//! What the programs for callgrind's files read.

use super::super::subjects::{Subject, list, sum};
use super::{Arcs, arcs, tool};
use support::{
    command::{quiet, text_of},
    tools,
};

/// The calls that callgrind_annotate shows, by the names behind the file's.
fn annotated(text: &str) -> Arcs {
    let name = |line: &str| {
        let line = line.rsplit_once(" [").map_or(line, |(line, _)| line);
        line.rsplit_once(':').map_or(line, |(_, name)| name).trim().to_owned()
    };
    let mut arcs = Arcs::new();
    for block in text.split("\n\n") {
        let callee = block.lines().find_map(|line| line.split_once("  *  "));
        let Some((_, callee)) = callee else { continue };
        for line in block.lines() {
            let Some((_, caller)) = line.split_once("  < ") else { continue };
            let Some((caller, calls)) = caller.rsplit_once(" (") else { continue };
            let digits: String =
                calls.chars().take_while(|c| *c != 'x').filter(char::is_ascii_digit).collect();
            // Of calls that nobody counted there is no number, only time.
            let calls = if digits.is_empty() { 0 } else { digits.parse::<u64>().expect("calls") };
            *arcs.entry((name(caller), name(callee))).or_default() += calls;
        }
    }
    arcs
}

pub(super) fn reads_times_and_calls(what: &str, subject: &Subject) {
    if tools::find("callgrind_annotate").is_none() {
        return;
    }
    let (file, profile) = (subject.file("callgrind.out.1", &[]), subject.json());
    let mut annotate = quiet("callgrind_annotate");
    annotate.args(["--tree=both", "--inclusive=yes", "--threshold=100", "--auto=no"]);
    let shown = text_of(annotate.current_dir("/").arg(&file));
    let number = |name: &str| profile["sampling"][name].as_u64().expect("a number");
    // A program that was too fast for samples has calls for costs.
    let is_timed = number("samples") != 0;
    let time = number("samples") * number("period_ns");
    let total = if is_timed { time } else { sum(&profile, "functions", "calls") };
    let totals = shown.lines().find(|line| line.ends_with("PROGRAM TOTALS")).expect("totals");
    let shown_total: String =
        totals.chars().take_while(|c| *c != '(').filter(char::is_ascii_digit).collect();
    assert_eq!(shown_total.parse(), Ok(total), "{what}: {totals}");
    let found = annotated(&shown);
    let mut expected: Vec<_> = arcs(subject).into_iter().collect();
    expected.sort_by_key(|(_, calls)| std::cmp::Reverse(*calls));
    // What took no time is not in the report.
    let costs: std::collections::BTreeSet<_> = list(&profile, "functions")
        .iter()
        .filter(|it| !is_timed || it["total_ns"] != 0)
        .filter_map(|it| it["display"].as_str())
        .collect();
    let is_plain = |name: &str| !name.contains([' ', ':', '<']) && costs.contains(name);
    let plain: Vec<_> =
        expected.iter().filter(|((a, b), _)| is_plain(a) && is_plain(b)).take(3).collect();
    // In a few samples there may be no caller and callee that both took time.
    let has_few = is_timed && number("samples") < 200;
    assert!(plain.len() >= 2 || has_few, "{what}: {plain:?}");
    for (pair, calls) in plain {
        assert_eq!(found.get(pair), Some(calls), "{what}: {pair:?}");
    }
    let Some(mut gprof2dot) = tool("gprof2dot") else { return };
    gprof2dot.args(["-f", "callgrind", "-n", "0", "-e", "0"]);
    let graph = text_of(gprof2dot.arg(&file));
    assert!(graph.matches(" -> ").count() > 1, "{what}: {graph}");
}
