//! Calls by slots whose address code takes, too. On x86-64 linkers make one word for both, so that the slot has to stay as
//! it is; here the instructions that call are found, and call by words of ours.
//!
//! | file | what it is |
//! |---|---|
//! | `door` | the way in: [`CallSites`] |
//! | `sites` | places that certainly call by a slot, and by nothing else |
//! | `functions`, `instruction`, `flow` | what the code around them does with the address |
//! | `near` | the words, as far from the code as an instruction reaches |
//!
//! On other processors there is nothing to find: nobody reads code there.
//!
//! *Context:* startup, hook.

mod door;
mod flow;
pub(super) mod functions;
pub(super) mod instruction;
mod near;
pub(super) mod sites;

pub(super) use door::CallSites;
pub(super) use near::Words;
