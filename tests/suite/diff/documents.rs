//! Profiles made up for a test, in JSON.

use serde_json::{Value, json};
use support::workplace::Workplace;

/// A function: its name, calls and samples.
pub(super) type Function<'a> = (&'a str, u64, u64);

/// A profile of these functions, all called by the first, without call stacks and at 100 Hz.
pub(super) fn document(functions: &[Function<'_>]) -> Value {
    let samples: u64 = functions.iter().map(|(_, _, samples)| samples).sum();
    let list = functions.iter().enumerate().map(|(id, (name, calls, samples))| {
        json!({
            "id": id, "module": 0, "kind": "code", "name": name, "display": name, "address": format!("{:#x}", 4096 + id),
            "size": 1, "file": null, "line": null, "calls": calls, "recursive_calls": 0, "samples": samples,
            "self_ns": samples * 10_000_000, "total_ns": samples * 10_000_000, "cycle": null,
        })
    });
    let arcs = functions.iter().enumerate().skip(1).map(|(id, (_, calls, _))| {
        json!({"caller": 0, "callee": id, "file": null, "line": null, "calls": calls, "total_ns": null})
    });
    json!({
        "schema": "gmon-profile/1",
        "generator": {"name": "gmon", "version": "0.1.0"},
        "program": "/bin/made-up", "command": null, "host": null, "pid": null, "parent_pid": null, "start_ns": null,
        "duration_ns": null,
        "sampling": {
            "rate_hz": 100, "period_ns": 10_000_000, "samples": samples, "signals": null, "dispersion": null,
            "incomplete": 0, "unit": "seconds", "paths": "none", "inclusive": "apportioned",
        },
        "modules": [{"id": 0, "path": "/bin/made-up", "build_id": null, "arch": "x86_64"}],
        "files": [], "functions": list.collect::<Vec<_>>(), "arcs": arcs.collect::<Vec<_>>(), "cycles": [],
        "threads": [], "frames": [], "stacks": [], "lines": [], "places": [],
    })
}

/// Writes the runs of a side, `NAME.1.json` and so on, and gives their names as words.
pub(super) fn runs(place: &Workplace, name: &str, runs: &[Vec<Function<'_>>]) -> String {
    let names = runs.iter().enumerate().map(|(number, functions)| {
        let file = format!("{name}.{}.json", number + 1);
        place.write(&file, document(functions).to_string());
        file
    });
    names.collect::<Vec<_>>().join(" ")
}
