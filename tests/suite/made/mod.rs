//! Code that was made at run time: named by what its compiler leaves beside the process.

mod outside;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use support::command::{gmon, output_of, said, text_of};
use support::program::Program;
use support::suite::Suite;

const SUITE: Suite = Suite("made");

/// The map of a process, which goes with this.
struct Map(PathBuf);

impl Drop for Map {
    fn drop(&mut self) {
        // A test may have removed it.
        _ = fs::remove_file(&self.0);
    }
}

/// Runs the program under `gmon run`. Returns the summary, and the map that the program has named.
fn run(program: &Program, words: &str) -> (String, Map) {
    let mut command = gmon();
    command.current_dir(program.path("")).args(["run", "--top", "40"]);
    command.arg(&program.executable).args(words.split_whitespace());
    let output = output_of(&mut command);
    assert!(output.status.success(), "{output:?}");
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (said(&output), Map(path.into()))
}

/// The seconds of a function in a summary.
fn seconds(summary: &str, function: &str) -> Option<f64> {
    seconds_of_row(summary, |row| row.split_whitespace().skip(4).any(|word| word == function))
}

/// The seconds in the first row of a summary that is such.
fn seconds_of_row(summary: &str, is_such: impl Fn(&str) -> bool) -> Option<f64> {
    let row = summary.lines().find(|row| is_such(row))?;
    row.split_whitespace().next()?.parse().ok()
}

/// Output of a command about the profile in a folder.
fn read(program: &Program, words: &str) -> String {
    let mut command = gmon();
    command.args(words.split_whitespace()).arg(&program.executable);
    text_of(command.arg(program.path("gmon.out")))
}

/// True if `a` is some three times `b`, as it should be.
fn is_three_times(a: f64, b: f64) -> bool {
    (1.5..6.0).contains(&(a / b))
}

#[test]
fn code_that_is_mapped_twice_has_its_names() {
    let program = SUITE.without_profile("copied.c");
    let (summary, _) = run(&program, "");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert!(of("spin") > 0.0 && !summary.contains("[no symbol]"), "{summary}");
    assert!(!summary.contains("code that no file has"), "{summary}");
    // It is one function, wherever it is called.
    let folded = read(&program, "export --format folded");
    let samples = |caller: &str| {
        let of_line = |line: &str| line.rsplit_once(' ')?.1.parse::<f64>().ok();
        let lines = folded.lines().filter(|line| line.contains(&format!(";{caller};spin ")));
        lines.filter_map(of_line).sum::<f64>()
    };
    assert!(is_three_times(samples("in_copy"), samples("in_place")), "{folded}");
}

#[test]
fn code_of_a_map_has_names_in_all_views() {
    let program = SUITE.without_profile("made.c");
    let (summary, map) = run(&program, "map 10");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert!(is_three_times(of("hot_made"), of("warm_made")), "{summary}");
    for wrong in ["stale_made", "never_made", "half_mad", "0x"] {
        // Functions of libraries without names are called by their places: `libc.so.6+0x271d0`.
        let has_it = summary.split_whitespace().any(|word| word.starts_with(wrong));
        assert!(!has_it, "{wrong}: {summary}");
    }
    assert!(summary.contains("hot_made [JIT]"), "{summary}");
    // The profile is whole without the map.
    fs::remove_file(&map.0).expect("a map");
    let folded = read(&program, "export --format folded");
    assert!(folded.contains("main;work;call_made;hot_made "), "{folded}");
    let library = read(&program, "report --by library");
    assert!(library.contains("[JIT]: "), "{library}");
    let calls = read(&program, "report --calls=hot_made");
    assert!(calls.contains("call_made"), "{calls}");
    let last = read(&program, "report --last 200ms");
    assert!(last.contains("hot_made"), "{last}");
    for format in ["speedscope", "firefox", "pprof", "json", "callgrind", "perfetto"] {
        let output = program.path(&format!("profile.{format}"));
        let name = output.to_string_lossy().into_owned();
        read(&program, &format!("export --format {format} -o {name}"));
        let bytes = fs::read(&output).expect("a file");
        let is_packed = bytes.starts_with(b"\x1f\x8b");
        let has = |name: &[u8]| bytes.windows(name.len()).any(|it| it == name);
        assert!(is_packed || has(b"hot_made"), "{format}");
    }
    let page = program.path("page.html");
    let name = page.to_string_lossy().into_owned();
    read(&program, &format!("report --html {name}"));
    assert!(fs::read_to_string(page).expect("a page").contains("hot_made"));
    let data = program.path("gmon.out");
    let same = text_of(gmon().arg("diff").args([&data, &data]));
    assert!(same.contains("no change of time shown"), "{same}");
}

#[test]
fn runs_add_up_by_names() {
    let program = SUITE.without_profile("made.c");
    let (_, _map) = run(&program, "map 3");
    let first = program.path("first.out");
    for end in ["", ".full"] {
        let from = program.path(&format!("gmon.out{end}"));
        fs::rename(from, program.path(&format!("first.out{end}"))).expect("a profile");
    }
    let (_, _map) = run(&program, "map 3");
    let sum = program.path("sum.out");
    let full = |path: &Path| PathBuf::from(format!("{}.full", path.display()));
    let data = program.path("gmon.out");
    text_of(gmon().arg("merge").args([full(&first), full(&data)]).arg("-o").arg(&sum));
    let report = text_of(gmon().arg("report").arg(&program.executable).arg(&sum));
    assert_eq!(report.matches("hot_made").count(), 1, "{report}");
    let diff = text_of(gmon().arg("diff").args([&first, &data]));
    assert!(!diff.contains("made (only in"), "{diff}");
}

#[test]
fn a_dump_has_lines_and_times() {
    let program = SUITE.without_profile("made.c");
    let (summary, _) = run(&program, "dump 10");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert!(is_three_times(of("hot_made"), of("warm_made")), "{summary}");
    let lines = read(&program, "export --format csv --table lines");
    assert!(lines.contains("/made.js,7"), "{lines}");
    // Code that took the place of other code.
    let (summary, _) = run(&program, "dumped-twice 5");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert!((0.3..3.0).contains(&(of("early_made") / of("late_made"))), "{summary}");
}

#[test]
fn what_others_may_have_written_is_not_believed() {
    let program = SUITE.without_profile("made.c");
    let (summary, map) = run(&program, "open 3");
    let why = format!("{} is not believed: other users may write to it", map.0.display());
    assert!(summary.contains(&why), "{summary}");
    assert!(!summary.contains("hot_made"), "{summary}");
}

#[test]
fn code_that_nobody_tells_of_is_shown_without_names() {
    let program = SUITE.without_profile("made.c");
    let (summary, _) = run(&program, "none 3");
    assert!(summary.contains("call_made"), "{summary}");
    let hint = " %): a compiler at run time can tell its names by a perf map";
    assert!(summary.contains(hint), "{summary}");
}
