//! Counts of blocks are whole whatever a program does: they lie where the counts of calls lie.

use std::os::unix::process::ExitStatusExt;

use super::builds::{Hooks, hooks};
use support::{
    command::{gmon, output_of, quiet, shared_library, text_of},
    modes::OTHER_HOOKS,
    program::Program,
};

/// Where `gmon.h` is.
const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/runtime/include");

#[test]
fn blocks_are_counted_in_threads_handlers_and_children() {
    for hooks in hooks() {
        for link in OTHER_HOOKS.into_iter().filter(|link| *link != "default") {
            let program = hooks.build("instrument", "calls.c", link, &[]);
            text_of(&mut program.command());
            let files = program.files();
            assert_eq!(files.len(), 3, "{link}: {files:?}");
            let counts = program.counts("gmon.out");
            let entries = [
                ("main", 1),
                ("work", 1_000_150),
                ("recurse", 21),
                ("compare", 1),
                ("on_signal", 50),
            ];
            for (function, entered) in entries {
                let place = format!("{function} by {}, {link}", hooks.compiler.name);
                assert_eq!(counts.entries(function), entered, "{place} {:?}", hooks.flags);
            }
            let child = program.counts(&files[1]);
            assert_eq!((child.entries("work"), child.entries("run")), (30, 0), "{link}");
        }
    }
}

/// The program that does, step by step, what its arguments say.
fn steps(hooks: &Hooks, link: &str) -> Program {
    hooks.build("live", "steps.c", link, &[INCLUDE])
}

/// Runs it; it must succeed, if it does not kill itself.
fn run(program: &Program, steps: &str, options: &str) {
    program.clear();
    let output = output_of(program.command().args(steps.split(", ")).env("GMON_OPTIONS", options));
    let killed_itself = output.status.signal() == Some(9) && steps.ends_with("kill");
    assert!(output.status.success() || killed_itself, "{steps}: {output:?}");
}

/// Controls, and how often `work` was executed while they let it be counted.
const CONTROLS: [(&str, u64); 4] = [
    ("work 5, stop, work 7, go on, work 11", 16),
    ("work 5, reset, work 7", 7),
    ("work 5, snapshot, work 6, leave", 5),
    ("work 5, snapshot, work 6", 11),
];

#[test]
fn stopped_reset_and_written_profiles_are_exact() {
    for hooks in hooks() {
        for link in ["default, own start", "preloaded"] {
            let program = steps(&hooks, link);
            for (controls, executions) in CONTROLS {
                run(&program, controls, "");
                let found = program.counts("gmon.out").entries("work");
                assert_eq!(found, executions, "{controls}: {}, {link}", hooks.compiler.name);
            }
        }
    }
}

#[test]
fn blocks_of_a_killed_program_are_in_its_live_file() {
    for hooks in hooks() {
        let program = steps(&hooks, "default, own start");
        run(&program, "work 1000, threads 3, kill", "live=profile.live");
        let mut recover = gmon();
        recover.arg("recover").arg(program.path("profile.live"));
        let said = text_of(recover.arg("-o").arg(program.path("recovered")));
        assert!(said.contains(" executions of "), "{said}");
        let counts = program.counts("recovered");
        assert_eq!([counts.entries("work"), counts.entries("thread_work")], [1000, 3]);
    }
}

#[test]
fn child_counts_its_own_blocks() {
    for hooks in hooks() {
        for way in ["fork", "clone"] {
            let program = steps(&hooks, "default, own start");
            run(&program, &format!("work 40, {way}, work 2"), "");
            let files = program.files();
            assert_eq!(files.len(), 3, "{files:?}");
            assert_eq!(program.counts("gmon.out").entries("work"), 42, "{way}");
            assert_eq!(program.counts(&files[1]).entries("work"), 2, "{way}");
        }
    }
}

#[test]
fn blocks_are_written_before_another_program_comes() {
    for hooks in hooks() {
        let program = steps(&hooks, "default, own start");
        run(&program, "work 9, execute /bin/true", "");
        let files = program.files();
        assert_eq!(files.len(), 2, "{files:?}");
        assert_eq!(program.counts(&files[0]).entries("work"), 9);
    }
}

/// Libraries bring guards of their own, at other addresses each time. They are not of the program's file.
#[test]
fn libraries_that_come_and_go_leave_the_program_exact() {
    for hooks in hooks() {
        for link in ["default, own start", "preloaded"] {
            let program = hooks.build("blocks", "guards.c", link, &["-ldl", "-rdynamic"]);
            let libraries = ["one.so", "two.so"].map(|name| {
                let file = program.path(name);
                let source =
                    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/blocks/guards_library.c");
                let mut compile = quiet(hooks.compiler.c);
                compile.args(["-O1", "-fPIC", "-shared", source, "-o"]).arg(&file);
                compile.arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/examples/c"));
                compile.args(hooks.flags);
                if hooks.compiler.name == "clang" {
                    compile.arg("-fno-sanitize-link-runtime");
                }
                text_of(&mut compile);
                file
            });
            let mut command = program.command();
            if link != "preloaded" {
                // Hooks that the libraries call and the program does not: the same, for all of them.
                command.env("LD_PRELOAD", shared_library());
            }
            text_of(command.args(&libraries));
            let counts = program.counts("gmon.out");
            assert_eq!(counts.entries("work"), 400, "{link}");
            let never = counts.blocks("never");
            assert_eq!(!never.is_empty(), hooks.has_table, "{never:?}");
            assert!(never.iter().all(|count| *count == 0), "{never:?}");
        }
    }
}
