//! Programs that watch programs: sanitizers and valgrind. They must have nothing to say, and what they
//! take over from the C library must go on working together with what the runtime takes over.

use super::{SUITE, run};
use support::{
    command::{libraries, output_of, quiet, said, shared_library, text_of},
    compilers::installed_for,
    modes::MODES,
    program::Program,
    targets::HOST,
    tools,
};

/// Tells helgrind of counts without locks, each thread's own.
const SUPPRESSIONS: &str =
    concat!("--suppressions=", env!("CARGO_MANIFEST_DIR"), "/tests/suite/robustness/helgrind.supp");

/// What `contended.c` counts.
fn is_exact(program: &Program) {
    let counts = program.counts("gmon.out");
    let found = ["main", "run", "work", "locked_work"].map(|name| counts.calls(name));
    assert_eq!(found, [1, 20, 100_000, 10_000]);
}

/// Whether the compiler can link a program with this sanitizer: its library is a package of its own.
fn has_sanitizer(driver: &str, flag: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("a file");
    let mut link = quiet(driver);
    link.arg(flag).arg(&source).arg("-o").arg(folder.path().join("empty"));
    let is_there = link.output().is_ok_and(|output| output.status.success());
    if !is_there {
        tools::skip(format!("{driver} {flag} cannot link"));
    }
    is_there
}

#[test]
fn sanitizers_find_nothing() {
    assert!(!libraries(HOST).is_empty());
    let mode = MODES.iter().find(|mode| mode.name == "default, own start").expect("a mode");
    for compiler in installed_for("a.c") {
        for flag in ["-fsanitize=thread", "-fsanitize=address", "-fsanitize=undefined"] {
            if has_sanitizer(compiler.c, flag) {
                let program = SUITE.build_by(compiler, "contended.c", mode, &[flag]);
                // Sanitizers that lie in the program call libraries before a thread comes to its first hook.
                for options in ["", "libcalls"] {
                    run(program.command().env("GMON_OPTIONS", options));
                    is_exact(&program);
                }
            }
        }
    }
}

#[test]
fn valgrind_finds_nothing() {
    let Some(valgrind) = tools::find("valgrind") else { return };
    for program in SUITE.in_modes("contended.c", &["default"]) {
        for tool in ["memcheck", "helgrind"] {
            program.clear();
            let mut command = quiet(&valgrind);
            command.args(["--quiet", "--error-exitcode=99", SUPPRESSIONS]);
            command.arg(format!("--tool={tool}")).arg(&program.executable);
            // Valgrind's clock is slow; what it says of time is of no interest.
            text_of(command.current_dir(program.path("")).env("GMON_OPTIONS", "sampler=none"));
            is_exact(&program);
        }
    }
}

/// The tools of valgrind, and options of the runtime that sample or change code in each their own way.
const TOOLS: [&str; 4] = ["memcheck", "helgrind", "callgrind", "massif"];
const KINDS: [&str; 3] = ["stacks,hz=1000", "libcalls", "stacks,sampler=wall"];

/// Each kind with each tool; at a desk each kind with one.
fn kinds_and_tools() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kinds = KINDS.into_iter().enumerate();
    let pairs = kinds.flat_map(|(row, kind)| TOOLS.into_iter().map(move |tool| (row, kind, tool)));
    pairs.filter(|(row, _, tool)| tools::in_ci() || TOOLS[*row] == *tool).map(|it| (it.1, it.2))
}

/// Whatever is asked of the runtime, and however it came into the program.
#[test]
fn valgrind_finds_nothing_in_a_profile_of_any_kind() {
    let Some(valgrind) = tools::find("valgrind") else { return };
    for program in SUITE.in_modes("fork_in_threads.c", &["default", "preloaded"]) {
        for (kind, tool) in kinds_and_tools() {
            program.clear();
            let run = program.command();
            let mut command = quiet(&valgrind);
            command.args(["--quiet", "--error-exitcode=99", SUPPRESSIONS]);
            command.arg(format!("--tool={tool}")).arg(run.get_program()).args(run.get_args());
            for (name, value) in run.get_envs() {
                if let Some(value) = value {
                    command.env(name, value);
                }
            }
            command.current_dir(program.path("")).env("GMON_OPTIONS", kind);
            let output = command.output().expect("valgrind runs");
            assert!(output.status.success(), "{kind}, {tool}: {output:?}");
            assert_eq!(said(&output), "", "{kind}, {tool}");
        }
    }
}

/// Programs that nobody built for a profiler end with the status that they would have.
#[test]
fn the_status_under_valgrind_is_the_program_s() {
    let Some(valgrind) = tools::find("valgrind") else { return };
    for (kind, tool) in kinds_and_tools() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = quiet(&valgrind);
        command
            .args(["--quiet", "--error-exitcode=99", SUPPRESSIONS])
            .arg(format!("--tool={tool}"));
        command.args(["sh", "-c", "exit 7"]).current_dir(&folder);
        command.env("LD_PRELOAD", shared_library()).env("GMON_OPTIONS", kind);
        let output = output_of(&mut command);
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(7), ""), "{kind}, {tool}");
    }
}

/// Valgrind takes a stack pointer that moves by less than 2 MB for a frame that is made or given up, and not for
/// another stack: the profile is written on a stack that is farther away from every thread's.
#[test]
fn valgrind_finds_nothing_in_children_of_threads() {
    let Some(valgrind) = tools::find("valgrind") else { return };
    for program in SUITE.in_modes("fork_in_threads.c", &["default"]) {
        let mut command = quiet(&valgrind);
        command.args(["--quiet", "--error-exitcode=99"]).arg(&program.executable);
        text_of(command.current_dir(program.path("")).env("GMON_OPTIONS", "sampler=none"));
        let counts = program.counts("gmon.out");
        assert_eq!((counts.calls("forker"), counts.calls("work")), (5, 5));
        assert_eq!(program.files().len(), 5 + 2, "{:?}", program.files());
    }
}
