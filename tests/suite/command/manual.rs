//! Pages of the manual, completions, examples in help, and colours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::GMON;
use support::tools;
use support::workplace::Workplace;

/// Runs a tool on a file and returns what it says, on both streams; the tool must end well.
#[track_caller]
fn check(tool: &str, arguments: &[&str], file: &str, place: &Workplace) {
    let Some(tool) = tools::find(tool) else { return };
    let path = place.path(file);
    let mut command = Command::new(tool);
    command.args(arguments).arg(&path).assert().success().stdout("").stderr("");
}

fn generated() -> Workplace {
    let place = Workplace::new();
    place.gmon("generate share").assert().success().stdout(contains("share/man/man1/gmon.1"));
    place
}

#[test]
fn pages_are_as_mandoc_wants_them() {
    let place = generated();
    let pages: Vec<PathBuf> = fs::read_dir(place.path("share/man/man1"))
        .expect("pages")
        .map(|page| page.expect("a page").path())
        .collect();
    assert!(pages.len() > 12, "{pages:?}");
    let Some(mandoc) = tools::find("mandoc") else { return };
    Command::new(&mandoc).args(["-T", "lint", "-W", "warning"]).args(&pages).assert().success();
    for (page, text) in [
        ("gmon.1", "gmon-report(1)"),
        ("gmon-run.1", "gmon run make test"),
        ("gmon-gprof.1", "--flat-profile"),
        ("gmon-cc.1", "gmon cc [--blocks] [--dormant|--times] [COMPILER] ARGS..."),
        ("cargo-gmon.1", "cargo gmon test [OPTIONS]"),
    ] {
        let shown = Command::new(&mandoc)
            .args(["-T", "ascii", "-O", "width=200"])
            .arg(place.path("share/man/man1").join(page))
            .output()
            .expect("mandoc");
        let bytes = String::from_utf8_lossy(&shown.stdout);
        // Bold letters are printed twice.
        let mut plain = String::new();
        for letter in bytes.chars() {
            if letter == '\u{8}' {
                plain.pop();
            } else {
                plain.push(letter)
            }
        }
        assert!(plain.contains(text), "{page}: {plain}");
    }
}

/// Packages take them from the project.
#[test]
fn pages_and_completions_of_the_project_are_up_to_date() {
    let place = generated();
    let printed = place.gmon("generate share").output().expect("gmon").stdout;
    for path in String::from_utf8(printed).expect("UTF-8").lines() {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(path);
        let is_same = fs::read(&kept).ok() == fs::read(place.path(path)).ok();
        assert!(is_same, "{path} is old: cargo run -- generate packaging/share");
    }
}

#[test]
fn shells_take_their_completions() {
    let place = generated();
    check("bash", &["-n"], "share/bash-completion/completions/gmon", &place);
    check("zsh", &["-n"], "share/zsh/site-functions/_gmon", &place);
    check("fish", &["--no-execute"], "share/fish/vendor_completions.d/gmon.fish", &place);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        place.gmon(&format!("completions {shell}")).assert().success().stdout(contains("annotate"));
    }
    place.gmon("completions csh").assert().code(2).stderr(contains("bash"));
}

#[test]
fn bash_completes_commands_options_and_values() {
    let place = Workplace::new();
    for (words, completion) in [
        (&["gmon", "ann"][..], "annotate"),
        (&["gmon", "export", "--form"], "--format"),
        (&["gmon", "gprof", "--flat"], "--flat-profile"),
        (&["gmon", "run", "--names", "sh"], "short"),
    ] {
        let (last, count) = (words[words.len() - 1], words.len() - 1);
        let before = words[count - 1];
        let script = format!(
            "source <({GMON} completions bash)\n\
             COMP_WORDS=({}) COMP_CWORD={count}\n\
             _gmon gmon '{last}' '{before}'\necho \"${{COMPREPLY[@]}}\"",
            words.join(" ")
        );
        let bash = place.command("bash").args(["-c", &script]).assert().success().stderr("");
        bash.stdout(contains(completion));
    }
}

#[test]
fn help_and_manual_have_examples() {
    let place = Workplace::new();
    for command in ["run", "report", "annotate", "export", "cc", "install", "merge", "recover"] {
        place
            .gmon(&format!("{command} --help"))
            .assert()
            .success()
            .stdout(contains("Examples:\n  "));
    }
}

#[test]
fn colours_are_as_asked_for() {
    let place = super::with_program();
    place.gmon("run --report /dev/null prog.c").assert().success();
    let report =
        |arguments: &str| place.gmon(&format!("report {arguments} a.out")).assert().success();
    report("").stdout(contains("\x1b[").not());
    report("--color never").stdout(contains("\x1b[").not());
    report("--color always").stdout(contains("\x1b[1m"));
    let early = place.gmon("--color always report a.out").assert().success();
    early.stdout(contains("\x1b[1m"));
    let terminal = |options: &str| {
        let line = format!("{GMON} report {options} a.out");
        let mut script = place.command("script");
        script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").assert().success()
    };
    terminal("").stdout(contains("\x1b[1m"));
    terminal("--color never").stdout(contains("\x1b[").not());
    place.gmon("report --color sometimes a.out").assert().code(2).stderr(contains("always"));
}
