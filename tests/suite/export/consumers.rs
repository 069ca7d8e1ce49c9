//! What other programs read from each format: the totals, functions and calls that `gmon gprof` prints. An exit
//! status alone proves nothing, since most of them pass over what they do not understand.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use super::subjects::{Subject, function, list, sum};
use crate::conformance::programs;
use support::{
    command::{output_of, quiet, said, text_of},
    tools,
};

/// Calls by caller and callee.
type Arcs = BTreeMap<(String, String), u64>;

/// Has everything read a profile.
fn check(what: &str, subject: &Subject) {
    calls_are_those_of_gprof(what, subject);
    pprof_reads_times_and_calls(what, subject);
    callgrind_annotate_reads_times_and_calls(what, subject);
    graphviz_draws_as_many_calls_as_are_written(what, subject);
    if what.contains("stacks") {
        flame_graphs_have_all_samples(what, subject);
    }
}

#[test]
fn recursion_without_stacks() {
    check("recursion", &Subject::run("dear.c", "hz=1000"));
}

#[test]
fn recursion_with_stacks() {
    check("recursion with stacks", &Subject::run("dear.c", "stacks,hz=1000"));
}

#[test]
fn threads_with_stacks() {
    check("threads with stacks", &Subject::run("libraries.c", "stacks,hz=1000"));
}

#[test]
fn sqlite_without_stacks() {
    let subject = Subject::large(programs::sqlite(), &["50000"], "hz=1000");
    check("SQLite", &subject.by_linker_names());
}

#[test]
fn sqlite_with_stacks() {
    let subject = Subject::large(programs::sqlite(), &["50000"], "stacks,hz=1000");
    check("SQLite with stacks", &subject.by_linker_names());
}

#[test]
fn cpp_without_stacks() {
    let program = programs::shapes("shapes.export", "g++", &["-O2"]);
    check("C++", &Subject::large(&program, &[], "hz=1000").by_linker_names());
}

#[test]
fn cpp_with_threads_and_stacks() {
    let subject = Subject::large(&programs::workers(), &[], "stacks,hz=1000");
    check("C++ with threads and stacks", &subject.by_linker_names());
}

#[test]
fn rust_without_stacks() {
    check("Rust", &Subject::large(programs::words(), &[], "hz=1000").by_linker_names());
}

#[test]
fn rust_with_stacks() {
    let subject = Subject::large(programs::words(), &[], "stacks,hz=1000");
    check("Rust with stacks", &subject.by_linker_names());
}

/// A tool that reads exports: not in the way of what we set for `gmon`.
fn tool(name: &str) -> Option<Command> {
    tools::find(name).map(quiet)
}

/// Python with modules that the tools brought with them.
pub(super) fn python(modules: &str) -> Option<Command> {
    let python = tools::find("check-jsonschema")?.parent()?.join("python3");
    let known = output_of(quiet(&python).args(["-c", &format!("import {modules}")]));
    if !known.status.success() {
        assert!(!tools::in_ci(), "{modules}: {}", said(&known));
        eprintln!("SKIPPED: no {modules} for Python");
        return None;
    }
    Some(quiet(python))
}

/// The calls of arcs between functions, as the profile in JSON has them in code that was not inlined, by the
/// names for people.
fn arcs(subject: &Subject) -> Arcs {
    let profile = subject.json();
    let name = |id: &serde_json::Value| {
        let id = id.as_u64()? as usize;
        list(&profile, "functions")[id]["display"].as_str().map(str::to_owned)
    };
    let mut arcs = Arcs::new();
    for arc in list(&profile, "arcs") {
        let caller = name(&arc["within"]).or_else(|| name(&arc["caller"]));
        if let (Some(caller), Some(callee)) = (caller, name(&arc["callee"])) {
            *arcs.entry((caller, callee)).or_default() += arc["calls"].as_u64().unwrap_or(0);
        }
    }
    arcs.retain(|_, calls| *calls > 0);
    arcs
}

fn calls_are_those_of_gprof(what: &str, subject: &Subject) {
    let (profile, gprof) = (subject.json(), subject.gprof());
    let called = gprof.functions.iter().filter_map(|(name, calls)| Some((name, (*calls)?)));
    let called: Vec<_> = called.collect();
    assert!(called.len() > 3, "{what}");
    let mut unique = BTreeMap::new();
    called.iter().for_each(|(name, _)| *unique.entry(*name).or_insert(0) += 1);
    for (name, calls) in called.iter().filter(|(name, _)| unique[name] == 1) {
        let ours = function(&profile, name);
        let recursive = ours["recursive_calls"].as_u64().expect("a number");
        assert_eq!(ours["calls"].as_u64().map(|it| it - recursive), Some(*calls), "{what} {name}");
    }
    let in_program = |it: &&serde_json::Value| it["module"] == 0 && it["calls"].is_u64();
    let ours = list(&profile, "functions").iter().filter(in_program).count();
    assert_eq!(ours, called.len(), "{what}");
    if !what.contains("stacks") {
        // gprof rounds each function's time.
        let seconds = sum(&profile, "functions", "self_ns") as f64 / 1e9;
        let rounding = 0.0051 * gprof.functions.len() as f64;
        assert!((seconds - gprof.seconds).abs() < rounding, "{what}: {seconds} {}", gprof.seconds);
    }
}

fn pprof_reads_times_and_calls(what: &str, subject: &Subject) {
    let Some(_) = tools::find("go") else { return };
    let (file, profile) = (subject.file("p.pb.gz", &[]), subject.json());
    let pprof = |arguments: &[&str], file: &Path| {
        let mut go = quiet("go");
        // Newer ones build pprof when it is first used.
        go.env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache"));
        go.env("PPROF_TMPDIR", file.parent().expect("a folder")).env("GOTELEMETRY", "off");
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
    assert_eq!(pprof(&["-top"], &cut).status.code(), Some(2), "{what}");
}

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

fn callgrind_annotate_reads_times_and_calls(what: &str, subject: &Subject) {
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

fn flame_graphs_have_all_samples(what: &str, subject: &Subject) {
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

fn graphviz_draws_as_many_calls_as_are_written(what: &str, subject: &Subject) {
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

/// The schemas of our own formats.
fn schema(name: &str) -> PathBuf {
    support::root().join("docs").join(name)
}

#[test]
fn schemas_hold_for_our_json_and_for_nothing_broken() {
    if tools::find("check-jsonschema").is_none() {
        return;
    }
    let check = |schema: &Path, file: &Path| {
        let output = output_of(quiet("check-jsonschema").arg("--schemafile").arg(schema).arg(file));
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (profiles, rows) =
        (schema("gmon-profile-1.schema.json"), schema("gmon-rows-1.schema.json"));
    for options in ["hz=1000", "stacks,hz=1000"] {
        let subject = Subject::run("libraries.c", options);
        let good = subject.file("good.json", &[]);
        assert_eq!(check(&profiles, &good), (true, "ok -- validation done\n".to_owned()));
        let text = std::fs::read_to_string(&good).expect("a file");
        let array = subject.path("rows.json");
        let lines = subject.exported(&["--format", "jsonl"]);
        let of_rows = |lines: &str| {
            let list = lines.lines().collect::<Vec<_>>().join(",");
            std::fs::write(&array, format!("[{list}]")).expect("a writable folder");
            check(&rows, &array)
        };
        assert_eq!(of_rows(&lines), (true, "ok -- validation done\n".to_owned()));
        let broken = [
            text.replacen("\"samples\":", "\"samples\":\"x\",\"y\":", 1),
            text.replacen("\"recursive_calls\":", "\"other\":", 1),
            text.replacen("\"kind\":\"code\"", "\"kind\":\"else\"", 1),
        ];
        for bad in broken {
            let file = subject.path("bad.json");
            std::fs::write(&file, bad).expect("a writable folder");
            assert!(!check(&profiles, &file).0);
        }
        for bad in [
            lines.replacen("\"samples\":", "\"samples\":\"x\",\"y\":", 1),
            lines.replacen("\"caller\":", "\"other\":", 1),
            lines.replacen("\"kind\":\"arc\"", "\"kind\":\"else\"", 1),
        ] {
            assert!(!of_rows(&bad).0);
        }
    }
}

#[test]
fn data_bases_read_rows_and_tables() {
    let Some(mut python) = python("duckdb, pandas") else { return };
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let (rows, table, tabs) = (
        subject.file("p.jsonl.gz", &["--run", "one"]),
        subject.file("p.csv", &[]),
        subject.file("p.tsv", &["--table", "arcs"]),
    );
    let script = "
import sys, duckdb, pandas
rows, table, tabs = sys.argv[1:]
one = lambda query: duckdb.sql(query).fetchall()[0]
print(*one(f\"\"\"SELECT sum(calls), count(*), any_value(run) FROM read_json('{rows}', format='newline_delimited',
    columns={{kind: 'VARCHAR', run: 'VARCHAR', calls: 'UBIGINT'}}) WHERE kind = 'arc'\"\"\"))
print(*one(f\"SELECT sum(calls), sum(samples), sum(self_ns), count(*) FROM read_csv('{table}')\"))
arcs = pandas.read_csv(tabs, sep='\\t', dtype={'calls': 'Int64'})
print(arcs.calls.sum(), len(arcs))
lines = pandas.read_json(rows, lines=True, dtype={'calls': 'Int64'})
print(lines[lines.kind == 'function'].calls.sum())
";
    let shown = text_of(python.args(["-c", script]).args([&rows, &table, &tabs]));
    let profile = subject.json();
    let calls = sum(&profile, "functions", "calls");
    let counted = list(&profile, "arcs").iter().filter(|arc| arc["calls"].is_u64());
    let mut pairs: Vec<_> =
        counted.map(|arc| (arc["caller"].as_u64(), arc["callee"].as_u64())).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let expected = [
        format!("{calls} {} one", pairs.len()),
        format!(
            "{calls} {} {} {}",
            sum(&profile, "functions", "samples"),
            sum(&profile, "functions", "self_ns"),
            list(&profile, "functions").len()
        ),
        format!("{calls} {}", list(&profile, "arcs").len()),
        calls.to_string(),
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn github_shows_the_table() {
    let Some(mut python) = python("cmarkgfm") else { return };
    let subject = Subject::large(programs::sqlite(), &["20000"], "hz=1000");
    let file = subject.file("p.md", &["--top", "7"]);
    let script = "
import sys, re, cmarkgfm
html = cmarkgfm.github_flavored_markdown_to_html(open(sys.argv[1]).read())
rows = re.findall(r'<tr>.*?</tr>', html, re.S)
print(html.count('<table>'), len(rows), *{len(re.findall('<t[hd]', row)) for row in rows})
";
    let shown = text_of(python.args(["-c", script]).arg(&file));
    assert_eq!(shown, "1 8 5\n");
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with("**sqlite**: ") && text.contains("apportioned"), "{text}");
}
