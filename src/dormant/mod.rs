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

pub(crate) use choice::{functions, patterns};
pub(crate) use link::put_to_sleep;
