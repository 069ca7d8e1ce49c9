//! Facts about what was looked at, as a full profile has them.

use std::fs;
use std::path::Path;

use gmon_format::live::Sample;
use gmon_format::live::facts::escaped;

use super::process::Process;
use super::session::Sampler;
use super::times;
use super::tree::Tree;

/// The text of all facts.
pub(super) fn facts(process: &Process, sampler: &Sampler) -> Vec<u8> {
    let mut text = Vec::new();
    let mut fact = |key: &str, value: &[u8]| {
        text.extend_from_slice(key.as_bytes());
        text.push(b'=');
        value.iter().for_each(|byte| text.extend_from_slice(escaped(*byte).as_bytes()));
        text.push(b'\n');
    };
    let file = |path: &str| {
        let bytes = fs::read(Path::new("/proc/sys/kernel").join(path)).unwrap_or_default();
        bytes.trim_ascii_end().to_vec()
    };
    let end = if process.ended == 0 { times::now() } else { process.ended };
    let incomplete = process.incomplete.iter().filter_map(|(label, weight)| {
        let reason = label.reason().filter(|_| *weight > 0)?;
        Some(format!("{reason}:{weight}"))
    });
    fact("version", env!("CARGO_PKG_VERSION").as_bytes());
    fact("program", process.program.as_os_str().as_encoded_bytes());
    fact("command", process.command.strip_suffix(b"\0").unwrap_or(&process.command));
    fact("directory", &process.directory);
    fact("host", &file("hostname"));
    fact("kernel", &file("osrelease"));
    for (key, number) in [
        ("pid", process.id.into()),
        ("parent", process.parent.into()),
        ("duration_ns", end.saturating_sub(process.begun)),
        ("cpu_ns", process.used),
        ("user_ns", process.ticks.user),
        ("system_ns", process.ticks.system),
        ("hz_asked", sampler.rate.into()),
        ("hz_reached", sampler.rate.into()),
        ("walks", process.samples),
        ("limit_bytes", Tree::LIMIT as u64),
        ("tree_bytes", process.tree.bytes() as u64),
        ("record_bytes", (process.tree.moments.len() * Sample::LEN) as u64),
        ("origin", times::since_start(process.begun)),
    ] {
        fact(key, number.to_string().as_bytes());
    }
    if let Some(minor) = process.python.minor() {
        fact("python", format!("3.{minor}").as_bytes());
        fact("python_runs", process.python.replaced.to_string().as_bytes());
        fact("python_runs_late", process.python.late.to_string().as_bytes());
        fact("python_runs_left", process.python.left.to_string().as_bytes());
    }
    fact("run", sampler.run.as_bytes());
    fact("sampler", b"outside");
    fact("clock", b"CPU time in user mode");
    fact("unit", b"seconds");
    fact("incomplete", incomplete.collect::<Vec<_>>().join(",").as_bytes());
    fact("stacks", b"yes");
    text
}
