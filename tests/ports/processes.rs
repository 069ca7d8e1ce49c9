//! Children and what replaces a program: each has its own profile, from zero, in its own file. What takes
//! its place is a program of this machine, as emulators start no others; nor do they clear memory for
//! children that are not made by `fork`, so there are none.

use crate::without_samples;
use support::{
    command::text_of,
    compilers::Compiler,
    crowds::check_many_forks,
    modes::mode,
    program::Program,
    suite::{Suite, printed},
};

pub(crate) fn check(compiler: &Compiler) {
    let build = |suite, source, flags: &[&str]| {
        Suite(suite).build_by(compiler, source, mode("default"), flags)
    };
    forks(&build("processes", "fork.c", &[]));
    let threads = build("processes", "many_forks.c", &["-DFORKS=10"]);
    check_many_forks(&threads, &text_of(&mut without_samples(&threads)), 40);
    borrowed_memory(&build("processes", "spawn.c", &[]));
    replaced(&build("live", "steps.c", &[]));
}

fn forks(program: &Program) {
    for how in ["exit", "_exit"] {
        program.clear();
        let text = text_of(without_samples(program).arg(how));
        let file = |name| format!("gmon.out.{}", printed(&text, name));
        program.counts("gmon.out").are(
            "<outside> -> main 1
            main -> work 20
            main -> wait_for 1",
        );
        program.counts(&file("child")).are(
            "main -> child 1
            child -> work 5
            child -> wait_for 1
            child -> leave 1",
        );
        program.counts(&file("grandchild")).are(
            "child -> grandchild 1
            grandchild -> work 7
            grandchild -> leave 1",
        );
    }
}

fn borrowed_memory(program: &Program) {
    const PARENT: &str = "<outside> -> main 1\nmain -> start 1\nmain -> work 20";
    // To an emulator a child of `vfork` is one of `fork`: what it counts in its parent's memory is lost.
    let is_emulated = !program.target.emulator.is_empty();
    let of_child = if is_emulated { "" } else { "\nstart -> work 1" };
    for how in ["vfork, _exit", "vfork, exec of nothing"] {
        program.clear();
        text_of(without_samples(program).arg(how));
        assert_eq!(program.files(), ["gmon.out", "program"], "{how}");
        program.counts("gmon.out").are(&format!("{PARENT}{of_child}"));
    }
}

fn replaced(program: &Program) {
    text_of(without_samples(program).args(["work 7", "execute /bin/true"]));
    let files = program.files();
    let exec = files.iter().find(|name| name.ends_with(".exec1")).expect("a profile");
    assert_eq!(program.counts(exec).calls("work"), 7);
}
