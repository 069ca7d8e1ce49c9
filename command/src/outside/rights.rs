//! Says why a process cannot be sampled, and the one thing that would allow it.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;

use anyhow::{Error, anyhow};
use gmon_analyzer::system_message;
use nix::errno::Errno;
use nix::unistd::geteuid;

/// Explains an error of the system call that samples a process.
pub(super) fn explain(process: u32, error: &io::Error) -> Error {
    let cannot = format!("process {process} cannot be sampled");
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ESRCH) => anyhow!("process {process} has ended"),
        Some(Errno::ENOSYS) => {
            anyhow!("{cannot}: this kernel was built without performance events")
        }
        Some(Errno::EMFILE | Errno::ENFILE) => anyhow!(
            "{cannot}: each of its threads needs a file descriptor for each processor, and there are not so many; \
             allow more: ulimit -n 1048576"
        ),
        Some(Errno::EACCES | Errno::EPERM) => why_forbidden(process, &cannot),
        _ => anyhow!("{cannot}: {}", system_message(error)),
    }
}

fn why_forbidden(process: u32, cannot: &str) -> Error {
    if is_filtered() {
        return anyhow!(
            "{cannot}: a filter of system calls (seccomp), as containers have, forbids perf_event_open here; run gmon \
             outside of the container, or start the container with --cap-add=PERFMON"
        );
    }
    let user = geteuid();
    if user.is_root() {
        return anyhow!(
            "{cannot}: this root lacks the right to (CAP_PERFMON), as in containers; run gmon outside of the container"
        );
    }
    let owner = owner_of(process);
    if owner.is_some_and(|owner| owner != user.as_raw()) {
        return anyhow!("{cannot}: it is another user's; run gmon as that user, or by sudo");
    }
    if let Some(level) = paranoia().filter(|level| *level > 2) {
        return anyhow!(
            "{cannot}: kernel.perf_event_paranoid is {level}, which forbids it to all but root; allow it: \
             sudo sysctl kernel.perf_event_paranoid=2"
        );
    }
    anyhow!(
        "{cannot}: the program has more rights than its user, or hides itself (it is not dumpable); run gmon by sudo"
    )
}

/// True if a filter of system calls is in force for us.
fn is_filtered() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Seccomp:"));
    line.is_some_and(|mode| mode.trim() == "2") && paranoia().is_none_or(|level| level <= 2)
}

/// The kernel's setting that says who may look at what.
fn paranoia() -> Option<i32> {
    let text = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

/// The user whose process it is.
fn owner_of(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    let real = line.and_then(|ids| ids.split_whitespace().next()?.parse().ok());
    real.or_else(|| fs::metadata(format!("/proc/{process}")).ok().map(|it| it.uid()))
}
