//! Runs the example, a signal handler that prints its callers.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("an address")
}

#[test]
fn handler_prints_all_callers() {
    let own = std::env::current_exe().expect("the path of the test");
    let folder = own.parent().and_then(Path::parent).expect("a folder of builds");
    let output = Command::new(folder.join("examples/backtrace")).output();
    let output = output.expect("cargo builds examples with tests");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines = text.lines();
    let functions = lines.next().and_then(|line| line.strip_prefix("functions ")).expect("a line");
    let frames: Vec<&str> = lines.collect();
    assert_eq!(frames.last(), Some(&"complete"), "{text}");
    let mut frames = frames[..frames.len() - 1].iter().map(|frame| number(frame));
    for function in functions.split(' ').map(number) {
        assert!(frames.any(|pc| (function..function + 200).contains(&pc)), "{text}");
    }
    assert!(frames.count() >= 2, "nobody called main: {text}");
}

/// The README shows what runs.
#[test]
fn readme_shows_the_handler() {
    let readme = include_str!("../README.md");
    let example = include_str!("../examples/backtrace.rs");
    let handler = example.split("// The handler.\n").nth(1).expect("a handler");
    let handler = handler.split("// The end of the handler.").next().expect("its end");
    assert!(readme.contains(handler.trim()), "README.md lacks\n{handler}");
}
