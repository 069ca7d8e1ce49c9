//! Signals by which somebody ends a command, and how it has ended.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{self, ExitCode, ExitStatus};

use anyhow::{Context, Result};
use nix::sys::signal::{SigSet, Signal, raise};

/// Signals by which users, their terminals and the system ask for an end.
const ENDING: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];

/// Signals of these that end this process. `nohup` has it ignore the end of its terminal. Shells have commands in the background
/// ignore what the keys of a terminal send, but scripts end such commands by these signals.
pub(crate) fn ending() -> SigSet {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_heeded = |signal: &Signal| *signal != Signal::SIGHUP || !is_ignored(&status, *signal);
    ENDING.into_iter().filter(is_heeded).collect()
}

/// Tells by the status of a process if it ignores a signal. Blocked ones arrive at descriptors even then.
fn is_ignored(status: &str, signal: Signal) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (signal as u32 - 1) != 0
}

/// Ends this process by a signal, or with the status of that where it is ignored.
///
/// # Errors
///
/// The system refuses.
pub(crate) fn end_by(signal: Signal) -> Result<()> {
    SigSet::from(signal).thread_unblock().context("cannot unblock signals")?;
    raise(signal).with_context(|| format!("cannot end by {signal}"))?;
    process::exit(128 + signal as i32)
}

/// Exit status of a command that ended so; as a shell says it of one that a signal has ended.
pub(crate) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| Some(128 + status.signal()?)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_are_ignored_are_known() {
        let status = "Name:\tgmon\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\n";
        assert_eq!(ENDING.map(|it| is_ignored(status, it)), [true, false, false, false]);
        assert!(!is_ignored("", Signal::SIGHUP));
    }
}
