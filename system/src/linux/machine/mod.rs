//! Differences between processors under Linux: the Rust face of `asm/N/linux.S`, and the facts in
//! [`arch`](crate::arch).
//!
//! *Context:* any.

mod stubs;

pub use crate::arch::{
    CONTEXT_MASK, CONTEXT_PC, PERF_PC_REGISTER, RESTORER, RESTORERS, Restorer, SPECIAL_SIGNAL,
};
pub use stubs::{call_on_stack, clone, syscall};
