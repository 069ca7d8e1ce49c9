//! Reports of exported profiles: every line of them is one of the data themselves.

use super::{report, run};
use support::command::{gmon, text_of};
use support::program::Program;

/// Parts of a report. Their files are named apart.
const PARTS: [&[&str]; 18] = [
    &["--top", "100"],
    &["--top", "2"],
    &["--names", "linker"],
    &["--names", "short"],
    &["--calls", "main"],
    &["--calls", "work"],
    &["--tree", "--cut", "0"],
    &["--bottom-up", "--cut", "0"],
    &["--inlines", "fold"],
    &["--threads"],
    &["--modules"],
    &["--by", "thread"],
    &["--by", "module"],
    &["--by", "library"],
    &["--by", "rank"],
    &["--only", "main", "--calls", "main"],
    &["--only", "dear/work"],
    &["--without", "work", "--tree"],
];

/// The file of a program's profile in JSON.
pub(super) fn exported(program: &Program) -> std::path::PathBuf {
    let json = program.path("profile.json");
    let mut export = gmon();
    export.args(["export", "-o"]).arg(&json).arg(&program.executable).arg(program.data());
    text_of(&mut export);
    json
}

/// The table, without the names of files and what stands for code without symbols: a profile in JSON has its modules alone.
pub(super) fn table(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.starts_with("profile "));
    let left_out = ["functions without names in "];
    let is_named = |line: &&str| !left_out.iter().any(|words| line.contains(words));
    lines.filter(is_named).map(|line| format!("{line}\n")).collect()
}

#[test]
fn exported_profiles_say_the_same_as_data_files() {
    for (source, options) in
        [("dear.c", "stacks,hz=1000"), ("libraries.c", "stacks,sampler=wall,hz=1000")]
    {
        let program = run(source, options);
        let json = exported(&program);
        for part in PARTS {
            if source == "libraries.c" && part.iter().any(|word| word.contains("work")) {
                continue;
            }
            let again = text_of(gmon().arg("report").arg(&json).args(part));
            assert_eq!(table(&again), table(&report(&program, part)), "{source} {part:?}");
        }
    }
}

#[test]
fn guesses_are_the_same_without_stacks() {
    let program = run("dear.c", "hz=1000");
    let json = exported(&program);
    for part in [&["--top", "100"][..], &["--names", "short"], &["--calls", "main"]] {
        let until_note = |text: String| {
            let table = table(&text);
            let lines = table.lines().take_while(|line| !line.starts_with("total: a guess"));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        let again = text_of(gmon().arg("report").arg(&json).args(part));
        assert_eq!(until_note(again), until_note(report(&program, part)), "{part:?}");
    }
}

#[test]
fn time_at_which_nobody_looked_is_there() {
    let program = run("dear.c", "stacks,hz=1000");
    let json = exported(&program);
    let text = std::fs::read_to_string(&json).expect("a profile");
    let mut profile: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for stack in profile["stacks"].as_array_mut().expect("stacks") {
        stack["signals"] = 0.into();
    }
    std::fs::write(&json, profile.to_string()).expect("room");
    let text = text_of(gmon().arg("report").arg(&json).args(["--only", "work"]));
    assert!(!text.contains("there are no such samples"), "{text}");
}

#[test]
fn guesses_have_the_digits_of_their_rate() {
    let program = run("dear.c", "hz=1000");
    let text = report(&program, &["--calls", "work"]);
    let line = text.lines().find(|line| line.contains(" of them in itself")).expect("times");
    let time = line.split(' ').next().and_then(|it| it.split_once('.')).expect("a time");
    assert_eq!(time.1.len(), 3, "{text}");
}

/// The system counts the time of the kernel for `gmon run --pid`: nobody looked at stacks there.
#[test]
fn the_row_of_the_kernel_is_no_look_at_a_stack() {
    let program = run("dear.c", "stacks,hz=1000");
    let json = exported(&program);
    let text = std::fs::read_to_string(&json).expect("a profile");
    let mut profile: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let looks = |json: &std::path::Path| -> u64 {
        let text = text_of(gmon().arg("report").arg(json));
        let line = text.lines().find(|line| line.contains(" at the stacks; ")).expect("looks");
        line.split(' ').next().expect("a number").replace(',', "").parse().expect("a number")
    };
    let all = looks(&json);
    let functions = profile["functions"].as_array_mut().expect("functions");
    let hottest = functions.iter_mut().max_by_key(|it| it["self_ns"].as_u64()).expect("a function");
    hottest["name"] = "[kernel]".into();
    std::fs::write(&json, profile.to_string()).expect("room");
    let others = looks(&json);
    assert!(others < all / 2, "{others} of {all}");
}
