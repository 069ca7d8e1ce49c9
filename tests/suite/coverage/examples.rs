//! Every example: executions of each line that two ways of counting know are the same.

use super::{
    counters::{count, gcov, llvm_cov, name, tracefile},
    tracefile::{Lines, of_lcov},
};
use support::{
    compilers::{COMPILERS, Compiler},
    example::Example,
    tools,
    workplace::Workplace,
};

/// Examples that do not always do the same: they end at any moment of other threads, or work until a
/// number of alarms has come.
pub(crate) const BY_CHANCE: [&str; 3] = ["exit_in_thread.c", "exit_on_small_stack.c", "signals.c"];

/// What differs for a reason: the example, its lines (none: all), and why.
const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    ("pause.c", &[], "pauses our counts and not theirs"),
    (
        "exit_status.c",
        &["return 0;", "BARRIER();", "}", "for (int i = 0; i < 10; i++)"],
        "a block does not end at a call that never returns",
    ),
    ("longjmp.c", &["}", "BARRIER();", "after();"], "the same"),
    ("longjmp.c", &["if (setjmp(escape) == 0)"], "setjmp returns twice"),
    ("thread_starts.c", &["pthread_cleanup_push(clean_up, 0);"], "setjmp in a macro returns twice"),
    (
        "classes.cc",
        &["}", "} catch (const std::runtime_error &) {", "for (const Shape *shape : shapes)"],
        "what is left by an exception has its line again; a loop is on its own line",
    ),
    ("updcrc.c", &["if (length) do {"], "llvm-cov tells of what begins at the end of the line"),
    (
        "vector_arguments.c",
        &[
            "DEFINE_SUM(128, __m128d, , 2)",
            "DEFINE_SUM(256, __m256d, __attribute__((target(\"avx\"))), 4)",
            "DEFINE_SUM(512, __m512d, __attribute__((target(\"avx512f\"))), 8)",
        ],
        "a whole loop and the function around it are one line",
    ),
];

/// The lines of an example with its own counts and those of `theirs`.
fn compare(compiler: &Compiler, theirs: fn(&Workplace, &Compiler, &Example) -> Lines) {
    let mut compared = 0;
    let mut differences = Vec::new();
    for example in Example::all() {
        let file = name(&example.source);
        let exceptions = EXCEPTIONS.iter().filter(|(of, ..)| *of == file);
        let exceptions: Vec<_> = exceptions.map(|(_, lines, _)| *lines).collect();
        let is_exception = exceptions.contains(&&[][..]) || BY_CHANCE.contains(&&*file);
        if !example.suits(compiler) || is_exception || !compiler.is_installed_for(&example.source) {
            continue;
        }
        let place = Workplace::new();
        count(&place, compiler, &example);
        let ours = of_lcov(&tracefile(&place), &file);
        let theirs = theirs(&place, compiler, &example);
        let text = std::fs::read_to_string(&example.source).expect("a source");
        for (number, text) in (1..).zip(text.lines()) {
            let (Some(our), Some(their)) = (ours.get(&number), theirs.get(&number)) else {
                continue;
            };
            compared += 1;
            let is_known = exceptions.iter().any(|lines| lines.contains(&text.trim()));
            if our != their && !is_known {
                differences.push(format!("{file}:{number}: {our}, not {their}: {text}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}:\n{}", compiler.name, differences.join("\n"));
    // Most lines are known to both.
    assert!(compared > 300, "{}: only {compared} lines compared", compiler.name);
}

#[test]
fn lines_are_executed_as_often_as_gcov_says() {
    if tools::find("gcov").is_some() {
        compare(&COMPILERS[0], gcov);
    }
}

#[test]
fn lines_are_executed_as_often_as_llvm_cov_says() {
    let needed = ["clang -fprofile-instr-generate", "llvm-cov", "llvm-profdata"];
    if tools::find_all(needed).is_some() {
        compare(&COMPILERS[1], llvm_cov);
    }
}
