//! What go's pprof reads.

use std::path::Path;

use super::super::subjects::{Subject, list, sum};
use super::{Arcs, arcs};
use support::{
    command::{go, output_of, said},
    tools,
};

pub(super) fn reads_times_and_calls(what: &str, subject: &Subject) {
    let Some(_) = tools::find("go") else { return };
    let (file, profile) = (subject.file("p.pb.gz", &[]), subject.json());
    let pprof = |arguments: &[&str], file: &Path| {
        let mut go = go();
        go.env("PPROF_TMPDIR", file.parent().expect("a folder"));
        output_of(go.args(["tool", "pprof", "-symbolize=none"]).args(arguments).arg(file))
    };
    let output = pprof(&["-raw"], &file);
    assert!(output.status.success(), "{what}: {}", said(&output));
    let raw = String::from_utf8_lossy(&output.stdout).into_owned();
    let samples = raw.lines().skip_while(|line| !line.starts_with("calls/count")).skip(1);
    let samples = samples.take_while(|line| !line.starts_with("Locations"));
    let values = samples.filter_map(|line| {
        let numbers = line.split_once(':')?.0.split_whitespace();
        let numbers: Vec<u64> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
        <[u64; 3]>::try_from(numbers).ok()
    });
    let sums = values.fold([0; 3], |sums, values| [0, 1, 2].map(|i| sums[i] + values[i]));
    let number = |name: &str| profile["sampling"][name].as_u64().expect("a number");
    let (all, period) = (number("samples"), number("period_ns"));
    let calls = sum(&profile, "arcs", "calls");
    assert_eq!(sums, [calls, all, all * period], "{what}");

    let shown = pprof(&["-traces", "-sample_index=calls"], &file);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let mut found = Arcs::new();
    for block in shown.split("-----------+").skip(1) {
        let lines: Vec<_> = block.lines().skip(1).map(str::trim).collect();
        let Some((calls, callee)) = lines.first().and_then(|line| line.split_once("   ")) else {
            continue;
        };
        // What was inlined stands before the function that has the call.
        if let (Ok(calls), Some(caller)) =
            (calls.parse::<u64>(), lines.last().filter(|_| lines.len() > 1))
        {
            let pair = ((*caller).to_owned(), callee.trim().to_owned());
            *found.entry(pair).or_default() += calls;
        }
    }
    let mut expected: Vec<_> = arcs(subject).into_iter().collect();
    expected.sort_by_key(|(_, calls)| std::cmp::Reverse(*calls));
    let plain = |((a, b), _): &&((String, String), u64)| !a.contains(' ') && !b.contains(' ');
    let plain: Vec<_> = expected.iter().filter(plain).take(3).collect();
    assert_eq!(plain.len(), 3, "{what}: {expected:?}");
    for (pair, calls) in plain {
        assert_eq!(found.get(pair), Some(calls), "{what}: {pair:?}\n{shown}");
    }
    if what.contains("threads") {
        let tags = pprof(&["-tags"], &file);
        let tags = String::from_utf8_lossy(&tags.stdout).into_owned();
        for thread in list(&profile, "threads") {
            let name = thread["name"].as_str().expect("a name");
            let is_sampled = |it: &serde_json::Value| it["thread"] == thread["id"];
            let is_sampled = list(&profile, "stacks").iter().any(is_sampled);
            assert_eq!(tags.contains(&format!(": {name}")), is_sampled, "{name}: {tags}");
        }
    }
    let bytes = std::fs::read(&file).expect("a file");
    let cut = subject.path("cut.pb.gz");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a writable folder");
    // Older ones end with 1, newer ones with 2.
    let refused = pprof(&["-top"], &cut).status.code();
    assert!(matches!(refused, Some(1 | 2)), "{what}: {refused:?}");
}
