//! A program that replaces itself: what it counted is written before, the new program is not
//! disturbed, and each of the functions does what the C library's does.

use std::{fs, process::Command};

use super::SUITE;
use support::{
    command::output_of,
    executable,
    program::Program,
    suite::{USUAL_MODES, printed},
    tools,
};

const WAYS: [&str; 22] = [
    "execl",
    "execl-1",
    "execl-4",
    "execl-5",
    "execl-6",
    "execl-many",
    "execlp",
    "execlp-many",
    "execle",
    "execle-1",
    "execle-4",
    "execle-many",
    "execv",
    "execvp",
    "execvp-thousand",
    "execvpe",
    "execve",
    "fexecve",
    "execveat",
    "execveat, open file",
    "system call execve",
    "system call execveat",
];

/// What the old program counts.
const COUNTED: &str = "<outside> -> main 1
    main -> work 11
    main -> replace 1";

/// How a run ends and what it says, but for what is different each time: where it is, and the
/// number of its child.
fn ending(program: &Program, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = output_of(command(program).args(arguments));
    let here = program.path("").display().to_string();
    let said = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace(&here, "");
        let lines = text.lines().filter(|line| !line.starts_with("child "));
        lines.collect::<Vec<_>>().join("\n")
    };
    (output.status.code(), said(&output.stdout), said(&output.stderr))
}

/// The program, able to find itself without a path.
fn command(program: &Program) -> Command {
    let folder = program.path("");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = program.command();
    command.env("MARK", "theirs").env("PATH", format!("/nowhere:{}:{path}", folder.display()));
    command
}

/// In the process itself the old program writes its counts first; in a child of `vfork` the new one has a profile, and the
/// parent counts on.
#[test]
fn both_programs_have_their_counts() {
    let reference = SUITE.without_profile("exec.c");
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        let ways: Vec<_> = WAYS.iter().flat_map(|&way| [vec![way], vec!["vfork", way]]).collect();
        for arguments in tools::some(&ways, (0, 3), "ways to become another program") {
            program.clear();
            let expected = ending(&reference, arguments);
            assert_eq!(expected.0, Some(7), "{arguments:?}: {expected:?}");
            assert_eq!(ending(&program, arguments), expected, "{arguments:?}");
            let files = program.files();
            assert_eq!(files.len(), 3, "{arguments:?}: {files:?}");
            let is_child = arguments[0] == "vfork";
            let (old, new) =
                if is_child { ("gmon.out", &*files[1]) } else { (&*files[1], "gmon.out") };
            assert_eq!(old.ends_with(".exec1"), !is_child, "{files:?}");
            // Its parent goes on.
            let work = if is_child { "work 22" } else { "work 11" };
            program.counts(old).are(&COUNTED.replace("work 11", work));
            let new = program.counts(new);
            let calls = ["main", "print_new", "replace"].map(|function| new.calls(function));
            assert_eq!(calls, [1, 1, 0], "{arguments:?}");
        }
    }
}

#[test]
fn failures_are_those_of_the_c_library() {
    let reference = SUITE.without_profile("exec.c");
    fs::write(reference.path("plain"), "").expect("a file");
    let expected = ending(&reference, &["fail"]);
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        fs::write(program.path("plain"), "").expect("a file");
        assert_eq!(ending(&program, &["fail"]), expected);
        assert_eq!(program.files(), ["gmon.out", "plain", "program"]);
        program.counts("gmon.out").are(
            "<outside> -> main 1
            main -> work 11
            main -> fail 1
            fail -> replace 72",
        );
    }
}

/// A file of no known format is a shell script for those functions that search, and an error for
/// the others.
#[test]
fn file_of_no_known_format_is_a_script_for_some() {
    let write_script = |program: &Program| {
        let path = program.path("script");
        executable::write(&path, "echo \"$0\" \"$@\" $MARK\nexit 7\n");
    };
    let reference = SUITE.without_profile("exec.c");
    write_script(&reference);
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        for way in WAYS {
            program.clear();
            write_script(&program);
            let expected = ending(&reference, &[way, "./script"]);
            assert_eq!(ending(&program, &[way, "./script"]), expected, "{way}");

            let files = program.files();
            assert_eq!(files.len(), 3, "{way}: {files:?}");
            assert_eq!(files[0].ends_with(".exec1"), expected.0 == Some(7), "{way}: {files:?}");
            program.counts(&files[0]).are(COUNTED);
        }
    }
}

/// What is found first but may not be executed does not end the search, and is the error if nothing
/// else is found.
#[test]
fn search_goes_on_behind_what_may_not_be_executed() {
    let reference = SUITE.without_profile("exec.c");
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        for way in ["execlp", "execvp", "execvpe", "execlp-many"] {
            for last in ["", "denied"] {
                let run = |program: &Program| {
                    let (denied, last) = (program.path("denied"), program.path(last));
                    fs::create_dir_all(&denied).expect("a folder");
                    fs::write(denied.join("program"), "").expect("a file");
                    let path =
                        format!("/nowhere:{0}/program:{0}:{1}", denied.display(), last.display());
                    let output = output_of(command(program).arg(way).env("PATH", path));
                    (output.status.code(), output.stdout, output.stderr)
                };
                let expected = run(&reference);
                assert_eq!(expected.0, Some(if last.is_empty() { 7 } else { 98 }), "{way}");
                assert_eq!(run(&program), expected, "{way}, then {last:?}");
            }
        }
    }
}

/// To Linux no environment is an empty one. The program is not the same afterwards where it was preloaded, but
/// says the same.
#[test]
fn environment_that_is_null_is_empty() {
    const WAY: &[&str] = &["execve, empty environment"];
    let reference = SUITE.without_profile("exec.c");
    let expected = ending(&reference, WAY);
    assert_eq!(expected.0, Some(7), "{expected:?}");
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        program.clear();
        assert_eq!(ending(&program, WAY), expected);
        let files = program.files();
        let old = files.iter().find(|name| name.ends_with(".exec1"));
        program.counts(old.expect("a profile of the old program")).are(COUNTED);
    }
}

/// The memory of a child of `vfork` is its parent's.
#[test]
fn scripts_in_children_of_vfork_leave_their_parent_no_memory() {
    for program in SUITE.in_modes("exec.c", &USUAL_MODES) {
        executable::write(&program.path("script"), "exit 0\n");
        let output = output_of(command(&program).arg("scripts"));
        let pages: i64 =
            printed(&String::from_utf8_lossy(&output.stdout), "pages").parse().expect("a number");
        assert!(pages < 50, "{pages}");
    }
}
