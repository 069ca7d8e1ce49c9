//! Names that hold the marks of every format: each reader gets them as text, and nothing else changes.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::subjects::{Subject, export_again, list};
use support::command::{output_of, quiet, said, text_of};
use support::tools;

/// What no compiler calls a function, but a profile may.
const NAME: &str = "f<\"a;b\">(1, 2)\\n|`=\t(3) \u{1b}[1m</script>\n999 calls=5 \u{e9}";

/// The name where there is one line for each, and no tabs.
const ON_ONE_LINE: &str = "f<\"a;b\">(1, 2)\\n|`= (3)  [1m</script> 999 calls=5 \u{e9}";

/// A profile in which `work` has that name, and its file and its module have others like it.
fn profile(subject: &Subject) -> (PathBuf, Value) {
    let mut profile = subject.json();
    for function in profile["functions"].as_array_mut().expect("functions") {
        if function["name"] == "work" {
            function["name"] = NAME.into();
            function["display"] = NAME.into();
        }
    }
    for file in profile["files"].as_array_mut().expect("files") {
        *file = format!("{} \"x\"\n1 2", file.as_str().expect("a path")).into();
    }
    let path = subject.path("names.json");
    fs::write(&path, profile.to_string()).expect("a writable folder");
    (path, profile)
}

fn samples(profile: &Value) -> u64 {
    profile["sampling"]["samples"].as_u64().expect("a number")
}

#[test]
fn names_are_text_in_every_format() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let (path, profile) = profile(&subject);
    let export = |format: &str| export_again(&path, &["--format", format]);
    let rows = list(&profile, "functions").len();

    let json: Value = serde_json::from_str(&export("json")).expect("JSON");
    assert_eq!(json, profile);
    let speedscope: Value = serde_json::from_str(&export("speedscope")).expect("JSON");
    assert!(list(&speedscope["shared"], "frames").iter().any(|frame| frame["name"] == NAME));
    for row in export("jsonl").lines() {
        let row: Value = serde_json::from_str(row).expect("JSON in each line");
        assert!(row["kind"].is_string(), "{row}");
    }

    let tsv = export("tsv");
    assert_eq!(tsv.lines().count(), rows + 1, "{tsv}");
    assert!(tsv.contains("\\n|`=\\t(3)"), "{tsv}");
    let markdown = export("markdown");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(markdown.lines().filter(|it| it.starts_with('|')).all(|it| columns(it) == 6));

    // The names for frames are divided by semicolons, and the samples come last.
    let folded = export("folded");
    let sums = folded.lines().map(|it| it.rsplit_once(' ').expect("two parts").1);
    assert_eq!(sums.map(|it| it.parse::<u64>().expect("samples")).sum::<u64>(), samples(&profile));
    assert!(folded.contains(&format!(";{} ", ON_ONE_LINE.replace(';', ":"))), "{folded}");

    let callgrind = export("callgrind");
    let named = callgrind.lines().filter(|it| it.ends_with(&format!(") {ON_ONE_LINE}"))).count();
    assert_eq!(named, 1, "{callgrind}");
    let is_known = |line: &str| {
        let digits = line.chars().all(|c| c.is_ascii_digit() || c == ' ');
        let key = line.split(['=', ':']).next().unwrap_or_default();
        digits || line.starts_with('#') || key.chars().all(|c| c.is_ascii_lowercase())
    };
    assert!(callgrind.lines().all(is_known), "{callgrind}");
}

#[test]
fn other_programs_read_any_name() {
    let subject = Subject::run("dear.c", "stacks,hz=1000");
    let (path, profile) = profile(&subject);
    let file = |name: &str, format: &str| {
        let file = subject.path(name);
        fs::write(&file, export_again(&path, &["--format", format])).expect("a writable folder");
        file
    };
    let total = samples(&profile) * profile["sampling"]["period_ns"].as_u64().expect("a number");
    if tools::find("callgrind_annotate").is_some() {
        let mut annotate = quiet("callgrind_annotate");
        let shown = text_of(annotate.arg("--auto=no").arg(file("callgrind.out.3", "callgrind")));
        let totals = shown.lines().find(|it| it.ends_with("PROGRAM TOTALS")).expect("totals");
        let digits = totals.chars().take_while(|c| *c != '(').filter(char::is_ascii_digit);
        assert_eq!(digits.collect::<String>(), total.to_string());
    }
    if tools::find("dot").is_some() {
        let drawn = text_of(quiet("dot").arg("-Tjson0").arg(file("names.dot", "dot")));
        let drawn: Value = serde_json::from_str(&drawn).expect("JSON");
        let tips = list(&drawn, "objects").iter().filter_map(|node| node["tooltip"].as_str());
        assert!(
            tips.clone().any(|tip| tip.replace("\\\\", "\\").contains("(1, 2)\\n|`=")),
            "{:?}",
            tips.collect::<Vec<_>>()
        );
    }
    if tools::find("inferno-flamegraph").is_some() {
        let output = output_of(quiet("inferno-flamegraph").arg(file("names.folded", "folded")));
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    }
    if let Some(checker) = tools::find("check-jsonschema") {
        let python = checker.parent().expect("a folder").join("python3");
        let script = "import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline='')))\n\
                      print(len(rows), sum(int(row['samples']) for row in rows), any(row['function'] == sys.argv[2] for row in rows))";
        let mut python = quiet(python);
        let table = file("names.csv", "csv");
        let shown = text_of(python.args(["-c", script]).arg(table).arg(NAME));
        let rows = list(&profile, "functions").len();
        assert_eq!(shown, format!("{rows} {} True\n", samples(&profile)));
    }
}
