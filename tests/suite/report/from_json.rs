//! Reports of exported profiles, which say what those of the data themselves say.

use super::{report, row, run};
use support::command::{gmon, text_of};

#[test]
fn times_have_their_errors() {
    let program = run("dear.c", "stacks,hz=1000");
    let json = program.path("profile.json");
    let mut export = gmon();
    export.args(["export", "-o"]).arg(&json).arg(&program.executable).arg(program.data());
    text_of(&mut export);
    let (text, again) = (report(&program, &[]), text_of(gmon().arg("report").arg(&json)));
    for name in ["work", "main", "dear"] {
        // Time, share, total and error, or nothing in place of the error behind a bound.
        assert_eq!(row(&again, name)[..4], row(&text, name)[..4], "{text}\n{again}");
    }
}
