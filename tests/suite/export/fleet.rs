//! Many profiles as rows in folders: the sums of DuckDB and Spark are those of `gmon merge`.

use std::collections::BTreeMap;

use serde_json::Value;
use support::command::{output_of, said, text_of};
use support::{tools, workplace::Workplace};

use super::consumers::python;

/// So many processes.
const PROCESSES: usize = 50;

/// Runs long enough for samples. `work` is called 40 times by `cheap` and 10 times by `dear`.
const PROGRAM: &str = r#"
    volatile unsigned long sum;
    __attribute__((noinline)) void work(int n) { while (n--) sum += n; }
    __attribute__((noinline)) void cheap(void) { for (int i = 0; i < 40; i++) work(10); sum++; }
    __attribute__((noinline)) void dear(void) { for (int i = 0; i < 10; i++) work(8000000); sum++; }
    int main(void) { cheap(); dear(); return 0; }
"#;

fn with_program() -> (Workplace, String) {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.must(&format!("{} cc gcc -O1 prog.c -o prog", crate::GMON));
    let executable = place.path("prog").display().to_string();
    (place, executable)
}

#[test]
fn sums_of_a_fleet_are_those_of_gmon_merge() {
    let (place, executable) = with_program();
    let full: Vec<String> = (0..PROCESSES).map(|process| format!("{process}.out.full")).collect();
    for process in 0..PROCESSES {
        let mut command = place.command(&executable);
        command.env("GMON_OPTIONS", format!("stacks,hz=1000,out={process}.out"));
        text_of(&mut command);
        let export =
            format!("export --format jsonl --run {process} -o data/ {executable} {process}.out");
        text_of(&mut place.gmon(&export));
    }
    text_of(place.gmon("merge -o all.full").args(&full));
    text_of(&mut place.gmon(&format!("export -o all.json {executable} all.full")));
    let all: Value = serde_json::from_str(&place.read("all.json")).expect("JSON");
    let name = |id: &Value| {
        id.as_u64().map(|id| all["functions"][id as usize]["name"].as_str().expect("a name"))
    };
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for arc in all["arcs"].as_array().expect("arcs") {
        if let Some(calls) = arc["calls"].as_u64() {
            let (caller, callee) =
                (name(&arc["caller"]).unwrap_or("__external_caller"), name(&arc["callee"]));
            *expected.entry(format!("{caller} {}", callee.expect("a name"))).or_default() += calls;
        }
    }
    assert_eq!(
        (expected["cheap work"], expected["dear work"]),
        (40 * PROCESSES as u64, 10 * PROCESSES as u64)
    );

    // So does the sum of the rows.
    text_of(&mut place.gmon("merge -o sum.json data"));
    let sum: Value = serde_json::from_str(&place.read("sum.json")).expect("JSON");
    let name_of =
        |id: &Value| sum["functions"][id.as_u64().expect("a number") as usize]["name"].as_str();
    let mut added: BTreeMap<String, u64> = BTreeMap::new();
    for arc in sum["arcs"].as_array().expect("arcs") {
        if let Some(calls) = arc["calls"].as_u64() {
            let caller = if arc["caller"].is_null() { None } else { name_of(&arc["caller"]) };
            let (caller, callee) = (caller.unwrap_or("__external_caller"), name_of(&arc["callee"]));
            added.insert(format!("{caller} {}", callee.expect("a name")), calls);
        }
    }
    assert_eq!(added, expected);
    assert_eq!(sum["sampling"]["samples"], all["sampling"]["samples"]);

    for (tool, modules, add_up) in
        [("python3", "duckdb", BY_DUCKDB), ("java", "duckdb, pyspark", BY_SPARK)]
    {
        let Some(mut python) = tools::find(tool).and_then(|_| python(modules)) else { continue };
        let fleet = support::root().join("examples/fleet");
        python.args(["-c", &format!("{add_up}{PRINT}")]).arg(fleet).current_dir(place.folder());
        let printed = text_of(python.env("SPARK_LOCAL_IP", "127.0.0.1"));
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for line in printed.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [caller, callee, calls, runs] = words[..] else { panic!("{line}") };
            assert_eq!(runs.parse(), Ok(PROCESSES), "{line}");
            found.insert(format!("{caller} {callee}"), calls.parse().expect("a number"));
        }
        assert_eq!(found, expected, "{modules}");
    }
}

/// Leaves a query of the sums in `query`.
const BY_DUCKDB: &str = "
import sys, duckdb
*before, query = [text for text in open(f'{sys.argv[1]}/arcs.sql').read().split(';') if text.strip()]
for statement in before:
    duckdb.sql(statement)
";

/// What Spark says of itself is nothing to look at, unless it fails.
const BY_SPARK: &str = "
import sys, duckdb, subprocess
command = [sys.executable, f'{sys.argv[1]}/arcs.py', 'data', 'sums.parquet']
spark = subprocess.run(command, capture_output=True, text=True)
if spark.returncode != 0:
    sys.exit(spark.stderr)
query = \"SELECT module, caller, name, calls, runs FROM 'sums.parquet/*.parquet'\"
";

const PRINT: &str = "
for module, caller, name, calls, runs in duckdb.sql(query).fetchall():
    print(caller, name, calls, runs)
";

#[test]
fn a_fleet_needs_to_know_when_and_where() {
    let (place, executable) = with_program();
    text_of(place.command(&executable).env("GMON_OPTIONS", "hz=100"));
    let export =
        |words: &str| output_of(&mut place.gmon(&format!("export {words} -o data/ {executable}")));
    let refused = export("--format jsonl");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(
        said(&refused).contains("does not say on which host and when it began"),
        "{}",
        said(&refused)
    );
    let refused = export("--format pprof");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(said(&refused).contains("only jsonl"), "{}", said(&refused));
    assert!(!place.exists("data"));
}
