//! What differs between processors, chosen at compile time.
//!
//! Most of it is assembly: `asm/N.S`, whose Rust face is [`stubs`]. What Rust has to know beside it
//! stands in the file of the processor's name:
//!
//! | name | meaning |
//! |---|---|
//! | `assembly!` | the text of `asm/N.S` |
//! | `CONTEXT_PC` | where the interrupted program counter lies in what a signal handler gets as its third argument, in bytes |
//! | `PERF_PC_REGISTER` | the number of the program counter among the registers of a performance event |
//! | `CALL_OFFSET` | how far a frompc lies behind an address inside the call that it belongs to |
//! | `RESTORER` | where signal handlers return to, if the kernel has to be told |
//!
//! Where hooks look at frames to find the caller ([`framed`]), these too:
//!
//! | name | meaning |
//! |---|---|
//! | `FRAME_RETURN` | where the return address lies in a frame |
//! | `without_signature` | a return address as the processor uses it |
//! | `follows_call` | whether an address is one that a call returns to |
//!
//! `docs/porting.md` tells what the assembly has to define and how a new processor is added.
//!
//! *Context:* any.

#[macro_use]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;

#[cfg(target_arch = "aarch64")]
mod framed;
mod stubs;

pub(crate) use this::{CALL_OFFSET, CONTEXT_PC, PERF_PC_REGISTER, RESTORER};
#[cfg(target_arch = "aarch64")]
use this::{FRAME_RETURN, follows_call, without_signature};

pub(crate) use stubs::{
    call_on_stack, clear_table_word, clone, external_caller, has_thread_pointer, hooks,
    runtime_text, set_table_word, syscall, table_word,
};
