//! `gmon-profile/2`: sums are exact, calls are those of `gmon gprof`, and `gmon report` reads it again.

use std::fs;

use super::subjects::{Subject, calls, export_again, function, list, sum};
use support::command::{gmon, output_of, said, text_of};

#[test]
fn samples_add_up_with_and_without_stacks() {
    for options in ["hz=1000", "stacks,hz=1000"] {
        let profile = Subject::run("libraries.c", options).json();
        let sampling = &profile["sampling"];
        let number = |name: &str| sampling[name].as_u64().expect("a number");
        let (samples, period) = (number("samples"), number("period_ns"));
        assert!(samples > 0, "{sampling}");
        assert_eq!(period, 1_000_000);
        assert_eq!(sum(&profile, "functions", "samples"), samples, "{options}");
        assert_eq!(sum(&profile, "functions", "self_ns"), samples * period, "{options}");
        assert_eq!(sum(&profile, "places", "samples"), samples, "{options}");
        let has_stacks = options.starts_with("stacks");
        let (paths, inclusive) =
            if has_stacks { ("sampled", "sampled") } else { ("none", "apportioned") };
        assert_eq!(
            (&sampling["paths"], &sampling["inclusive"]),
            (&paths.into(), &inclusive.into())
        );
        assert_eq!(sum(&profile, "stacks", "samples"), if has_stacks { samples } else { 0 });
        assert_eq!(list(&profile, "threads").len(), if has_stacks { 2 } else { 0 });
    }
}

#[test]
fn calls_are_those_of_gprof() {
    for options in ["hz=1000", "stacks,hz=1000"] {
        let subject = Subject::run("dear.c", options);
        let (profile, gprof) = (subject.json(), subject.gprof());
        for (name, calls) in &gprof.functions {
            let Some(calls) = calls else { continue };
            let function = function(&profile, name);
            // gprof has those of a function by itself in its call graph only.
            let recursive = function["recursive_calls"].as_u64().expect("a number");
            let ours = function["calls"].as_u64().map(|calls| calls - recursive);
            assert_eq!(ours, Some(*calls), "{name}");
        }
        for (caller, callee, count) in
            [("cheap", "work", 1000), ("dear", "work", 1000), ("recurse", "recurse", 500)]
        {
            assert_eq!(calls(&profile, caller, callee), count, "{caller} {callee} {options}");
        }
        assert_eq!(function(&profile, "recurse")["recursive_calls"], 500);
        // A function that calls itself has its time once.
        let time =
            |name: &str, field: &str| function(&profile, name)[field].as_u64().expect("a time");
        assert!(time("main", "total_ns") >= time("recurse", "total_ns"));
        if options.starts_with("stacks") {
            let all = profile["sampling"]["samples"].as_u64().expect("a number") * 1_000_000;
            assert!(time("recurse", "total_ns") <= all);
            assert!(time("dear", "total_ns") > 10 * time("cheap", "total_ns"));
        }
    }
}

#[test]
fn the_same_profile_is_the_same_bytes_and_can_be_read_again() {
    for options in ["hz=1000", "stacks,hz=1000"] {
        let subject = Subject::run("libraries.c", options);
        let first = subject.exported(&["--format", "json"]);
        assert_eq!(subject.exported(&["--format", "json"]), first, "{options}");
        for name in ["p.json", "p.json.gz"] {
            let file = subject.file(name, &[]);
            assert_eq!(export_again(&file, &["--format", "json"]), first, "{options} {name}");
        }
        let compressed = |name| fs::read(subject.file(name, &[])).expect("a file");
        assert_eq!(compressed("1.json.gz"), compressed("2.json.gz"));
    }
}

#[test]
fn broken_profiles_are_refused() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let good = subject.exported(&["--format", "json"]);
    for (what, bad, reason) in [
        ("cut", good[..good.len() / 2].to_owned(), "not a whole gmon-profile/2: EOF"),
        ("other", good.replace("gmon-profile/2", "gmon-profile/3"), "gmon-profile/3, where"),
        ("type", good.replacen("\"calls\":", "\"calls\":\"many\",\"x\":", 1), "invalid type"),
        ("missing", good.replacen("\"kind\":\"code\",", "", 1), "missing field `kind`"),
        ("loose", good.replacen("\"callee\":", "\"callee\":99,\"x\":", 1), "arcs[0] refers to"),
        (
            "sum",
            good.replacen("\"samples\":", "\"samples\":1,\"x\":", 1),
            "the samples of functions",
        ),
        ("else", "{}".to_owned(), "not gmon-profile/2: it has no schema"),
    ] {
        let file = subject.path(&format!("{what}.json"));
        fs::write(&file, bad).expect("a writable folder");
        let output = output_of(gmon().args(["export", "--format", "json"]).arg(&file));
        let said = said(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{what}: {said}");
        assert!(said.contains(reason) && said.contains(&format!("{what}.json")), "{said}");
    }
}

#[test]
fn an_anonymous_profile_tells_no_secrets() {
    let subject = Subject::run("libraries.c", "stacks,hz=1000");
    let (open, closed) = (
        subject.exported(&["--format", "json"]),
        subject.exported(&["--format", "json", "--anonymous"]),
    );
    let folder = subject.path("").display().to_string();
    assert!(open.contains(&folder) && !closed.contains(&folder), "{closed}");
    let profile: serde_json::Value = serde_json::from_str(&closed).expect("JSON");
    let open: serde_json::Value = serde_json::from_str(&open).expect("JSON");
    let numbers =
        |profile| list(profile, "threads").iter().map(|it| it["tid"].as_u64()).collect::<Vec<_>>();
    let process = open["threads"][0]["pid"].as_u64();
    assert!(numbers(&open).contains(&process) && !numbers(&profile).contains(&process), "{closed}");
    for secret in ["command", "host", "pid", "parent_pid", "start_ns"] {
        assert!(profile[secret].is_null(), "{secret}: {}", profile[secret]);
    }
    let paths = list(&profile, "modules").iter().map(|module| &module["path"]);
    for path in paths.chain(list(&profile, "files")).chain([&profile["program"]]) {
        assert!(!path.as_str().expect("a path").contains('/'), "{path}");
    }
}

#[test]
fn headings_count_the_functions_that_were_called() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let called = |text: &str| {
        let (calls, rest) = text.split_once(" calls of ").expect("calls");
        let calls = calls.rsplit(' ').next().expect("a number").replace(',', "");
        (calls, rest.split(' ').next().expect("a number").to_owned())
    };
    let file = subject.file("p.json", &[]);
    let report = text_of(gmon().arg("report").arg(file));
    assert_eq!(called(&subject.exported(&["--format", "text"]).replace(',', "")), called(&report));
    let with_calls = list(&subject.json(), "functions")
        .iter()
        .filter(|it| it["calls"].as_u64() > Some(0))
        .count();
    assert_eq!(called(&report).1, with_calls.to_string());
}

#[test]
fn report_shows_what_was_exported() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let profile = subject.json();
    let file = subject.file("p.json.gz", &[]);
    let report = |options: &[&str]| text_of(gmon().arg("report").args(options).arg(&file));
    let seconds = |name: &str, field: &str| {
        let time = function(&profile, name)[field].as_u64().expect("a time");
        format!("{:.3}", time as f64 / 1e9)
    };
    let text = report(&[]);
    let (own, total) = (seconds("work", "self_ns"), seconds("work", "total_ns"));
    let row = text.lines().find(|line| line.ends_with("  work")).expect("a row");
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!((cells[0], cells[2], cells[4]), (&*own, &*total, "2,000"), "{text}");
    assert!(text.contains("measured"), "{text}");

    let calls = report(&["--calls", "work"]);
    for name in ["dear", "cheap"] {
        let row = calls.lines().find(|line| line.ends_with(&format!("  {name}"))).expect("a row");
        assert!(row.split_whitespace().any(|cell| cell == "1,000"), "{calls}");
    }
    let tree = report(&["--tree", "--cut", "20"]);
    let depth = |name: &str| {
        let line = tree.lines().find(|line| line.ends_with(&format!(" {name}")));
        line.unwrap_or_else(|| panic!("no {name} in\n{tree}")).len() - name.len()
    };
    assert_eq!((depth("dear"), depth("work")), (depth("main") + 2, depth("main") + 4), "{tree}");
    assert!(report(&["--threads"]).contains("  program\n"));
    assert!(report(&["--modules"]).contains("/program\n"));
    let other = output_of(gmon().arg("report").arg(&file).arg("gmon.out"));
    assert_eq!(other.status.code(), Some(1));
    assert!(
        said(&other).contains("p.json.gz: an exported profile stands alone"),
        "{}",
        said(&other)
    );
}
