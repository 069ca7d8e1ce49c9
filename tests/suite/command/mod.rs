//! Tests of the `gmon` command as its users call it: every subcommand, every exit status, every
//! error path.
//!
//! The programs are tiny, since what the runtime counts is tested elsewhere; here it matters that
//! the right thing is compiled, linked, run and said.

mod blocks;
mod carried;
mod cc;
mod config;
mod doctor;
mod gprof;
mod install;
mod languages;
mod manual;
mod messages;
mod mpi;
mod package;
mod report;
mod run_errors;
mod run_processes;
mod run_programs;
mod run_safety;
mod run_sources;
mod run_stacks;
mod run_state;
mod tables;
mod usage;

use support::workplace::Workplace;

/// `main` calls `work` three times and then ends with the status of its first argument.
const PROGRAM: &str = concat!(
    include_str!("../../../examples/c/counted.h"),
    r#"
#include <stdlib.h>
COUNTED int work(int x) { __asm__ volatile(""); return x; }
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++)
        work(i);
    return argc > 1 ? atoi(argv[1]) : 0;
}
"#
);

/// A workplace in which `prog.c` is [`PROGRAM`].
fn with_program() -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place
}
