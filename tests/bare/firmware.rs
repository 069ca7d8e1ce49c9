//! A Rust program for the board, built by `cargo gmon` on a stable toolchain.

use std::{env, path::Path};

use crate::machine::RISCV;
use support::{
    command::{output_of, quiet},
    rust_library::compile_for,
};

const EMULATOR: &str = "-M virt -bios none -nographic -semihosting -icount shift=3";

/// How long Collatz's sequence is that begins with a number.
fn length(start: u64) -> u64 {
    let next = |n: &u64| (*n != 1).then(|| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
    std::iter::successors(Some(start), next).count() as u64
}

#[test]
fn rust_is_counted_exactly_too() {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples-bare");
    let mut cargo = quiet(env!("CARGO_BIN_EXE_cargo-gmon"));
    cargo.args(["gmon", "build", "--release", "--target-dir"]).arg(&build);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bare/rust"));
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    // Not every rustc comes with a linker.
    cargo.env("CARGO_TARGET_RISCV64GC_UNKNOWN_NONE_ELF_LINKER", "riscv64-linux-gnu-ld");
    if !RISCV.is_there() || !compile_for(&mut cargo, RISCV.target, "core") {
        return;
    }
    cargo.args(["--message-format", "json"]);
    let output = output_of(&mut cargo);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cargo:?}: {}\n{said}", output.status);
    let messages = String::from_utf8_lossy(&output.stdout);
    let message = messages.lines().find_map(|line| line.split("\"executable\":\"").nth(1));
    let executable = message.and_then(|rest| rest.split('"').next()).expect("an executable");

    let run = RISCV.run_executable(executable.into(), EMULATOR);
    assert_eq!(run.printed, "gmon.out is written\n");
    let counts = run.counts();
    let calls = |of: &str| counts.calls_of_names_with(of);
    let steps: u64 = (1..3000).map(|start| length(start) - 1).sum();
    assert_eq!((calls("firmware4next"), calls("firmware6length")), (steps, 2999));
    assert_eq!(calls("firmware7longest"), 1);
    assert_eq!(counts.of("interrupt", "timer_interrupt"), counts.ticks);
    run.reports_are_the_same();
}
