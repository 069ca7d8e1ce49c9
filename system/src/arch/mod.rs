//! Differences between processors, chosen at compile time.
//!
//! Most of it is assembly (`asm/N/hooks.S`), which `gmon-runtime` assembles; its Rust face is `stubs`. What Rust has to know
//! beside it stands in the file of the processor's name:
//!
//! | name | meaning |
//! |---|---|
//! | `CALL_OFFSET` | how far a frompc lies behind an address inside the call that it belongs to |
//!
//! and under Linux:
//!
//! | name | meaning |
//! |---|---|
//! | `CONTEXT_PC` | where the interrupted program counter lies in what a signal handler gets as its third argument, in bytes |
//! | `CONTEXT_MASK` | where the signals lie there that are blocked when the handler has returned |
//! | `PERF_PC_REGISTER` | the number of the program counter among the registers of a performance event |
//! | `RESTORER` | how the kernel learns where signal handlers return to |
//! | `RESTORERS` | how many words its `struct sigaction` has for that: 1 or 0 |
//! | `SPECIAL_SIGNAL` | the signal that only some processors have |
//!
//! Processors whose hooks look at frames to find the caller have these, too:
//!
//! | name | meaning |
//! |---|---|
//! | `is_frame_set_up` | whether a function has a frame that the frame pointer points to |
//! | `FRAME_RETURN` | where the return address lies in a frame |
//! | `without_signature` | a return address as the processor uses it |
//! | `follows_call` | whether an address is one that a call returns to |
//!
//! Processors whose hooks can come before the frame (`__fentry__`) have these:
//!
//! | name | meaning |
//! |---|---|
//! | `PUSH_CHAIN` | the instruction that pushes the static chain of a nested function |
//!
//! `docs/porting.md` tells what the assembly has to define and how a new processor is added.
//!
//! *Context:* any.

// The build finds the processor's file by the table of ports.
include!(concat!(env!("OUT_DIR"), "/arch.rs"));

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod riscv;
mod stubs;

pub use this::CALL_OFFSET;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use this::PUSH_CHAIN;
#[cfg(target_os = "linux")]
pub use this::{CONTEXT_MASK, CONTEXT_PC, PERF_PC_REGISTER, RESTORER, RESTORERS, SPECIAL_SIGNAL};
#[cfg(any(target_arch = "aarch64", target_arch = "riscv32", target_arch = "riscv64"))]
pub use this::{FRAME_RETURN, follows_call, is_frame_set_up, without_signature};

#[cfg(all(target_os = "linux", not(target_arch = "x86_64")))]
pub use stubs::count;
#[cfg(all(target_arch = "arm", target_os = "linux"))]
pub use stubs::library_call;
#[cfg(not(target_has_atomic = "ptr"))]
pub use stubs::without_interrupts;
pub use stubs::{
    clear_table_word, external_caller, has_thread_pointer, hooks, library_functions, miss,
    runtime_text, set_table_word, table_word, thread_pointer,
};
#[cfg(target_arch = "sparc")]
pub use stubs::{compare_exchange_64, load_64};

/// Way in which the kernel learns where signal handlers return to.
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "a processor has one of them")]
pub enum Restorer {
    /// A place that the kernel knows.
    Kernels,
    /// From the action, in which a flag says that it is there.
    InAction(unsafe extern "C" fn()),
    /// From an argument of the call that sets the action: the place for actions of these flags.
    InCall(fn(usize) -> usize),
}
