//! A program that controls its own profile, by `gmon.h` and by the classic functions.

use super::SUITE;
use support::{
    command::text_of,
    compilers::GCC,
    modes::NO_PROFILE,
    program::Program,
    suite::{USUAL_MODES, printed},
};

/// The program in all usual modes.
fn in_modes() -> impl Iterator<Item = Program> {
    SUITE.in_modes("control.c", &USUAL_MODES)
}

/// Runs the program with these steps, and gives what it says.
fn run(program: &Program, steps: &str) -> String {
    program.clear();
    text_of(program.command().args(steps.split(", ")))
}

/// Runs the program in all usual modes and checks what is in each of the files it leaves.
fn check(steps: &str, files: &[(&str, &str)]) {
    for program in in_modes() {
        run(&program, steps);
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        assert_eq!(program.files(), [&names[..], &["program"]].concat(), "{steps}");
        for (name, counts) in files {
            program.counts(name).are(counts);
        }
    }
}

const MAIN: &str = "<outside> -> main 1\nmain -> ";

#[test]
fn stopped_profile_counts_nothing_and_goes_on() {
    // The call of the step that stops is counted, that of the step that starts again is not.
    let counts = format!("{MAIN}step 3\nstep -> work 16");
    check("work 5, gmon_stop, work 7, gmon_start, work 11", &[("gmon.out", &counts)]);
    check("work 5, moncontrol(0), work 7, moncontrol(1), work 11", &[("gmon.out", &counts)]);
    check("work 5, moncontrol(0), work 7, gmon_start, work 11", &[("gmon.out", &counts)]);
    let ends_stopped = format!("{MAIN}step 2\nstep -> work 5");
    check("work 5, gmon_stop, work 7", &[("gmon.out", &ends_stopped)]);
}

#[test]
fn repeated_stops_and_starts_are_as_one() {
    // Three calls of `step` find the profile stopped.
    let counts = format!("{MAIN}step 5\nstep -> work 16");
    check(
        "work 5, gmon_stop, moncontrol(0), work 7, moncontrol(1), gmon_start, work 11, monstartup",
        &[("gmon.out", &counts)],
    );
    let counts = format!("{MAIN}step 4\nstep -> work 16");
    check("work 5, gmon_start, work 11, monstartup", &[("gmon.out", &counts)]);
}

#[test]
fn reset_profile_begins_at_zero() {
    check("work 5, gmon_reset, work 7", &[("gmon.out", "main -> step 1\nstep -> work 7")]);
}

#[test]
fn snapshot_is_whole_and_the_profile_goes_on() {
    let first = format!("{MAIN}step 2\nstep -> work 5");
    let last = format!("{MAIN}step 4\nstep -> work 12");
    check("work 5, gmon_snapshot, keep first, work 7", &[("first", &first), ("gmon.out", &last)]);
}

#[test]
fn cleanup_by_hand_ends_the_profile() {
    let counts = format!("{MAIN}step 2\nstep -> work 5");
    check("work 5, _mcleanup", &[("gmon.out", &counts)]);
    check("work 5, _mcleanup, work 7, _mcleanup", &[("gmon.out", &counts)]);
    check("work 5, _mcleanup, keep first, work 7", &[("first", &counts)]);
}

/// At exit the program still calls the C library, which must not begin anything again.
#[test]
fn cleanup_by_hand_ends_calls_into_libraries_too() {
    for program in SUITE.in_modes("control.c", &["default", "preloaded"]) {
        let steps = ["work 5", "_mcleanup", "keep first", "work 7"];
        text_of(program.command().args(steps).env("GMON_OPTIONS", "libcalls"));
        assert_eq!(program.files(), ["first", "gmon.out.full", "program"]);
        program.counts("first").are(&format!("{MAIN}step 2\nstep -> work 5"));
    }
}

#[test]
fn profiles_follow_each_other() {
    let first = format!("{MAIN}step 2\nstep -> work 5");
    let second = "main -> step 2\nstep -> work 11";
    let third = "main -> step 1\nstep -> work 13";
    check(
        "work 5, _mcleanup, keep a, work 7, monstartup, work 11, _mcleanup, keep b, work 1, \
         gmon_start, work 13",
        &[("a", &first), ("b", second), ("gmon.out", third)],
    );
}

#[test]
fn child_of_a_stopped_profile_starts_its_own() {
    for program in in_modes() {
        let text = run(&program, "work 5, gmon_stop, fork, work 7, gmon_start, work 11");
        let child = format!("gmon.out.{}", printed(&text, "child"));
        assert_eq!(program.files(), ["gmon.out", &child, "program"]);
        program.counts("gmon.out").are(&format!("{MAIN}step 2\nstep -> work 5"));
        program.counts(&child).are("main -> step 1\nstep -> work 11");
    }
}

#[test]
fn snapshot_tells_whether_it_was_written() {
    for program in in_modes() {
        for (steps, result) in [
            ("gmon_snapshot", "0"),
            ("gmon_stop, gmon_snapshot", "0"),
            ("_mcleanup, gmon_snapshot", "-1"),
        ] {
            assert_eq!(printed(&run(&program, steps), "gmon_snapshot"), result, "{steps}");
        }
    }
}

#[test]
fn control_does_nothing_where_no_profile_is_wanted() {
    for program in in_modes() {
        program.clear();
        let steps = ["work 5", "gmon_start", "gmon_snapshot", "work 7", "monstartup", "_mcleanup"];
        let text = text_of(program.command().args(steps).env("GMON_OPTIONS", "off"));
        assert_eq!(printed(&text, "gmon_snapshot"), "-1");
        assert_eq!(program.files(), ["program"]);
    }
}

/// `gmon.h` is of use in programs that are linked without the runtime, too.
#[test]
fn header_does_nothing_without_the_runtime() {
    let program = SUITE.build_by(GCC, "control.c", &NO_PROFILE, &[]);
    let text = run(&program, "work 5, gmon_start, gmon_stop, gmon_reset, gmon_snapshot, work 7");
    assert_eq!(printed(&text, "gmon_snapshot"), "-1");
    assert_eq!(program.files(), ["program"]);
}
