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
        ("cc --help", "Usage: gmon cc [--blocks] [--dormant] [COMPILER] ARGS..."),
        ("cc -h", "Usage: gmon cc [--blocks] [--dormant] [COMPILER] ARGS..."),
        ("help cc", "Usage: gmon cc [--blocks] [--dormant] [COMPILER] ARGS..."),
        ("config --help", "--shared-lib"),
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
    let at =
        |word: &str| overview.find(&format!("\n  {word} ")).unwrap_or_else(|| panic!("{word}"));
    let order = ["run", "report", "annotate", "gprof", "export", "cc", "recover", "bbconv"];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{overview}");
    let listed = overview.lines().take_while(|line| !line.starts_with("Help on"));
    let commands = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for command in commands.chain([""]) {
        let arguments = format!("{command} --help");
        let help = help(&arguments);
        let long = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{arguments}");
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
    for arguments in ["config --libs", "cc --help", "cc --version", "gprof --help"] {
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
