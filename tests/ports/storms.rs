//! Threads that come and go, signals in the middle of hooks, and libraries that are loaded and unloaded:
//! nothing is lost.

use std::path::Path;

use crate::without_samples;
use support::{
    command::{quiet, text_of},
    compilers::Compiler,
    crowds::check_thread_storm,
    modes::mode,
    program::Program,
    suite::Suite,
};

pub(crate) fn check(compiler: &Compiler) {
    let build = |source, flags: &[&str]| {
        Suite("robustness").build_by(compiler, source, mode("default"), flags)
    };
    let storm = build("thread_storm.c", &["-DTHREADS=1000"]);
    check_thread_storm(&storm, &text_of(&mut without_samples(&storm)), 1000);
    if !compiler.target.loses_registers() {
        signals(&build("signal_storm.c", &[]));
    }
    libraries(compiler, &build("libraries.c", &[]));
}

fn signals(program: &Program) {
    let expected = text_of(&mut without_samples(program));
    program.counts("gmon.out").are(&expected);
}

fn libraries(compiler: &Compiler, program: &Program) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = ["one.so", "two.so"].map(|name| {
        let mut compile = quiet(compiler.c);
        compile.args(compiler.options).args(["-O2", "-pg", "-fPIC", "-shared"]);
        compile.arg(format!("-I{}", root.join("examples/c").display()));
        compile
            .arg(root.join("tests/suite/robustness/library.c"))
            .arg("-o")
            .arg(program.path(name));
        text_of(&mut compile);
        program.path(name)
    });
    text_of(without_samples(program).args(libraries));
    program.counts("gmon.out").are(
        "<outside> -> main 1
        <outside> -> work 500
        main -> work 50",
    );
}
