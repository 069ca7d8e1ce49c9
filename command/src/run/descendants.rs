//! The processes that a program left behind, found by the ledger in their environment: such a process may be
//! about to begin a profile.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// The most looks on a machine where new processes never cease to come.
const MOST_LOOKS: usize = 20;

/// The processes that have this value of a variable in the environment that they were started with, and that
/// we may look at.
pub(super) fn with_variable(name: &OsStr, value: &OsStr) -> Vec<u32> {
    let wanted = [name.as_bytes(), b"=", value.as_bytes()].concat();
    let has_it = |id: &u32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == wanted)
    };
    for _ in 0..MOST_LOOKS {
        let before = newest();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let found: Vec<u32> = ids.filter(has_it).collect();
        // A daemon's parent may have ended before its turn came, and the daemon begun behind that of its number.
        if !found.is_empty() || newest() == before {
            return found;
        }
    }
    Vec::new()
}

/// The process that was made last, as the system tells it.
fn newest() -> Option<String> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().last().map(str::to_owned)
}
