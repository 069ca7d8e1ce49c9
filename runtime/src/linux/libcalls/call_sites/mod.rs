//! Calls by slots whose address code takes, too. On x86-64 linkers make one word for both, so that the slot has to stay as
//! it is; the instructions that call are led to words of ours. Which these are is found by [`gmon_interpose::Sites`].
//!
//! | file | what it is |
//! |---|---|
//! | `door` | the way in: [`CallSites`] |
//! | `near` | the words, as far from the code as an instruction reaches |
//!
//! *Context:* startup, hook.

mod door;
mod near;

pub(super) use door::CallSites;
pub(super) use near::Words;
