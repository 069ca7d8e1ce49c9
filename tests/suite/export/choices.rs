//! What the options of `gmon export` choose, and what is refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::subjects::Subject;
use support::command::{gmon, quiet, said, text_of};

#[test]
fn stacks_are_never_made_up() {
    let subject = Subject::run("dear.c", "hz=1000");
    for format in ["folded", "speedscope"] {
        let (status, said) = subject.refusal(&["--format", format]);
        assert_eq!(status, Some(1));
        assert!(
            said.contains("no stacks were recorded; record them by gmon run or with "),
            "{said}"
        );
        assert!(said.contains("choose pprof, callgrind,"), "{said}");
    }
    let profile = subject.file("p.json", &[]);
    let mut again = gmon();
    let output = again.args(["export", "--format", "folded"]).arg(profile).output();
    assert_eq!(output.expect("gmon").status.code(), Some(1));
}

#[test]
fn the_name_of_the_file_decides_the_format() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    for (name, start) in [
        ("callgrind.out.7", &b"# callgrind format"[..]),
        ("a.pb.gz", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
        ("a.folded.gz", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
        ("a.speedscope.json", b"{\"$schema\":\"https://www.speedscope.app"),
        ("a.json", b"{\n\"schema\":\"gmon-profile/2\""),
        ("a.jsonl", b"{\"schema\":\"gmon-rows/1\",\"kind\":\"run\""),
        ("a.csv", b"function,module,file,line,calls,samples,self_ns,total_ns,"),
        ("a.tsv", b"function\tmodule\tfile\tline\tcalls\tsamples\tself_ns\ttotal_ns\t"),
        ("a.md", b"**program**: "),
        ("a.dot", b"digraph \"program\" {"),
    ] {
        let first = fs::read(subject.file(name, &[])).expect("a file");
        assert!(first.starts_with(start), "{name}: {:?}", String::from_utf8_lossy(&first));
        // Equal data, equal bytes.
        assert!(fs::read(subject.file(name, &[])).expect("a file") == first, "{name}");
    }
    // Which stack comes first is up to the samples.
    let folded = fs::read_to_string(subject.file("a.folded", &[])).expect("a file");
    assert!(folded.lines().any(|line| line.starts_with("_start;")), "{folded}");
    let (status, said) = subject.refusal(&["-o", "profile"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("profile: the name does not tell the format; say --format"), "{said}");
}

#[test]
fn a_choice_that_a_format_does_not_have_is_refused() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    for (options, reason) in [
        (
            &["--format", "json", "--top", "3"][..],
            "--top is for csv, tsv, markdown, text, dot, not for json without --table",
        ),
        (
            &["--format", "pprof", "--table", "arcs"],
            "--table is for json, csv, tsv, markdown, text, not for pprof",
        ),
        (&["--format", "csv", "--run", "x"], "--run is for jsonl, not for csv"),
        (&["--top", "3"], "say --format with one of pprof, "),
    ] {
        let (status, said) = subject.refusal(options);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

/// Time is not known of calls within cycles that is apportioned, but they are there.
#[test]
fn graphs_have_calls_whose_time_is_not_known() {
    let subject = Subject::run("dear.c", "hz=1000");
    let file = subject.file("timed.json", &[]);
    let edges = |file: &Path| {
        let text = text_of(gmon().args(["export", "--format", "dot"]).arg(file));
        text.lines().filter(|line| line.contains(" -> ")).count()
    };
    let text = fs::read_to_string(&file).expect("a file");
    let mut profile: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for arc in profile["arcs"].as_array_mut().expect("arcs") {
        arc["total_ns"] = serde_json::Value::Null;
    }
    let unknown = subject.path("unknown.json");
    fs::write(&unknown, profile.to_string()).expect("a writable folder");
    let known = edges(&file);
    assert!(known > 0 && edges(&unknown) >= known, "{known}");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let subject = Subject::run("dear.c", "hz=1000");
    let file = subject.path("old.folded");
    fs::write(&file, "before").expect("a writable folder");
    let (status, _) = subject.refusal(&["-o", &file.display().to_string()]);
    assert_eq!(status, Some(1));
    assert_eq!(fs::read(&file).expect("a file"), b"before");
    // A link stays one.
    let (link, target) = (subject.path("link.json"), subject.path("target"));
    fs::write(&target, "before").expect("a writable folder");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    subject.file("link.json", &[]);
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(fs::read(&target).expect("a file").starts_with(b"{\n\"schema\""));
    // Whoever may write the old one may write the new one.
    fs::set_permissions(&target, Permissions::from_mode(0o666)).expect("a file of ours");
    subject.file("link.json", &[]);
    let mode = fs::metadata(&target).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o666);
    let leftovers = fs::read_dir(subject.path("")).expect("a folder");
    let names =
        leftovers.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
    assert!(!names.into_iter().any(|name| name.starts_with(".gmon-")));
    // The file that is meant is named, and none that is made in its place.
    let absent = subject.path("absent/new.json").display().to_string();
    let (status, said) = subject.refusal(&["-o", &absent]);
    assert_eq!(status, Some(1));
    assert_eq!(said, format!("gmon: {absent}: No such file or directory\n"));
}

#[test]
fn costs_are_calls_where_nothing_was_sampled() {
    let subject = Subject::run("dear.c", "sampler=none");
    let text = subject.exported(&["--format", "callgrind"]);
    assert!(text.contains("events: Calls\n") && text.contains("totals: 2504\n"), "{text}");
    let markdown = subject.exported(&["--format", "markdown"]);
    assert!(markdown.contains("| 2,000 | 0.00 | 0.00 | 79.9 | `work` |"), "{markdown}");
}

/// callgrind_annotate takes the file of a callee for another one than the same file before it.
#[test]
fn callgrind_names_the_file_of_a_callee_only_where_it_is_another() {
    let text = Subject::run("dear.c", "sampler=none").exported(&["--format", "callgrind"]);
    let number = |name: &str| name.split(' ').next().unwrap_or_default().to_owned();
    let (mut file, mut object, mut calls, mut others) = (String::new(), String::new(), 0, 0);
    for line in text.lines() {
        match line.split_once('=') {
            Some(("fl" | "fi" | "fe", name)) => file = number(name),
            Some(("ob", name)) => object = number(name),
            Some(("cfn", _)) => calls += 1,
            Some(("cfi", name)) => {
                others += 1;
                assert_ne!(number(name), file, "{text}");
            }
            Some(("cob", name)) => assert_ne!(number(name), object, "{text}"),
            _ => {}
        }
    }
    assert!(others < calls, "{others} of {calls}: {text}");
}

#[test]
fn parts_are_what_costs_the_most() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let rows = |options: &[&str]| -> Vec<String> {
        let text = subject.exported(&[&["--format", "csv"], options].concat());
        text.lines()
            .skip(1)
            .map(|row| row.split(',').next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(rows(&["--top", "2"]), ["work", "recurse"]);
    assert_eq!(rows(&["--min-share", "50"]), ["work"]);
    let all = rows(&[]);
    assert!(all.len() > 4 && all.contains(&"cheap".to_owned()), "{all:?}");
    let arcs = subject.exported(&["--format", "csv", "--table", "arcs"]);
    assert!(arcs.contains("\ndear,program,work,program,"), "{arcs}");
    assert!(
        text_of(&mut subject.export(&["--format", "tsv", "--table", "lines"]))
            .starts_with("file\tline\t")
    );
}

#[test]
fn samples_are_chosen_by_what_their_stacks_hold() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let folded = |options: &[&str]| -> Vec<(String, u64)> {
        let text = subject.exported(&[&["--format", "folded"], options].concat());
        let row = |line: &str| {
            let (stack, samples) = line.rsplit_once(' ')?;
            Some((format!(";{stack};"), samples.parse().ok()?))
        };
        text.lines().map(|line| row(line).unwrap_or_else(|| panic!("{line}"))).collect()
    };
    let sum = |rows: &[(String, u64)]| rows.iter().map(|(_, samples)| samples).sum::<u64>();
    // Samples in hooks have no stack to be chosen by.
    let mut all = folded(&[]);
    all.retain(|(stack, _)| stack != ";[profiling hooks];");
    let (with, without) = (folded(&["--only", "work"]), folded(&["--without", "work"]));
    assert!(with.iter().all(|(stack, _)| stack.contains(";work;")), "{with:?}");
    assert!(!without.iter().any(|(stack, _)| stack.contains(";work;")), "{without:?}");
    assert!(sum(&with) > 0 && sum(&without) > 0);
    assert_eq!(with.len() + without.len(), all.len());
    let call = folded(&["--only", "dear/work"]);
    assert!(call.iter().all(|(stack, _)| stack.contains(";dear;work;")), "{call:?}");
    // Every format has the chosen samples, no function beside them, and no counts.
    let profile = subject.exported(&["--format", "json", "--only", "work"]);
    let profile: serde_json::Value = serde_json::from_str(&profile).expect("JSON");
    assert_eq!(profile["sampling"]["samples"], sum(&with));
    let functions = profile["functions"].as_array().expect("functions");
    assert!(functions.iter().all(|it| it["calls"].is_null() && it["total_ns"] != 0));
    assert!(!functions.iter().any(|it| it["name"] == "recurse"), "{functions:?}");
    let (status, said) = subject.refusal(&["--format", "csv", "--only", "no_such"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("nothing that no_such names was called or seen on a stack"), "{said}");
    for format in ["csv", "speedscope"] {
        let none = ["--format", format, "--only", "work", "--without", "work"];
        let (status, said) = subject.refusal(&none);
        assert_eq!(status, Some(1), "{format}");
        assert!(
            said.ends_with(": there are no samples of stacks with work, without work\n"),
            "{said}"
        );
    }

    let (status, said) = subject.refusal(&["--format", "lcov", "--only", "work"]);
    assert_eq!(
        (status, said.as_str()),
        (Some(1), "gmon: --only chooses call stacks, and lcov has none\n")
    );
    let counted = Subject::run("dear.c", "hz=1000");
    let (status, said) = counted.refusal(&["--format", "csv", "--without", "work"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("--without needs call stacks: "), "{said}");
}

#[test]
fn stripped_programs_have_the_functions_that_stacks_show() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let mut strip = quiet("strip");
    text_of(strip.arg(subject.executable()));
    let folded = subject.exported(&["--format", "folded"]);
    assert!(folded.lines().any(|line| line.contains(";program+0x")), "{folded}");
}

#[test]
fn a_profile_of_nothing_is_refused() {
    let subject = Subject::run("dear.c", "hz=1000");
    let mut profile = subject.json();
    profile["sampling"]["samples"] = 0.into();
    for list in ["functions", "arcs", "cycles", "lines", "places"] {
        profile[list] = Vec::<u64>::new().into();
    }
    let file = subject.path("empty.json");
    fs::write(&file, profile.to_string()).expect("a writable folder");
    for format in ["csv", "pprof", "callgrind"] {
        let mut export = gmon();
        let output = export.args(["export", "--format", format]).arg(&file).output().expect("gmon");
        let said = said(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{said}");
        assert!(said.contains("empty.json: nothing was recorded"), "{said}");
    }
}

#[test]
fn callgrind_has_a_file_for_each_thread() {
    let subject = Subject::run("libraries.c", "stacks,hz=1000");
    let all = subject.path("callgrind.out.9");
    let options = ["--threads", "split", "-o", &all.display().to_string()];
    assert_eq!(text_of(&mut subject.export(&options)), "");
    assert!(!all.exists());
    let total = |name: &str| {
        let text = fs::read_to_string(subject.path(name)).expect("a file");
        let cost = text.lines().find_map(|line| line.strip_prefix("totals: ")).expect("totals");
        assert!(text.contains("desc: Calls: of all threads"), "{text}");
        cost.parse::<u64>().expect("a number")
    };
    let sum = total("callgrind.out.9-01") + total("callgrind.out.9-02");
    let sampling = &subject.json()["sampling"];
    assert_eq!(Some(sum), sampling["samples"].as_u64().map(|samples| samples * 1_000_000));
    assert!(total("callgrind.out.9-01") > 0 && total("callgrind.out.9-02") > 0);
    let (status, said) = subject.refusal(&["--format", "callgrind", "--threads", "split"]);
    assert_eq!((status, said.contains("say -o FILE")), (Some(2), true), "{said}");
}
