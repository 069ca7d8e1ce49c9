//! Calls that destructors make, after `main` and after what was registered with `atexit`.

use super::SUITE;
use support::{command::said, counts::Counts, program::Program, suite::USUAL_MODES};

/// Runs the program, which must end with this status, and gives its counts.
#[track_caller]
fn counts(program: &Program, how: &str, status: Option<i32>) -> Counts {
    program.clear();
    let run = program.run(&[how], &[]);
    assert_eq!((run.status.code(), said(&run).as_str()), (status, ""), "{how}");
    program.counts("gmon.out")
}

#[test]
fn calls_in_destructors_are_counted() {
    for program in SUITE.in_modes("destructors.c", &USUAL_MODES) {
        counts(&program, "", Some(3)).are(
            "<outside> -> main 1
            <outside> -> construct 1
            <outside> -> registered 1
            <outside> -> object 1
            <outside> -> first 1
            <outside> -> second 1
            <outside> -> last 1
            main -> work 10
            registered -> work 200
            object -> work 100
            first -> work 300
            second -> work 400
            last -> work 500",
        );
        assert_eq!(program.files(), ["gmon.out", "program"]);
    }
}

#[test]
fn profile_is_there_where_a_destructor_ends_the_program() {
    for program in SUITE.in_modes("destructors.c", &USUAL_MODES) {
        for (how, status) in [("_exit", Some(3)), ("abort", None)] {
            let counts = counts(&program, &format!("{how} in a destructor"), status);
            assert_eq!((counts.calls("work"), counts.of("first", "work")), (610, 300), "{how}");
        }
        // What becomes of the other destructors, and so of the runtime's, is the C library's choice.
        let counts = counts(&program, "exit in a destructor", Some(3));
        assert_eq!(counts.calls("work") - counts.of("first", "work"), 310);
    }
}

/// What was stopped before `exit` stays stopped.
#[test]
fn destructors_do_not_go_on_with_what_the_program_has_ended() {
    for program in SUITE.in_modes("destructors.c", &USUAL_MODES) {
        for how in ["_mcleanup", "moncontrol"] {
            let counts = counts(&program, how, Some(3));
            assert_eq!(counts.calls("work"), 10, "{how}");
        }
    }
}
