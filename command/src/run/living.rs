//! Processes of a run that still live, by the number that they have here.

use std::fs;

use rustix::time::{ClockId, clock_gettime};

use crate::processes::{Process, namespace};

/// Nanoseconds in which the kernel counts the starts of processes.
const TICK: u64 = 10_000_000;

/// Nanoseconds since the system started.
pub(super) fn now() -> u64 {
    let now = clock_gettime(ClockId::Boottime);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// The number that a process of a run that began at some time has here, if it still lives. Its own number may be of
/// another PID namespace, and by now of another process.
pub(super) fn number(process: &Process, run_began: u64) -> Option<u32> {
    let is_its = |number: &u32| {
        started(*number).is_some_and(|start| {
            run_began <= start + TICK && start <= process.began_at().saturating_add(TICK)
        })
    };
    if process.has_our_number() {
        return Some(process.id).filter(is_its);
    }
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| is_in_namespace(*number, process)).find(is_its)
}

/// True if the process of a number here has the number of another one in that one's namespace.
fn is_in_namespace(number: u32, process: &Process) -> bool {
    let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
    let inner = line.split_whitespace().skip(1).last();
    inner.and_then(|inner| inner.parse().ok()) == Some(process.id)
        && namespace(&number.to_string()).is_none_or(|it| it == process.namespace)
}

/// When a process started that has not ended, in nanoseconds since the system did.
fn started(number: u32) -> Option<u64> {
    /// The place of the start behind the state.
    const START: usize = 18;
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // Its state follows its name, which may hold anything.
    let mut fields = stat.rsplit(") ").next()?.split(' ');
    let is_alive = !fields.next()?.contains(['Z', 'X']);
    let ticks: u64 = fields.nth(START)?.parse().ok()?;
    is_alive.then(|| ticks.saturating_mul(TICK))
}
