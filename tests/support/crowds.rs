//! Programs with crowds of threads and children, whose counts are the same on every machine.

use super::{
    program::Program,
    suite::{all_printed, printed},
};

/// Checks what `robustness/thread_storm.c` counted with so many threads that come and go, from what it printed.
///
/// # Panics
///
/// If anything is missing.
pub fn check_thread_storm(program: &Program, text: &str, threads: u32) {
    program.counts("gmon.out").are(&format!(
        "<outside> -> main 1
        <outside> -> counter 2
        <outside> -> visitor {threads}
        <outside> -> destroy {threads}
        visitor -> work {}
        destroy -> work {threads}
        counter -> work {}",
        4 * threads,
        printed(text, "counter work"),
    ));
}

/// Checks what `processes/many_forks.c` counted with so many children, from what it printed.
///
/// # Panics
///
/// If anything is missing.
pub fn check_many_forks(program: &Program, text: &str, children: usize) {
    let found: Vec<&str> = all_printed(text, "child").collect();
    // Beside their profiles lie the parent's and the program.
    assert_eq!((found.len(), program.files().len()), (children, children + 2));
    for child in found {
        let (pid, calls) = child.split_once(' ').expect("a process and its calls");
        let counts = program.counts(&format!("gmon.out.{pid}"));
        counts.are(&format!("forker -> child 1\nchild -> child_work {calls}"));
    }
    let [forker, counter] = ["forker work", "counter work"].map(|name| printed(text, name));
    program.counts("gmon.out").are(&format!(
        "<outside> -> main 1
        <outside> -> forker 4
        <outside> -> counter 2
        forker -> work {forker}
        counter -> work {counter}"
    ));
}
