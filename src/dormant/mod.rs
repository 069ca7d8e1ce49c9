//! Programs whose hooks sleep until somebody wakes them: `gmon cc --dormant` makes them, `gmon ctl --hooks` chooses
//! functions of them. [`gmon_format::dormant`] says what a hook is.
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

pub(crate) use choice::{functions, patterns};
pub(crate) use link::put_to_sleep;

/// Whether `gmon cc --dormant` has linked a program.
pub(crate) fn is_dormant(path: &Path) -> bool {
    let data = fs::read(path).unwrap_or_default();
    file::ProgramFile::read(&data).ok().flatten().is_some_and(|program| program.is_dormant())
}
