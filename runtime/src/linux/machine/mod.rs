//! Differences between processors under Linux, chosen at compile time.
//!
//! As in [`arch`](crate::arch) there is assembly, `asm/N.linux.S`, whose Rust face is [`stubs`], and a
//! file of the processor's name:
//!
//! | name | meaning |
//! |---|---|
//! | `CONTEXT_PC` | where the interrupted program counter lies in what a signal handler gets as its third argument, in bytes |
//! | `PERF_PC_REGISTER` | the number of the program counter among the registers of a performance event |
//! | `RESTORER` | how the kernel learns where signal handlers return to |
//! | `RESTORERS` | how many words its `struct sigaction` has for that: 1 or 0 |
//! | `SPECIAL_SIGNAL` | the signal that only some processors have |
//!
//! *Context:* any.

mod stubs;
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
#[cfg_attr(target_arch = "mips64", path = "mips64.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "powerpc64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x.rs")]
#[cfg_attr(target_arch = "sparc", path = "sparc.rs")]
#[cfg_attr(target_arch = "sparc64", path = "sparc64.rs")]
#[cfg_attr(target_arch = "x86", path = "x86.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;

pub(crate) use stubs::{call_on_stack, clone, syscall};
pub(crate) use this::{CONTEXT_PC, PERF_PC_REGISTER, RESTORER, RESTORERS, SPECIAL_SIGNAL};

/// Way in which the kernel learns where signal handlers return to.
#[allow(dead_code, reason = "a processor has one of them")]
pub(crate) enum Restorer {
    /// A place that the kernel knows.
    Kernels,
    /// From the action, in which a flag says that it is there.
    InAction(unsafe extern "C" fn()),
    /// From an argument of the call that sets the action: the place for actions of these flags.
    InCall(fn(usize) -> usize),
}
