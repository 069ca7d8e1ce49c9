//! The only calls into the system. Nothing else in the runtime knows an operating system.
//!
//! *Context:* any: system calls are made directly, without the C library.

mod linux;

pub(crate) use linux::*;
