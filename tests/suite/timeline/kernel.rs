//! The part of the time in which the kernel works for a function.

use serde_json::Value;

use super::{OPTIONS, SUITE};
use support::{
    command::{gmon, said, text_of},
    program::Program,
};

/// The functions of an exported profile.
fn functions(program: &Program, options: &[&str]) -> (Value, Vec<Value>) {
    let mut export = gmon();
    export.args(["export", "--format", "json"]).args(options).arg(&program.executable);
    let json: Value =
        serde_json::from_str(&text_of(export.arg(program.path("gmon.out")))).expect("JSON");
    let functions = json["functions"].as_array().expect("functions").clone();
    (json, functions)
}

/// A field of a function, in seconds.
fn time(functions: &[Value], name: &str, field: &str) -> f64 {
    let function = functions.iter().find(|it| it["name"] == name);
    function.and_then(|it| it[field].as_u64()).unwrap_or(0) as f64 / 1e9
}

/// Of a function that computes the kernel has next to nothing, of one that reads zeros nearly all, for its system calls, and of one
/// that touches new pages nearly all, for the pages and for mapping them, where the system tells of faults.
#[test]
fn the_kernels_part_is_that_of_functions_that_need_it() {
    let program =
        SUITE.build("kernel.c", "default", &["-fno-optimize-sibling-calls", "-fno-inline"]);
    program.clear();
    let output = program.run(&["300"], &[("GMON_OPTIONS", OPTIONS)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output), "");
    let (json, all) = functions(&program, &[]);
    let share = |name: &str, field: &str| time(&all, name, field) / time(&all, name, "total_ns");
    let kernel = |name| share(name, "total_system_ns") + share(name, "total_faults_ns");
    assert!(kernel("compute") < 0.1, "{}", kernel("compute"));
    assert!(share("calls", "total_system_ns") > 0.8, "{}", share("calls", "total_system_ns"));
    assert!(share("calls", "total_faults_ns") < 0.1);
    // The kernel reports page faults wherever it reports switches.
    let states = json["timeline"]["states"].as_array().expect("states");
    if states.iter().all(|it| it["from_samples"].is_null()) {
        assert!(kernel("touch") > 0.6, "{}", kernel("touch"));
        assert!(time(&all, "touch", "self_faults_ns") > 0.05);
    }
    let mut report = gmon();
    let text = text_of(report.arg("report").arg(&program.executable).arg(program.path("gmon.out")));
    assert!(text.contains("the kernel's part:") && text.contains("for system calls"), "{text}");
    // Parts of the run have their parts of it, also those of an exported profile and of a merged file.
    let sums = |functions: &[Value]| -> Vec<u64> {
        let fields = ["self_system_ns", "self_faults_ns"];
        let sum = |field| functions.iter().filter_map(|it: &Value| it[field].as_u64()).sum();
        fields.into_iter().map(sum).collect()
    };
    let parts = [&["--to", "400ms"][..], &["--from", "400ms"]];
    let parts = parts.map(|options| sums(&functions(&program, options).1));
    let whole = sums(&all);
    for kind in 0..whole.len() {
        assert_eq!(parts.iter().map(|part| part[kind]).sum::<u64>(), whole[kind]);
    }
    super::merge(&program, &["gmon.out"]);
    let mut export = gmon();
    export.args(["export", "--format", "json"]).arg(&program.executable);
    let merged: Value =
        serde_json::from_str(&text_of(export.arg(program.path("sum")))).expect("JSON");
    assert_eq!(sums(merged["functions"].as_array().expect("functions")), whole);
}
