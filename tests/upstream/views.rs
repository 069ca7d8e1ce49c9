//! Compares what the views of profiles of other people's programs say, and prints what people see first:
//! `upstream_views GMON FOLDER`. `tests/upstream/views` builds the programs into the folder and starts this.

mod commands;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use serde_json::Value;
use support::command::text_of;
use support::summary;

/// Rows that are printed, and whose names are judged.
const FIRST: usize = 10;

/// A program, of which `gmon run` has just made a profile.
struct Profiled<'a> {
    gmon: &'a Path,
    /// Place of the profile.
    folder: PathBuf,
    /// Text that `gmon run` wrote.
    summary: String,
    complaints: Vec<String>,
}

impl<'a> Profiled<'a> {
    /// Runs the program of a file of words once; a script beside that may have a server work, and ends it.
    fn run(gmon: &'a Path, file: &Path, words: &[String]) -> Self {
        let (folder, beside) = (file.with_extension("profile"), file.with_extension("beside"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder");
        let mut run = Command::new(gmon);
        run.arg("run")
            .args(words)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let child = run.spawn().expect("gmon run");
        let load = beside.exists().then(|| {
            let mut script = Command::new("bash");
            script.arg(&beside).arg(child.id().to_string()).spawn().expect("bash")
        });
        let output = child.wait_with_output().expect("its end");
        load.map(|mut script| script.wait().expect("its end"));
        let summary = String::from_utf8(output.stderr).expect("UTF-8");
        let complaints = match output.status.code() {
            Some(0) => Vec::new(),
            code => vec![format!("ended with {code:?}: {summary}")],
        };
        Self { gmon, folder, summary, complaints }
    }

    /// Output of the command; without arguments `gmon report` finds the program by itself.
    fn text(&self, words: &[&str]) -> String {
        text_of(Command::new(self.gmon).args(words).current_dir(&self.folder))
    }

    /// The rows of all tables.
    fn rows(&self, words: &[&str]) -> Vec<Value> {
        let document = self.json(&[words, &["--format", "json"]].concat());
        let tables = document["tables"].as_array().expect("tables");
        tables.iter().flat_map(|table| table["rows"].as_array().expect("rows").clone()).collect()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.text(words)).expect("JSON")
    }

    fn expect(&mut self, is_so: bool, why: impl FnOnce() -> String) {
        if !is_so {
            self.complaints.push(why());
        }
    }

    /// Compares all views; returns how many functions the report has.
    fn compare(&mut self) -> usize {
        let mut rows = self.rows(&["report", "--top", "1000000"]);
        // Hooks are no part of the program's time.
        rows.retain(|row| !text(row, "function").contains("hooks]"));
        let profile = self.json(&["export", "--format", "json"]);
        self.summary_is_the_report();
        self.shares_add_up(&rows);
        self.samples_are_those_of_json(&rows, &profile);
        self.times_of_calls_are_of_the_total(&rows, &profile);
        self.bottom_up_begins_alike(&rows);
        let functions = rows.iter().filter(|row| !text(row, "function").starts_with('['));
        for row in functions.clone().take(FIRST) {
            self.name_is_known(row);
        }
        let own = functions.filter(|row| row["inlined"].is_null());
        for row in own.take(FIRST) {
            self.callees_say_the_same(row);
            self.lines_add_up(row);
        }
        rows.len()
    }

    fn summary_is_the_report(&mut self) {
        let of = |text: &str| -> Vec<_> {
            let rows = summary::rows(text).into_iter();
            rows.map(|row| (row.number("self"), row.number("%"), row.name)).collect()
        };
        let (first, later) = (of(&self.summary), of(&self.text(&["report"])));
        self.expect(!first.is_empty() && first == later, || format!("{first:?} is now {later:?}"));
    }

    fn shares_add_up(&mut self, rows: &[Value]) {
        let sum: f64 = rows.iter().filter_map(|row| row["self_percent"].as_f64()).sum();
        self.expect((sum - 100.0).abs() < 0.01, || format!("shares add up to {sum} %"));
    }

    fn name_is_known(&mut self, row: &Value) {
        let name = text(row, "function");
        let odd = ["@@", "__GI_", "0x", ".constprop", ".isra", ".part"];
        self.expect(!odd.iter().any(|part| name.contains(part)), || format!("the name {name}"));
    }

    /// Calls of a function by itself are within others.
    fn times_of_calls_are_of_the_total(&mut self, rows: &[Value], profile: &Value) {
        let list = |name: &str| profile[name].as_array().expect("a list");
        let mut by_themselves: BTreeMap<&str, u64> = BTreeMap::new();
        for arc in list("arcs").iter().filter(|arc| arc["caller"] == arc["callee"]) {
            let function = &list("functions")[arc["callee"].as_u64().expect("an id") as usize];
            *by_themselves.entry(text(function, "display")).or_default() +=
                arc["calls"].as_u64().unwrap_or(0);
        }
        for row in rows {
            let number = |column: &str| row[column].as_f64();
            let each = number("per_call_ns").zip(number("calls")).zip(number("total_ns"));
            let Some(((per_call, calls), total)) = each else { continue };
            let own = by_themselves.get(text(row, "function")).copied().unwrap_or(0);
            let expected = total / (calls - own as f64);
            let is_so = (per_call - expected).abs() <= 0.01 * expected;
            self.expect(is_so, || format!("a call takes {per_call}, not {expected} ns: {row}"));
        }
    }

    fn callees_say_the_same(&mut self, row: &Value) {
        let rows = self.rows(&["report", "--calls", &name_of(row)]);
        let own = rows.iter().filter(|it| text(it, "function") == "[itself]");
        let own: f64 = own.filter_map(|it| it["total_ns"].as_f64()).sum();
        // Without callees nothing stands apart.
        let has_callees = rows.iter().any(|it| text(it, "relation") == "callee");
        let of_row = row["self_ns"].as_f64().expect("a time");
        self.expect(!has_callees || own == of_row, || {
            format!("{} by itself: {own} beside its callees, not {of_row}", name_of(row))
        });
    }

    fn lines_add_up(&mut self, row: &Value) {
        let words = ["annotate", "--function", &name_of(row), "--format", "json"];
        let annotate = Command::new(self.gmon).args(words).current_dir(&self.folder).output();
        let output = annotate.expect("gmon annotate");
        // Libraries have no lines, or no sources.
        let Ok(document) = serde_json::from_slice::<Value>(&output.stdout) else { return };
        let tables = document["tables"].as_array().expect("tables");
        let rows = tables.iter().flat_map(|table| table["rows"].as_array().expect("rows"));
        let lines: f64 = rows.filter_map(|line| line["self_ns"].as_f64()).sum();
        let of_row = row["self_ns"].as_f64().expect("a time");
        let is_so = tables.is_empty() || lines == of_row;
        self.expect(is_so, || format!("lines of {}: {lines}, not {of_row}", name_of(row)));
    }

    fn samples_are_those_of_json(&mut self, rows: &[Value], profile: &Value) {
        let number = |name: &str| profile["sampling"][name].as_u64().unwrap_or(0);
        let whole = (number("samples") - number("hooks")) * number("period_ns");
        let sum: u64 = rows.iter().filter_map(|row| row["self_ns"].as_u64()).sum();
        self.expect(sum == whole, || format!("{sum} ns in rows, {whole} in JSON"));
    }

    fn bottom_up_begins_alike(&mut self, rows: &[Value]) {
        let key = |row: &Value| (name_of(row), text(row, "module").to_owned());
        let known: BTreeMap<_, _> = rows.iter().map(|row| (key(row), &row["self_ns"])).collect();
        let paths = self.rows(&["report", "--bottom-up"]);
        let mut found = 0;
        for row in paths.iter().filter(|row| row["depth"] == 0) {
            let Some(own) = known.get(&key(row)) else { continue };
            self.expect(**own == row["self_ns"], || format!("{own} ns in rows, bottom up {row}"));
            found += 1;
        }
        self.expect(found > 0, || format!("bottom up: {paths:?}"));
    }
}

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or("")
}

fn name_of(row: &Value) -> String {
    text(row, "function").to_owned()
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [gmon, folder] = arguments.iter().map(Path::new).collect::<Vec<_>>()[..] else {
        eprintln!("usage: upstream_views GMON FOLDER");
        return ExitCode::from(2);
    };
    let mut is_well = true;
    for (file, words) in commands::commands(folder) {
        let mut profiled = Profiled::run(gmon, &file, &words[1..]);
        let functions = profiled.compare();
        println!("{}", profiled.summary.trim());
        println!(
            "{}: {functions} functions, {} things differ\n",
            words[0],
            profiled.complaints.len()
        );
        profiled.complaints.iter().for_each(|complaint| println!("  {complaint}"));
        is_well &= profiled.complaints.is_empty();
    }
    ExitCode::from(u8::from(!is_well))
}
