//! Children by everything but `fork`: children that run a program of their own, that borrow their parent's
//! memory, or that the C library knows nothing of.

use super::SUITE;
use support::{
    command::text_of,
    program::Program,
    suite::{USUAL_MODES, printed},
};

/// What the parent counts in every case.
const PARENT: &str = "<outside> -> main 1
    main -> start 1
    main -> work 20";

/// What a new program counts.
const NEW: &str = "<outside> -> main 1
    main -> new_program 1
    new_program -> new_work 13";

/// What a cloned child counts.
const CLONED: &str = "child_of_clone -> work 6";

/// Runs the program, and gives the number of the child that it started in this way.
fn child_of(program: &Program, how: &str) -> String {
    program.clear();
    let text = text_of(program.command().arg(how));
    printed(&text, "child").to_owned()
}

#[test]
fn new_program_has_a_profile_of_its_own() {
    for program in SUITE.in_modes("spawn.c", &USUAL_MODES) {
        for (how, of_child) in
            [("vfork, exec", "start -> work 1"), ("posix_spawn", ""), ("posix_spawnp", "")]
        {
            let child = format!("gmon.out.{}", child_of(&program, how));
            assert_eq!(program.files(), ["gmon.out", &child, "program"], "{how}");
            // A child of `vfork` counts in its parent's memory until it is another program.
            program.counts("gmon.out").are(&format!("{PARENT}\n{of_child}"));
            program.counts(&child).are(NEW);
        }
    }
}

#[test]
fn child_in_borrowed_memory_leaves_the_profile_to_its_parent() {
    for program in SUITE.in_modes("spawn.c", &USUAL_MODES) {
        for (how, of_child) in [
            ("vfork, _exit", "start -> work 1"),
            ("vfork, exec of nothing", "start -> work 1"),
            ("clone, shared memory", "<outside> -> child_of_clone 1\nchild_of_clone -> work 6"),
            (
                "clone, beside its parent",
                "start -> beside_child 100000
                <outside> -> child_beside 1
                child_beside -> works_beside 100000",
            ),
        ] {
            child_of(&program, how);
            assert_eq!(program.files(), ["gmon.out", "program"], "{how}");
            program.counts("gmon.out").are(&format!("{PARENT}\n{of_child}"));
        }
    }
}

#[test]
fn cloned_child_begins_at_zero() {
    for program in SUITE.in_modes("spawn.c", &USUAL_MODES) {
        for (how, caller) in
            [("clone", "<outside>"), ("system call clone", "start"), ("system call fork", "start")]
        {
            let child = format!("gmon.out.{}", child_of(&program, how));
            assert_eq!(program.files(), ["gmon.out", &child, "program"], "{how}");
            program.counts("gmon.out").are(PARENT);
            program.counts(&child).are(&format!("{caller} -> child_of_clone 1\n{CLONED}"));
        }
    }
}

/// The shell between the two is not profiled, and does not count as the first process.
#[test]
fn child_of_a_shell_leaves_the_name_to_the_first_process() {
    for program in SUITE.in_modes("spawn.c", &USUAL_MODES) {
        for how in ["system", "popen"] {
            program.clear();
            text_of(program.command().arg(how));
            let files = program.files();
            assert_eq!(files.len(), 3, "{how}: {files:?}");
            program.counts("gmon.out").are(
                "<outside> -> main 1
                main -> wait_for_shell 1
                main -> work 20",
            );
            program.counts(&files[1]).are(NEW);
        }
    }
}

#[test]
fn prefix_names_the_file_of_every_process() {
    for program in SUITE.in_modes("spawn.c", &USUAL_MODES) {
        program.clear();
        let prefix = program.path("prefix");
        let mut command = program.command();
        let text = text_of(command.arg("posix_spawn").env("GMON_OUT_PREFIX", prefix));
        let child = format!("prefix.{}", printed(&text, "child"));
        let files = program.files();
        let parent = files.iter().find(|name| name.starts_with("prefix.") && **name != child);
        assert_eq!(files.len(), 3, "{files:?}");
        program.counts(parent.expect("a file of the parent")).are(PARENT);
        program.counts(&child).are(NEW);
    }
}
