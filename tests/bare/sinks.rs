//! The ways by which a profile leaves a board: a serial line, a C library's files, a debugger.

use support::{
    command::{quiet, text_of},
    tools,
};

use crate::machine::{
    CORTEX_M0, CORTEX_M3, RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, those_that_are_there,
};

#[test]
fn profile_comes_over_the_serial_line_too() {
    for board in those_that_are_there(&[RISCV, RISCV32, CORTEX_M3]) {
        let run = board.run(&[("SINK", "uart")]);
        run.take_data_from_the_line();
        assert_eq!(run.counts().of("filter", "smooth"), 189_000);
        run.reports_are_the_same();
    }
}

/// The compiler for any RISC-V that has a C library for it. Where it is installed, Debian's clang 14 takes its libraries for those of
/// Linux; so `.ci/run` only unpacks it.
const FOR_RISCV: &str = "riscv64-unknown-elf-gcc";

#[test]
fn programs_with_a_c_library_are_counted() {
    for (board, compiler, library) in [
        (CORTEX_M3, CORTEX_M3.compiler, "newlib"),
        (CORTEX_M3, CORTEX_M3.compiler, "picolibc"),
        (RISCV, FOR_RISCV, "picolibc"),
        (RISCV32, FOR_RISCV, "picolibc"),
        (RISCV32_WITHOUT_ATOMICS, FOR_RISCV, "picolibc"),
    ] {
        if !board.is_there() || !has_library(compiler, library) {
            continue;
        }
        let cc = format!("{} cc {compiler}", env!("CARGO_BIN_EXE_gmon"));
        let run = board.run(&[("SINK", "stdio"), ("LIBC", library), ("CC", &cc)]);
        assert_eq!(run.counts().of("filter", "smooth"), 189_000, "{} {library}", board.target);
        run.reports_are_the_same();
    }
}

/// Whether a compiler is there, with a C library. In CI it has to be.
fn has_library(compiler: &str, library: &str) -> bool {
    let specs = if library == "picolibc" { "picolibc.specs" } else { "rdimon.specs" };
    let option = format!("-print-file-name={specs}");
    let find = || text_of(quiet(compiler).arg(option));
    let is_installed = quiet(compiler).arg("--version").output().is_ok();
    let is_there = is_installed && find().starts_with('/');
    if !is_there {
        tools::skip(format!("there is no {library} for {compiler}"));
    }
    is_there
}

#[test]
fn debugger_takes_the_profile_out_of_memory() {
    if tools::find("gdb-multiarch").is_none() {
        return;
    }
    for board in those_that_are_there(&[CORTEX_M3, RISCV32]) {
        let run = board.build(&[("SINK", "memory"), SMALL]);
        let dump = "dump binary memory gmon.out gmon_out gmon_out_end";
        run.debug(&["break power_off", "continue", dump, "kill"]);
        assert!(run.data().exists());
        assert_eq!(run.counts().of("filter", "smooth"), 189_000);
        run.reports_are_the_same();
    }
}

/// 8 KB for the profile.
const SMALL: (&str, &str) = ("CFLAGS", "-O2 -g -DPROFILE_MEMORY=8192");

/// By SEGGER's RTT; a script reads what a board's debugger would.
#[test]
fn profile_comes_through_a_ring_that_a_debugger_empties() {
    if tools::find("gdb-multiarch").is_none() {
        return;
    }
    for board in those_that_are_there(&[CORTEX_M3, CORTEX_M0, RISCV32]) {
        let run = board.build(&[("SINK", "rtt"), SMALL]);
        run.debug(&["source rtt.gdb"]);
        assert_eq!(run.counts().of("filter", "smooth"), 189_000);
        run.reports_are_the_same();
    }
}

/// Emulators have no trace macrocell: the debugger's script makes its packets.
#[test]
fn profile_is_recovered_from_a_trace() {
    if !CORTEX_M3.is_there() || tools::find("gdb-multiarch").is_none() {
        return;
    }
    let run = CORTEX_M3.build(&[("SINK", "itm"), ("CFLAGS", "-O2 -g -DITM=0x20300000")]);
    run.debug(&["source itm.gdb"]);
    let recover = text_of(run.command(env!("CARGO_BIN_EXE_gmon")).args(["recover", "trace"]));
    assert!(recover.contains(" calls over 7 arcs and "), "{recover}");
    assert!(recover.ends_with(" from a board's trace\n"), "{recover}");
    assert_eq!(run.counts().of("filter", "smooth"), 189_000);
    run.reports_are_the_same();
}

/// Without a debugger that has enabled it, a program is not stopped by its trace macrocell.
#[test]
fn trace_that_nobody_records_is_refused() {
    if CORTEX_M3.is_there() {
        let run = CORTEX_M3.run(&[("SINK", "itm")]);
        let said = "gmon: gmon_board's write did not take the profile\ngmon.out is not written\n";
        assert!(run.printed.ends_with(said), "{}", run.printed);
    }
}

#[test]
fn profile_is_recovered_from_a_copy_of_memory() {
    if tools::find("gdb-multiarch").is_none() {
        return;
    }
    // The profile's memory alone, or all that the program uses.
    let own = "dump binary value memory profile_memory";
    let all = "dump binary memory memory 0x20000003 0x20020000";
    for (board, copies) in [
        (CORTEX_M3, &[own, all][..]),
        (CORTEX_M0, &[own]),
        (RISCV, &[own]),
        (RISCV32, &[own]),
        (RISCV32_WITHOUT_ATOMICS, &[own]),
    ] {
        for copy in copies.iter().filter(|_| board.is_there()) {
            board.build(&[]).is_in_memory(copy);
        }
    }
}
