//! Children: each has a file of its own, and its parent's is untouched.

use super::steps::{LIVE, command, in_modes, program, run};
use support::suite::{all_printed, printed};

#[test]
fn child_counts_in_a_file_of_its_own() {
    for program in in_modes() {
        for how in ["fork", "clone"] {
            for pause in ["", "stop, go on, ", "reset, ", "stop, "] {
                let output = run(&program, &format!("work 7, {how}, {pause}work 5, kill"));
                assert!(output.stderr.is_empty(), "{output:?}");
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let child = format!("{LIVE}.{}", printed(&text, "child"));
                assert_eq!(program.files(), [LIVE, &child, "program"], "{how}, {pause}");
                let [parent, child] = [LIVE, &child].map(|file| program.recovered(file));
                let (parents, childs) = match pause {
                    "reset, " => (5, 5),
                    "stop, " => (7, 0),
                    _ => (12, 5),
                };
                assert_eq!((parent.calls("work"), child.calls("work")), (parents, childs));
            }
        }
    }
}

#[test]
fn child_that_ends_leaves_gmon_out() {
    for program in in_modes() {
        for how in ["fork", "clone"] {
            let output = run(&program, &format!("work 7, {how}, work 5"));
            assert!(output.stderr.is_empty(), "{output:?}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let child = format!("gmon.out.{}", printed(&text, "child"));
            assert_eq!(program.files(), ["gmon.out", &child, "program"]);
            assert_eq!(program.counts("gmon.out").calls("work"), 12);
            assert_eq!(program.counts(&child).calls("work"), 5);
        }
    }
}

#[test]
fn every_generation_has_a_file() {
    let program = program();
    let output = run(&program, "work 7, fork, work 5, fork, work 3, kill");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let children: Vec<&str> = all_printed(&text, "child").collect();
    // Two of the parent, one of its first child.
    assert_eq!((children.len(), program.files().len()), (3, 5), "{text}");
    let mut calls: Vec<u64> = children
        .iter()
        .map(|child| program.recovered(&format!("{LIVE}.{child}")).calls("work"))
        .collect();
    calls.sort_unstable();
    assert_eq!((calls, program.recovered(LIVE).calls("work")), (vec![3, 3, 8], 15));
}

#[test]
fn pattern_names_the_process() {
    let program = program();
    let mut command = command(&program, "work 7, fork, work 5, kill");
    command.env("GMON_OPTIONS", "live=%e-%p.%%,sampler=none");
    let output = command.output().expect("a program");
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let child = format!("program-{}.%", printed(&text, "child"));
    assert_eq!(program.recovered(&child).calls("work"), 5);
    let files = program.files();
    let parent = files.iter().find(|name| name.ends_with('%') && **name != child);
    assert_eq!(program.recovered(parent.expect("another file")).calls("work"), 12);
}

/// The descriptor is gone, the directory another: the file is found again when it has to grow.
#[test]
fn program_may_close_what_it_does_not_know() {
    for program in in_modes() {
        let output = run(&program, "work 7, close, directory /, threads 120, work 5, kill");
        assert!(output.stderr.is_empty(), "{output:?}");
        let counts = program.recovered(LIVE);
        assert_eq!((counts.calls("work"), counts.calls("thread_work")), (12, 120));
    }
}
