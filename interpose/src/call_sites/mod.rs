//! Calls by slots whose address code takes, too. On x86-64 linkers make one word for both, so that the slot has to stay as
//! it is; here the instructions that call are found, which can be led to another word.
//!
//! | file | what it is |
//! |---|---|
//! | `sites` | places that certainly call by a slot, and by nothing else |
//! | `functions`, `flow` | what the code around them does with the address |
//!
//! On other processors there is nothing to find: nobody reads code there.

mod flow;
pub(crate) mod functions;
pub(crate) mod sites;
