//! What differs between processors, chosen at compile time.
//!
//! Most of it is assembly: `asm/N.S` and `asm/N.linux.S`, whose Rust face is [`stubs`]. What Rust has to
//! know beside it stands in the file of the processor's name:
//!
//! | name | meaning |
//! |---|---|
//! | `assembly!` | the text of `asm/N.S`, or of `asm/N.linux.S`, by what comes behind N |
//! | `CONTEXT_PC` | where the interrupted program counter lies in what a signal handler gets as its third argument, in bytes |
//! | `PERF_PC_REGISTER` | the number of the program counter among the registers of a performance event |
//! | `CALL_OFFSET` | how far a frompc lies behind an address inside the call that it belongs to |
//! | `RESTORER` | how the kernel learns where signal handlers return to |
//! | `RESTORERS` | how many words its `struct sigaction` has for that: 1 or 0 |
//! | `SPECIAL_SIGNAL` | the signal that only some processors have |
//!
//! Where hooks look at frames to find the caller (`framed`), these too:
//!
//! | name | meaning |
//! |---|---|
//! | `is_frame_set_up` | whether a function has a frame that the frame pointer points to |
//! | `FRAME_RETURN` | where the return address lies in a frame |
//! | `without_signature` | a return address as the processor uses it |
//! | `follows_call` | whether an address is one that a call returns to |
//!
//! `docs/porting.md` tells what the assembly has to define and how a new processor is added.
//!
//! *Context:* any.

#[macro_use]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "sparc64", path = "sparc64.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;

#[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
mod framed;
mod stubs;

pub(crate) use this::{
    CALL_OFFSET, CONTEXT_PC, PERF_PC_REGISTER, RESTORER, RESTORERS, SPECIAL_SIGNAL,
};
#[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
use this::{FRAME_RETURN, follows_call, is_frame_set_up, without_signature};

pub(crate) use stubs::{
    call_on_stack, clear_table_word, clone, external_caller, has_thread_pointer, hooks,
    runtime_text, set_table_word, syscall, table_word,
};

/// How the kernel learns where signal handlers return to.
#[allow(dead_code, reason = "a processor has one of them")]
pub(crate) enum Restorer {
    /// It knows a place of its own.
    Kernels,
    /// From the action, in which a flag says that it is there.
    InAction(unsafe extern "C" fn()),
    /// From an argument of the call that sets the action.
    InCall(unsafe extern "C" fn()),
}
