//! `-finstrument-functions`: programs whose compiler tells the hooks which function was entered and
//! from where it was called.

#[cfg(target_arch = "x86_64")]
mod times;

use support::{
    command::{quiet, text_of},
    compilers::{COMPILERS, Compiler, GCC, installed_for},
    modes::{MODES, Mode, OTHER_HOOKS},
    program::Program,
    suite::{Suite, printed},
    tools,
};

const SUITE: Suite = Suite("instrument");

/// Compiled with these hooks instead of the mode's.
fn build(compiler: &Compiler, source: &str, mode: &str, hooks: &'static [&'static str]) -> Program {
    let mode = MODES.iter().find(|known| known.name == mode).expect("a mode of this name");
    SUITE.build_by(compiler, source, &Mode { hooks, ..*mode }, &[])
}

/// The ways to link that suit a compiler.
fn modes(compiler: &Compiler) -> impl Iterator<Item = &'static str> {
    let suits = |name: &&str| MODES.iter().any(|mode| mode.name == *name && mode.suits(compiler));
    OTHER_HOOKS.into_iter().filter(suits).collect::<Vec<_>>().into_iter()
}

#[test]
fn calls_of_every_kind_are_counted() {
    for compiler in installed_for("calls.c") {
        for mode in modes(compiler) {
            let program = build(compiler, "calls.c", mode, &["-finstrument-functions"]);
            text_of(&mut program.command());
            let files = program.files();
            assert_eq!(files.len(), 3, "{mode}: {files:?}");
            program.counts("gmon.out").are(
                "<outside> -> main 1
                <outside> -> compare 1
                <outside> -> on_signal 50
                <outside> -> run 4
                main -> work 100
                main -> mixed 1
                main -> recurse 1
                recurse -> recurse 20
                on_signal -> work 50
                run -> work 1000000",
            );
            program.counts(&files[1]).are("main -> child 1\nchild -> work 30");
        }
    }
}

#[test]
fn methods_and_exceptions_are_counted() {
    for compiler in installed_for("classes.cc") {
        for mode in modes(compiler) {
            let program = build(compiler, "classes.cc", mode, &["-finstrument-functions"]);
            text_of(&mut program.command());
            let counts = program.counts("gmon.out");
            let arcs = [("catcher", "method"), ("catcher", "thrower"), ("thrower", "thrower")];
            let found = arcs.map(|(caller, callee)| counts.of(caller, callee));
            assert_eq!(found, [100, 100, 900], "{} {mode}", compiler.name);
            let found = ["method", "thrower"].map(|caller| counts.of(caller, "work"));
            assert_eq!(found, [100, 1000], "{} {mode}", compiler.name);
        }
    }
}

/// Function by function of the source, or function by function of the machine code.
#[test]
fn inlined_functions_are_counted_unless_asked_otherwise() {
    let clang = COMPILERS.iter().find(|compiler| compiler.name == "clang").expect("clang's row");
    let calls = |compiler, hooks| {
        let program = build(compiler, "inlined.c", "default, own start", hooks);
        text_of(&mut program.command());
        program.counts("gmon.out")
    };
    // The hooks get the address of an inlined function, so the compiler also keeps a copy of its own.
    let before = calls(GCC, &["-finstrument-functions"]);
    assert_eq!((before.of("main", "apart"), before.calls("inlined")), (10, 10));
    if tools::find(clang.c).is_some() {
        let before = calls(clang, &["-finstrument-functions"]);
        assert_eq!((before.of("main", "apart"), before.calls("inlined")), (10, 10));
        let after = calls(clang, &["-finstrument-functions-after-inlining"]);
        after.are("<outside> -> main 1\nmain -> apart 10");
    }
}

#[test]
fn program_keeps_hooks_of_its_own() {
    for compiler in installed_for("calls.c") {
        for mode in modes(compiler) {
            for hooks in [&["-finstrument-functions"][..], &["-finstrument-functions", "-pg"]] {
                let program = build(compiler, "own_hooks.c", mode, hooks);
                let text = text_of(&mut program.command());
                // `main` is still inside when it prints.
                let calls = ["entered", "left"].map(|name| printed(&text, name));
                assert_eq!(calls, ["43", "42"], "{} {mode}", compiler.name);
                if hooks.contains(&"-pg") {
                    assert_eq!(program.counts("gmon.out").of("main", "work"), 42, "{mode}");
                }
            }
        }
    }
}

#[test]
fn programs_without_these_hooks_do_not_contain_them() {
    for (hooks, are_there) in [(&["-pg"][..], false), (&["-finstrument-functions"], true)] {
        for mode in ["default, own start", "static, own start"] {
            let program = build(GCC, "calls.c", mode, hooks);
            let symbols = text_of(quiet("nm").arg(&program.executable));
            assert_eq!(symbols.contains(" T __cyg_profile_func_enter"), are_there, "{mode}");
            assert!(symbols.contains(" T mcount"), "{mode}");
        }
    }
}
