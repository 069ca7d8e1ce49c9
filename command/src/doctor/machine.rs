//! Limits that the machine and the environment set to programs.

use std::env;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gmon_analyzer::system_message;
use gmon_format::options;
use nix::sys::statvfs::statvfs;

use super::finding::Findings;
use super::trial;
use crate::run;

/// A disk with less room than this, in bytes, may be too small for a profile.
const ROOM: u64 = 16 << 20;

/// Looks at the machine, for profiles that are written into a folder.
pub(super) fn examine(folder: &Path, findings: &mut Findings) {
    findings.begin("machine", None);
    match trial::samples() {
        Ok(0) => findings.problem(
            "a program of a twentieth of a second was not sampled once: no timer works here",
            "look whether a container or seccomp forbids timer_create and perf_event_open; calls are counted all the same",
        ),
        Ok(samples) => findings.ok(format!("a program of a twentieth of a second was sampled {samples} times")),
        Err(error) => findings.problem(format!("a program could not be profiled: {error:#}"), "see below"),
    }
    perf(findings);
    writing(folder, findings);
    for folder in run::of_dead_runs(folder) {
        findings.note(run::left_by_dead_run(&folder), "look at them, then remove the folder");
    }
    environment(findings);
}

/// Tells whether the kernel gives a clock that is not bound to its ticks.
fn perf(findings: &mut Findings) {
    const FILE: &str = "/proc/sys/kernel/perf_event_paranoid";
    let Ok(text) = fs::read_to_string(FILE) else {
        findings.note(
            "the kernel has no performance events: samples come with its ticks, 100 to 1,000 a second",
            "for short programs, run them several times",
        );
        return;
    };
    match text.trim().parse::<i32>() {
        Ok(level) if level <= 2 => {
            findings.ok(format!("performance events are allowed (level {level})"))
        }
        _ => findings.note(
            format!(
                "performance events are forbidden (level {}): samples come with the kernel's ticks",
                text.trim()
            ),
            format!("as root, write 2 to {FILE}"),
        ),
    }
}

/// Tells whether a profile can be written where programs are started.
fn writing(folder: &Path, findings: &mut Findings) {
    if let Err(error) = tempfile::tempfile_in(folder) {
        findings.problem(
            format!(
                "nothing can be written into this folder ({}), so programs started here leave no gmon.out",
                system_message(&error)
            ),
            "start them elsewhere, or say GMON_OPTIONS=out=/tmp/%e.%p.gmon.out",
        );
        return;
    }
    let room =
        statvfs(folder).map(|disk| disk.blocks_available().saturating_mul(disk.fragment_size()));
    match room {
        Ok(room) if room < ROOM => findings.problem(
            format!("the disk of this folder has room for {} KB only", room / 1024),
            "make room, or say GMON_OPTIONS=out=FILE with a file on another disk",
        ),
        _ => findings.ok("this folder can be written"),
    }
}

/// Tells whether variables change what programs do.
fn environment(findings: &mut Findings) {
    let list = env::var_os(options::VARIABLE).unwrap_or_default();
    let names: Vec<_> = options::ROWS.iter().map(|row| row.name).collect();
    let mut is_off = false;
    for pair in options::pairs(list.as_bytes()) {
        let text = String::from_utf8_lossy(pair.text);
        match pair.key {
            None => findings.problem(
                format!("{}: there is no option {text}", options::VARIABLE),
                format!("the options are {}", names.join(", ")),
            ),
            Some(options::Key::Off) => is_off = options::is_on(pair.value),
            Some(_) => findings.ok(format!("{} has {text}", options::VARIABLE)),
        }
    }
    if is_off {
        findings.problem(
            format!("{} has off: no program leaves a profile", options::VARIABLE),
            format!("unset {}", options::VARIABLE),
        );
    }
    if let Some(library) = env::var_os("LD_PRELOAD").filter(|value| !value.is_empty()) {
        findings.note(
            format!(
                "LD_PRELOAD is {}: those libraries come before the runtime",
                library.to_string_lossy()
            ),
            "unset it, unless your programs need it",
        );
    }
    if let Some(prefix) = env::var_os("GMON_OUT_PREFIX").filter(|value| !value.is_empty()) {
        let prefix = prefix.to_string_lossy();
        findings.note(
            format!("GMON_OUT_PREFIX is {prefix}: profiles go to {prefix}.PID, not to gmon.out"),
            "unset it, or name that file",
        );
    }
}
