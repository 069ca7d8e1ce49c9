//! Calls before the program has begun, and from inside the C library while it is busy.

use super::{SUITE, run};
use support::{command::text_of, suite::USUAL_MODES};

#[test]
fn calls_before_the_constructors_are_counted() {
    // Not preloaded: a program that is being relocated cannot call other files' functions yet.
    for mode in ["default", "fentry", "CET", "no-pie", "static", "static-pie", "fentry, static"] {
        let program = SUITE.build("early.c", mode, &[]);
        text_of(&mut program.command());
        program.counts("gmon.out").are(
            "<outside> -> choose 1
            <outside> -> first 1
            <outside> -> constructor 1
            <outside> -> main 1
            choose -> work 2
            first -> work 1
            constructor -> work 1
            main -> chosen 1",
        );
    }
}

/// The C library knows the environment only after the functions that run first.
#[test]
fn calls_before_the_constructors_do_not_keep_options_from_being_read() {
    for (mode, flags) in [
        ("default", &[][..]),
        ("default, own start", &[]),
        ("no-pie", &[]),
        ("static", &[]),
        ("preloaded", &["-DNO_CHOICE"]),
    ] {
        let program = SUITE.build("early.c", mode, flags);
        for (options, files) in [
            ("off", &["program"][..]),
            ("out=named", &["named", "program"]),
            ("live=live", &["gmon.out", "program"]),
            ("live=live,sampler=none,out=named", &["named", "program"]),
        ] {
            program.clear();
            text_of(program.command().env("GMON_OPTIONS", options));
            assert_eq!(program.files(), files, "{mode}, {options}");
            if files.len() > 1 {
                let counts = program.counts(files[0]);
                let calls = ["first", "constructor", "main"].map(|function| counts.calls(function));
                assert_eq!(calls, [1; 3], "{mode}, {options}");
            }
        }
    }
}

#[test]
fn hooks_inside_the_programs_allocator_count_exactly() {
    for mode in USUAL_MODES {
        let program = SUITE.build("allocator.c", mode, &["-fno-builtin"]);
        let text = run(&mut program.command());
        let counts = program.counts("gmon.out");
        let calls = text.trim_end().rsplit(' ').next().and_then(|number| number.parse().ok());
        assert_eq!(Some(counts.of("malloc", "in_malloc")), calls, "{mode}");
        assert_eq!(Some(counts.calls("malloc")), calls, "{mode}");
        let found = [counts.of("run", "use"), counts.of("use", "malloc"), counts.of("use", "free")];
        assert_eq!(found, [4000; 3], "{mode}");
    }
}
