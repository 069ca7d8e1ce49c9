//! A Rust program for boards, built by `cargo gmon` on a stable toolchain, and by cargo alone.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::machine::{
    Board, CORTEX_M0, CORTEX_M3, CORTEX_M33, RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, Run,
};
use support::{
    command::{output_of, quiet},
    rust_library::compile_for,
};

/// Boards with a RISC-V, and linkers for them.
const RISCVS: [(&Board, &str); 3] = [
    (RISCV, "riscv64-linux-gnu-ld"),
    (RISCV32, "riscv64-linux-gnu-ld"),
    (RISCV32_WITHOUT_ATOMICS, "riscv64-linux-gnu-ld"),
];

/// Boards with a Cortex-M.
const CORTEX: [(&Board, &str); 3] = [
    (CORTEX_M3, "arm-none-eabi-ld"),
    (CORTEX_M0, "arm-none-eabi-ld"),
    (CORTEX_M33, "arm-none-eabi-ld"),
];

/// How long Collatz's sequence is that begins with a number.
fn length(start: u64) -> u64 {
    let next = |n: &u64| (*n != 1).then(|| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
    std::iter::successors(Some(start), next).count() as u64
}

/// Builds the program for a board by a command that is cargo or takes its arguments, in a folder of this name. None if
/// something is not there that it needs.
fn build(board: &Board, linker: &str, mut cargo: Command, folder: &str) -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    cargo.args(["build", "--release", "--target", board.target, "--target-dir"]);
    cargo.arg(&build);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bare/rust"));
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    // Not every rustc comes with a linker.
    let variable = board.target.to_uppercase().replace(['-', '.'], "_");
    cargo.env(format!("CARGO_TARGET_{variable}_LINKER"), linker);
    if !board.is_there() || !compile_for(&mut cargo, board.target, "core") {
        return None;
    }
    cargo.args(["--message-format", "json"]);
    let output = output_of(&mut cargo);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cargo:?}: {}\n{said}", output.status);
    let messages = String::from_utf8_lossy(&output.stdout);
    let message = messages.lines().find_map(|line| line.split("\"executable\":\"").nth(1));
    Some(message.and_then(|rest| rest.split('"').next()).expect("an executable").into())
}

/// Builds the program for a board and runs it. None if something is not there that it needs.
fn run(board: &Board, linker: &str) -> Option<Run> {
    let mut cargo = quiet(env!("CARGO_BIN_EXE_cargo-gmon"));
    cargo.arg("gmon");
    let run = board.run_executable(build(board, linker, cargo, "examples-bare")?);
    assert_eq!(run.printed, "gmon.out is written\n", "{}", board.target);
    is_right(&run);
    Some(run)
}

/// Checks the program's own functions, and the reports.
fn is_right(run: &Run) {
    let counts = run.counts();
    let calls = |of: &str| counts.calls_of_names_with(of);
    let steps: u64 = (1..3000).map(|start| length(start) - 1).sum();
    assert_eq!((calls("firmware4next"), calls("firmware6length")), (steps, 2999));
    assert_eq!(calls("firmware7longest"), 1);
    run.reports_are_the_same();
}

#[test]
fn rust_is_counted_exactly_too() {
    for run in RISCVS.iter().filter_map(|(board, linker)| run(board, linker)) {
        let counts = run.counts();
        assert_eq!(counts.of("interrupt", "timer_interrupt"), counts.ticks);
    }
}

#[test]
fn rust_is_counted_exactly_on_a_cortex_too() {
    for run in CORTEX.iter().filter_map(|(board, linker)| run(board, linker)) {
        let counts = run.counts();
        assert_eq!(counts.calls("timer_handler"), counts.ticks);
        assert!(counts.ticks > 20, "{}", counts.ticks);
    }
}

/// Without a runtime it runs as ever, and takes no profile.
#[test]
fn rust_is_built_by_cargo_alone_too() {
    for (board, linker) in RISCVS.iter().chain(&CORTEX) {
        if let Some(executable) = build(board, linker, quiet("cargo"), "examples-bare-plain") {
            let run = board.run_executable(executable);
            assert_eq!(run.printed, "gmon.out is not written\n", "{}", board.target);
        }
    }
}
