//! Programs whose hooks sleep until somebody wakes them: `gmon cc --dormant` and `cargo gmon --dormant` make them,
//! `gmon ctl --hooks` chooses functions of them. [`gmon_format::dormant`] says what a hook is.
//!
//! ```text
//! linked program ─→ file ─→ link    (room that compilers left ─→ hooks that sleep)
//!                       └─→ choice  (patterns ─→ functions with hooks)
//! ```

mod choice;
mod file;
mod link;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

pub(crate) use choice::{functions, patterns};
pub(crate) use link::put_to_sleep;

use crate::carried::Port;

/// Hooks cannot sleep everywhere.
///
/// # Errors
/// Those of a port cannot.
pub(crate) fn require(port: &Port) -> Result<()> {
    if port.architecture != "x86_64" || port.shared.is_none() {
        bail!(
            "--dormant makes programs for Linux on x86-64 only, not for {}: leave it out",
            port.target
        );
    }
    Ok(())
}

/// Whether a program was built with `--dormant`.
pub(crate) fn is_dormant(path: &Path) -> bool {
    let data = fs::read(path).unwrap_or_default();
    file::ProgramFile::read(&data).ok().flatten().is_some_and(|program| program.is_dormant())
}
