//! Another machine: its programs, run by its emulator, have the counts that they have here.

use super::project::{Project, Run};
use support::{
    command::{gmon, gnu_gprof, text_of},
    ports,
    rust_library::compile_for,
};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const STANDARD_LIBRARY: &str = "std,panic_abort";

/// The user says how programs are linked and run, in the environment or in cargo's configuration.
#[test]
fn counts_are_those_of_this_machine() {
    let Some(compiler) = ports::testable().find(|one| one.target.architecture == "aarch64") else {
        return;
    };
    let port = compiler.target;
    let emulator = format!("{} -L /usr/{}", port.emulator, port.triple);
    let examples = Project::examples();
    let command = |example: &str| {
        let arguments = format!("run -p {example} --target {TARGET} --top 100000");
        let mut command = examples.command(&arguments);
        command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", compiler.c);
        command.env("GMON_OPTIONS", format!("out={}", examples.data().display()));
        command
    };
    let mut small = command("small");
    if !compile_for(&mut small, TARGET, STANDARD_LIBRARY) {
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
    // By hooks that sleep, of which all are awake.
    let mut asleep = command("small --dormant");
    assert!(compile_for(&mut asleep, TARGET, STANDARD_LIBRARY), "as before");
    asleep.env("GMON_OPTIONS", format!("out={},hooks=*", examples.data().display()));
    let asleep = Run::of(asleep.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &emulator));
    let asleep = asleep.succeeded();
    asleep.is_true();
    assert_eq!(own(&asleep), own(&here));
    // Their exits sleep as well.
    let mut timed = command("small --dormant --times small::*");
    assert!(compile_for(&mut timed, TARGET, STANDARD_LIBRARY), "as before");
    let timed = Run::of(timed.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &emulator));
    let mut report = gmon();
    report.args(["report", "--times", "--format", "json"]);
    report.arg(timed.succeeded().executable()).arg(examples.data());
    let table: serde_json::Value = serde_json::from_str(&text_of(&mut report)).expect("JSON");
    let rows = table["tables"][0]["rows"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row["function"] == "small::fibonacci"), "{table}");
    let mut tasks = command("tasks");
    assert!(compile_for(&mut tasks, TARGET, STANDARD_LIBRARY), "as before");
    let config = format!("target.'cfg(target_arch = \"aarch64\")'.runner = '{emulator}'");
    Run::of(tasks.args(["--config", &config])).succeeded().is_true();
}
