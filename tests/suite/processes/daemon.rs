//! Programs that go into the background: the C library ends their first process where nobody sees it.

use super::SUITE;
use support::{
    command::text_of,
    compilers::{GCC, MUSL},
    modes::{self, NO_PROFILE},
    program::Program,
    suite::printed,
    tools,
};

/// What the program prints, but for the number of its last process; and that number.
fn told(program: &Program, arguments: [&str; 2]) -> (Vec<String>, String) {
    let text = text_of(program.command().args(arguments));
    let lines = text.lines().filter(|line| !line.starts_with("child "));
    (lines.map(str::to_owned).collect(), printed(&text, "child").to_owned())
}

#[test]
fn both_sides_of_daemon_leave_a_profile() {
    let modes = ["default", "default, own start", "static", "static, own start", "preloaded"];
    let mut compilers = vec![(GCC, &modes[..])];
    if tools::find(MUSL.c).is_some() {
        compilers.push((MUSL, &["default, own start", "static, own start"]));
    }
    for (compiler, modes) in compilers {
        let reference = SUITE.build_by(compiler, "daemon.c", &NO_PROFILE, &[]);
        for mode in modes {
            let program = SUITE.build_by(compiler, "daemon.c", modes::mode(mode), &[]);
            for arguments in [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]] {
                program.clear();
                let context = format!("{}, {mode}, {arguments:?}", compiler.name);
                let (found, child) = told(&program, arguments);
                assert_eq!(found, told(&reference, arguments).0, "{context}");
                let child = format!("gmon.out.{child}");
                assert_eq!(program.files(), ["gmon.out", &child, "program"], "{context}");
                program.counts("gmon.out").are(
                    "<outside> -> main 1
                    main -> work 17",
                );
                program.counts(&child).are(
                    "main -> background_work 5
                    main -> tell 1",
                );
            }
        }
    }
}
