//! `syscall(2)`, which the runtime has a function of its own for.

use support::{command::text_of, suite::USUAL_MODES};

use super::SUITE;

#[test]
fn system_calls_answer_as_those_of_the_c_library() {
    let reference = SUITE.without_profile("system_calls.c");
    let expected = text_of(&mut reference.command());
    assert_eq!(expected.lines().count(), 12, "{expected}");
    for program in SUITE.in_modes("system_calls.c", &USUAL_MODES) {
        assert_eq!(text_of(&mut program.command()), expected);
        program.counts("gmon.out").are(
            "<outside> -> main 1
            main -> print 12",
        );
    }
}
