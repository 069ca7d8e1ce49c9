//! Static programs contain only the parts of the C library that they use: these must be enough for the runtime, which
//! still has to notice when the program forks and when it ends.

use super::SUITE;
use support::{
    compilers::{Compiler, GCC, MUSL},
    modes::{Mode, linked},
    suite::printed,
    tools,
};

static FORMS: [Mode; 2] =
    [linked("dynamic", &[], &[]), linked("static", &["-fno-pie"], &["-static"])];

/// Both C libraries, dynamic and static.
fn forms() -> impl Iterator<Item = (&'static Compiler, &'static Mode)> {
    let compilers = [GCC, MUSL].into_iter().filter(|compiler| tools::find(compiler.c).is_some());
    compilers.flat_map(|compiler| FORMS.iter().map(move |mode| (compiler, mode)))
}

/// Its time is sampled even if it never calls what is counted.
#[test]
fn a_forked_child_is_sampled_at_once() {
    for (compiler, mode) in forms() {
        let program = SUITE.build_by(compiler, "fork.c", mode, &[]);
        let run = program.run(&[], &[]);
        assert!(run.status.success(), "{run:?}");
        let child = format!("gmon.out.{}", printed(&String::from_utf8_lossy(&run.stdout), "child"));
        program.counts("gmon.out").are("<outside> -> main 1\nmain -> work 3");
        let counts = program.counts(&child);
        counts.are("");
        assert!(counts.ticks > 0, "{}, {}: no samples", compiler.name, mode.name);
    }
}

#[test]
fn every_end_writes_the_profile() {
    for (compiler, mode) in forms() {
        let program = SUITE.build_by(compiler, "ends.c", mode, &[]);
        for end in ["return", "exit", "_exit", "_Exit", "quick_exit"] {
            program.clear();
            let run = program.run(&[end], &[]);
            assert_eq!(run.status.code(), Some(3), "{}, {}: {end}", compiler.name, mode.name);
            program.counts("gmon.out").are("<outside> -> main 1\nmain -> work 3");
        }
    }
}

#[test]
fn calls_in_destructors_are_counted() {
    for (compiler, mode) in forms() {
        let program = SUITE.build_by(compiler, "../ends/destructors.c", mode, &[]);
        assert_eq!(program.run(&[], &[]).status.code(), Some(3));
        let counts = program.counts("gmon.out");
        assert_eq!(counts.calls("work"), 1510, "{}, {}", compiler.name, mode.name);
        assert_eq!(counts.of("last", "work"), 500, "{}, {}", compiler.name, mode.name);
    }
}

/// The name by which the runtime hears of forks in a static program of musl gives way to the
/// program's own use of `pthread_atfork`.
#[test]
fn fork_handlers_of_the_program_still_work() {
    for (compiler, mode) in forms() {
        let program = SUITE.build_by(compiler, "fork_handlers.c", mode, &[]);
        let run = program.run(&[], &[]);
        assert!(run.status.success(), "{run:?}");
        let text = String::from_utf8_lossy(&run.stdout);
        let child = format!("gmon.out.{}", printed(&text, "child"));
        program
            .counts("gmon.out")
            .are("<outside> -> main 1\n<outside> -> before 1\n<outside> -> in_parent 1");
        program.counts(&child).are("<outside> -> in_child 1");
    }
}
