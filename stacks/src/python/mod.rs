//! Frames of CPython's interpreter in the stacks of samples: which functions of Python the evaluator executes, in the place
//! of the evaluator's own frames.
//!
//! ```text
//!   modules ─→ find ─→ interpreter ─┐
//!   walk ──────────────→ merge ─────┴→ frames, with addresses of code
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `find` | the interpreter among the modules, by the symbols of its file |
//! | `interpreter` | keeps what is known of it |
//! | `merge` | frames of both kinds in their order |
//! | `code` | an address for each line of each function, and what a file says of them |
//!
//! Frames of Python are read in the thread itself, while it stands still, so that they fit those of the evaluator. Each read
//! is checked. In doubt the evaluator's frames stay.
//!
//! *Context:* `begin` startup or hook; `forget` hook or in the C library's `fork`; the rest signal.

mod code;
mod find;
mod interpreter;
mod merge;

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::atomic::AtomicU64;

pub(super) use find::meet;
pub(super) use merge::{Merge, Native, Thread, Tools, Verdict};

pub use code::chunks;

/// True if frames of Python are wanted.
static IS_WANTED: AtomicBool = AtomicBool::new(false);

/// Runs of the evaluator that were replaced by functions of Python, and those that were left as they are.
static REPLACED: AtomicU64 = AtomicU64::new(0);
static LEFT: AtomicU64 = AtomicU64::new(0);

/// Begins to look for an interpreter, if the user wants it.
pub fn begin(is_wanted: bool) {
    let is_known = cfg!(target_pointer_width = "64");
    IS_WANTED.store(is_known && is_wanted, Ordering::Release);
}

/// Begins again in a forked child, whose memory of code was wiped. Its interpreter is its parent's.
pub fn forget() {
    code::forget();
    reset();
}

/// Sets what was counted to zero.
pub fn reset() {
    REPLACED.store(0, Ordering::Relaxed);
    LEFT.store(0, Ordering::Relaxed);
}

/// Facts about an interpreter that was met.
pub struct Known {
    /// The number behind 3 in its version; `None` if that is not known.
    pub minor: Option<u8>,
    /// Runs of the evaluator that were replaced by functions of Python.
    pub replaced: u64,
    /// Runs of it that were left as they are.
    pub left: u64,
}

/// The interpreter, if one was met.
pub fn known() -> Option<Known> {
    let minor = interpreter::get().map(|interpreter| interpreter.layout.version().minor());
    (minor.is_some() || find::has_failed()).then(|| Known {
        minor,
        replaced: REPLACED.load(Ordering::Relaxed),
        left: LEFT.load(Ordering::Relaxed),
    })
}
