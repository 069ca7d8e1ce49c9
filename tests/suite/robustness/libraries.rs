//! Shared libraries with hooks of their own: linked, preloaded, loaded and unloaded.

use std::{ffi::OsString, path::PathBuf};

use super::{SUITE, run};
use support::{
    command::{quiet, text_of},
    program::Program,
    tools,
};

/// Builds the library, under a name of its own, next to the program.
fn library(program: &Program, name: &str) -> PathBuf {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = program.path(name);
    let mut compile = quiet("gcc");
    compile.args(["-O2", "-pg", "-fPIC", "-shared", &format!("-I{root}/examples/c")]);
    compile.arg(format!("{root}/tests/suite/robustness/library.c")).arg("-o").arg(&file);
    text_of(&mut compile);
    file
}

#[test]
fn libraries_that_come_and_go_leave_the_program_exact() {
    for program in SUITE.in_modes("libraries.c", &["default", "no-pie", "preloaded"]) {
        let names = ["one.so", "two.so"].map(|name| library(&program, name));
        run(program.command().args(names));
        program.counts("gmon.out").are(
            "<outside> -> main 1
            <outside> -> work 500
            main -> work 50",
        );
    }
}

#[test]
fn linked_library_leaves_the_program_exact() {
    for &mode in tools::shared_out(&["default", "no-pie", "preloaded"], "modes") {
        // Any program: only its folder is needed.
        let folder = SUITE.build("early.c", "default", &[]);
        let file = library(&folder, "liblinked.so");
        let flag = format!("-Wl,--no-as-needed,{}", file.display());
        let program = SUITE.build("libraries.c", mode, &[&flag]);
        run(&mut program.command());
        program.counts("gmon.out").are("<outside> -> main 1\n<outside> -> work 7");
    }
}

/// Its constructor runs before everything of the program.
#[test]
fn preloaded_library_leaves_the_program_exact() {
    for program in SUITE.in_modes("libraries.c", &["default", "preloaded"]) {
        let mut command = program.command();
        let runtime = command.get_envs().find(|(name, _)| *name == "LD_PRELOAD");
        let runtime = runtime.and_then(|(_, value)| value).unwrap_or_default().to_owned();
        let library = library(&program, "preloaded.so").into_os_string();
        for list in [[&library, &runtime], [&runtime, &library]] {
            let list: OsString = list.map(OsString::as_os_str).join(":".as_ref());
            run(command.env("LD_PRELOAD", list));
            program.counts("gmon.out").are("<outside> -> main 1\n<outside> -> work 7");
        }
    }
}
