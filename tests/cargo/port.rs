//! Another machine: its programs, run by its emulator, have the counts that they have here.

use std::{env, path::Path, process::Command};

use crate::{
    support::{
        command::{gnu_gprof, output_of, quiet},
        ports, tools,
    },
    workspace::{Run, Workspace},
};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Has a command of cargo's compile for the machine: with the standard library that the compiler has for
/// it, or with one compiled by a compiler that has its source. None, if there is neither.
fn with_standard_library(command: &mut Command) -> Option<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = output_of(quiet(rustc).args(["--print=target-libdir", "--target", TARGET]));
    let libraries = String::from_utf8_lossy(&libraries.stdout).into_owned();
    if Path::new(libraries.trim_end()).exists() {
        return Some(());
    }
    let Some(rustc) = env::var_os("GMON_RUSTC") else {
        assert!(!tools::in_ci(), "there is no standard library for {TARGET}");
        eprintln!("SKIPPED: no standard library; `rustup target add {TARGET}`");
        return None;
    };
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.args(["-Z", "build-std=std,panic_abort"]);
    Some(())
}

/// The user says how programs are linked and run, in the environment or in cargo's configuration.
#[test]
fn counts_are_those_of_this_machine() {
    let Some(compiler) = ports::testable().find(|one| one.target.architecture == "aarch64") else {
        return;
    };
    let port = compiler.target;
    let emulator = format!("{} -L /usr/{}", port.emulator, port.triple);
    let examples = Workspace::examples();
    let command = |example: &str| {
        let arguments = format!("run -p {example} --target {TARGET} --top 100000");
        let mut command = examples.command(&arguments);
        command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", compiler.c);
        command.env("GMON_OPTIONS", format!("out={}", examples.data().display()));
        command
    };
    let mut small = command("small");
    if with_standard_library(&mut small).is_none() {
        return;
    }
    let small = Run::of(small.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &emulator));
    let small = small.succeeded();
    small.is_true();
    let report = gnu_gprof(port, &small.executable(), &examples.data()).expect("found before");
    assert!(report.contains("small::fibonacci"), "{report}");

    let own = |run: &Run| {
        let mut calls = run.summary();
        calls.retain(|name, _| name.trim_start_matches('<').starts_with("small::"));
        calls
    };
    let here = examples.run("run -p small --top 100000").succeeded();
    assert_eq!(own(&small), own(&here));
    let mut tasks = command("tasks");
    with_standard_library(&mut tasks).expect("as before");
    let config = format!("target.'cfg(target_arch = \"aarch64\")'.runner = '{emulator}'");
    Run::of(tasks.args(["--config", &config])).succeeded().is_true();
}
