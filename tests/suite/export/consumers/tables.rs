//! What data bases, schemas and GitHub make of rows and tables.

use std::path::{Path, PathBuf};

use super::super::subjects::{Subject, list, sum};
use super::python;
use crate::conformance::programs;
use support::{
    command::{output_of, quiet, text_of},
    tools,
};

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
        (schema("gmon-profile-2.schema.json"), schema("gmon-rows-1.schema.json"));
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
    let Some(program) = programs::sqlite() else { return };
    let subject = Subject::large(program, &["20000"], "hz=1000");
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
