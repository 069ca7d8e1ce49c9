//! Descriptors: the runtime's come and go unseen, and do not depend on the program's.

use super::{SUITE, is_whole, run, run_in_silence};
use support::suite::USUAL_MODES;

#[test]
fn programs_that_follow_inherit_none() {
    let reference = SUITE.without_profile("steps.c");
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for steps in [&["list"][..], &["exec"], &["close all", "list"]] {
            let expected = run(&mut reference.command(), steps);
            let output = run_in_silence(&mut program.command(), steps);
            assert_eq!(output.stdout, expected.stdout, "{steps:?}");
        }
    }
}

#[test]
fn program_may_close_and_reuse_all_of_them() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for steps in [
            &["close all"][..],
            &["reuse"],
            &["chdir /", "close all"],
            &["chdir /", "reuse"],
            &["close 0", "close 1", "close all"],
        ] {
            program.clear();
            run_in_silence(&mut program.command(), steps);
            assert_eq!(program.files(), ["gmon.out", "program"], "{steps:?}");
            is_whole(&program, "gmon.out");
        }
    }
}
