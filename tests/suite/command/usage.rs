//! Help, versions and bad usage.

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::GMON;
use support::workplace::Workplace;

#[test]
fn help_is_everywhere() {
    let place = Workplace::new();
    for (arguments, text) in [
        ("--help", "Usage: gmon [OPTIONS] <COMMAND>"),
        ("-h", "Usage: gmon [OPTIONS] <COMMAND>"),
        ("help", "Usage: gmon [OPTIONS] <COMMAND>"),
        ("run --help", "Usage: gmon run [OPTIONS] COMMAND"),
        ("help run", "Usage: gmon run [OPTIONS] COMMAND"),
        ("cc --help", "Usage: gmon cc [--blocks] [--dormant|--times] [COMPILER] ARGS..."),
        ("cc -h", "Usage: gmon cc [--blocks] [--dormant|--times] [COMPILER] ARGS..."),
        ("help cc", "Usage: gmon cc [--blocks] [--dormant|--times] [COMPILER] ARGS..."),
        ("config --help", "--shared-lib"),
        ("run --help-all", "Usage: gmon run [OPTIONS] COMMAND"),
        ("install --help", "Usage: gmon install [OPTIONS]"),
        ("help install", "DESTDIR"),
        ("help gprof", "gprof"),
        ("gprof --help", "Usage: gprof"),
        ("help gprof", "Usage: gprof"),
        ("report --help", "Usage: gmon report [OPTIONS] [PROGRAM] [DATA]..."),
    ] {
        place.gmon(arguments).assert().success().stdout(contains(text)).stderr("");
    }
}

#[test]
fn help_fits_a_terminal_and_begins_with_what_is_used_most() {
    let place = Workplace::new();
    let help = |arguments: &str| {
        let output = place.gmon(arguments).output().expect("gmon").stdout;
        String::from_utf8(output).expect("UTF-8")
    };
    let overview = help("--help");
    // One screen, with room for the prompt.
    assert!(overview.lines().count() < 24, "{overview}");
    let listed = |line: &str| {
        let (heading, rest) = line.split_at_checked(9)?;
        let is_row = heading.trim_end().bytes().all(|letter| letter.is_ascii_alphabetic());
        let words = [heading.trim_end(), rest.split(' ').next()?].map(str::to_owned);
        (is_row && !words[1].is_empty()).then_some(words)
    };
    let rows = overview.lines().skip_while(|line| !line.starts_with("Measure")).map_while(listed);
    let (headings, commands): (Vec<_>, Vec<_>) =
        rows.map(|[heading, word]| (heading, word)).unzip();
    let headings: Vec<_> = headings.iter().filter(|heading| !heading.is_empty()).collect();
    assert_eq!(headings, ["Measure", "Read", "Compare", "Build", "Live", "Repair"], "{overview}");
    assert_eq!(commands[..3], ["run", "report", "annotate"], "{overview}");
    assert_eq!(commands.len(), 15, "{overview}");
    let commands = commands.iter().map(String::as_str);
    for command in commands.chain([""]) {
        let arguments = format!("{command} --help");
        let help = help(&arguments);
        let long = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{arguments}");
        // That of gprof is as GNU gprof has it.
        if !["", "gprof"].contains(&command) {
            assert!(help.starts_with("Example: "), "{help}");
            assert!(help.lines().next().is_some_and(|line| line.contains("gmon ")), "{help}");
        }
    }
}

#[test]
fn actions_have_a_line_each_at_any_width() {
    let place = Workplace::new();
    for columns in ["40", "80", "200"] {
        let output = place.gmon("ctl --help").env("COLUMNS", columns).output().expect("gmon");
        let help = String::from_utf8(output.stdout).expect("UTF-8");
        for action in ["on, off", "snapshot", "reset", "rate N", "status"] {
            let start = format!("  {action:<10}");
            assert!(help.lines().any(|line| line.starts_with(&start)), "{columns}: {help}");
        }
    }
}

#[test]
fn rare_options_are_in_the_long_help() {
    let place = Workplace::new();
    for (command, rare, usual) in [
        ("run", "--warmup", "--rate"),
        ("report", "--any-build", "--calls"),
        ("diff", "--alpha", "--fail-on"),
        ("export", "--anonymous", "--format"),
    ] {
        let brief = place.gmon(&format!("{command} --help")).assert().success();
        let more = format!("gmon {command} --help-all");
        brief.stdout(contains(usual).and(contains(more.as_str())).and(contains(rare).not()));
        place
            .gmon(&more["gmon ".len()..])
            .assert()
            .success()
            .stdout(contains(usual).and(contains(rare)));
    }
    // Behind a program it is the program's.
    place.write_executable("echo.sh", "#!/bin/sh\necho $1\n");
    place.gmon("run ./echo.sh --help-all").assert().success().stdout("--help-all\n");
    place.gmon("no-such-command --help-all").assert().code(1).stderr(contains("no command"));
}

#[test]
fn a_path_in_the_place_of_a_command_is_run() {
    let place = super::with_program();
    let run = place.gmon("prog.c -- 5").assert().code(5);
    run.stderr(contains("calls of 2 functions"));
    for program in ["./a.out", &place.path("a.out").display().to_string()] {
        place
            .gmon(&format!("{program} 5"))
            .assert()
            .code(5)
            .stderr(contains("calls of 2 functions"));
    }
}

#[test]
fn words_of_other_profilers_lead_to_ours() {
    let place = Workplace::new();
    for word in ["record", "stat"] {
        let said = contains(format!("gmon: there is no command {word}: gmon run COMMAND"));
        place.gmon(&format!("{word} ./prog")).assert().code(2).stdout("").stderr(said);
    }
}

#[test]
fn version_is_everywhere() {
    let place = Workplace::new();
    for (arguments, name) in [
        ("--version", "gmon"),
        ("-V", "gmon"),
        ("run --version", "gmon run"),
        ("cc --version", "gmon cc"),
        ("config --version", "gmon config"),
        ("install --version", "gmon install"),
    ] {
        let line = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        place.gmon(arguments).assert().success().stdout(contains(line));
    }
    place.gmon("gprof --version").assert().success();
    place.gmon("-V").assert().stdout(format!("gmon {}\n", env!("CARGO_PKG_VERSION")));
    let carried = contains("With runtimes for:\n  ").and(contains("Built by rustc"));
    place.gmon("--version").assert().stdout(carried);
}

#[test]
fn an_output_that_takes_no_more_is_no_panic() {
    let place = Workplace::new();
    for arguments in [
        "config --libs",
        "cc --help",
        "cc --version",
        "gprof --help",
        "--help",
        "run --help",
        "run --help-all",
        "--version",
    ] {
        let line = format!("{GMON} {arguments}");
        let full = place.command("sh").arg("-c").arg(format!("{line} > /dev/full")).assert();
        full.code(1).stderr(contains("No space left on device").and(contains("\n").count(1)));
        // The reader is gone before the first word; the shell waits for both.
        let line = format!("(sleep 0.1; {line}; echo $? > status) | true");
        place.command("sh").arg("-c").arg(line).assert().success().stderr("");
        assert_eq!(place.read("status"), "0\n", "{arguments}");
    }
}

#[test]
fn bad_usage_is_status_2() {
    let place = Workplace::new();
    for arguments in [
        "",
        "no-such-subcommand",
        "--no-such-option",
        "run",
        "run --top",
        "run --top many ./prog",
        "run --no-such-option ./prog",
        "cc",
        "config",
        "config --no-such-option",
        "config --libs extra",
        "install extra",
        "install --prefix",
        "install --libdir ..",
        "install --libdir /lib",
        "install --libdir .",
    ] {
        let command = place.gmon(arguments).assert().code(2).stdout("");
        command.stderr(contains("Usage: gmon").or(contains("try '--help'")));
    }
}
