//! What the tests assert that later versions of GNU gprof came with, of data of our runtime.

use super::programs;
use support::{
    command::{gmon, text_of},
    compilers::GCC,
    tools,
};

#[test]
fn functions_are_executed_as_often_as_upstream_asserts() {
    for compiler in [GCC.c, "clang"] {
        if tools::find(compiler).is_none() {
            continue;
        }
        let program = programs::upstream(compiler);
        let folder = programs::run(&program, &[], "");
        for options in [&["-C"][..], &["-l", "-C"]] {
            let mut gprof = gmon();
            gprof.arg("gprof").args(options).arg(&program);
            let report = text_of(gprof.current_dir(&folder));
            for (name, calls) in [("f1", 2000), ("f2", 1000), ("f3", 1)] {
                let of_function = |line: &&str| line.contains(&format!(" ({name}:0x"));
                let lines: Vec<_> = report.lines().filter(of_function).collect();
                let [line] = lines[..] else { panic!("{compiler} {options:?} {name}: {lines:?}") };
                assert!(line.ends_with(&format!(") {calls} executions")), "{line}");
            }
        }
    }
}
