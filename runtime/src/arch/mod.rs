//! Differences between processors, chosen at compile time.
//!
//! Most of it is assembly: `asm/N.S`, which [`assembly`] assembles; its Rust face is [`stubs`]. What Rust has to know beside it stands
//! in the file of the processor's name:
//!
//! | name | meaning |
//! |---|---|
//! | `assembly!` | includes `asm/<processor><suffix>` |
//! | `CALL_OFFSET` | how far a frompc lies behind an address inside the call that it belongs to |
//!
//! Processors whose hooks look at frames to find the caller (`framed`) have these, too:
//!
//! | name | meaning |
//! |---|---|
//! | `is_frame_set_up` | whether a function has a frame that the frame pointer points to |
//! | `FRAME_RETURN` | where the return address lies in a frame |
//! | `without_signature` | a return address as the processor uses it |
//! | `follows_call` | whether an address is one that a call returns to |
//!
//! Processors whose hooks can come before the frame (`fentry`) have these:
//!
//! | name | meaning |
//! |---|---|
//! | `PUSH_CHAIN` | the instruction that pushes the static chain of a nested function |
//!
//! `docs/porting.md` tells what the assembly has to define and how a new processor is added.
//!
//! *Context:* any.

#[macro_use]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(all(target_arch = "arm", target_os = "linux"), path = "arm.rs")]
#[cfg_attr(target_arch = "mips64", path = "mips64.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "powerpc64.rs")]
#[cfg_attr(target_arch = "riscv32", path = "riscv32.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x.rs")]
#[cfg_attr(target_arch = "sparc", path = "sparc.rs")]
#[cfg_attr(target_arch = "sparc64", path = "sparc64.rs")]
#[cfg_attr(
    all(target_arch = "arm", target_os = "none", target_has_atomic = "ptr"),
    path = "thumbv7m.rs"
)]
#[cfg_attr(
    all(target_arch = "arm", target_os = "none", not(target_has_atomic = "ptr")),
    path = "thumbv6m.rs"
)]
#[cfg_attr(target_arch = "x86", path = "x86.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;

mod assembly;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod fentry;
#[cfg(any(target_arch = "aarch64", target_arch = "riscv32", target_arch = "riscv64"))]
mod framed;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod riscv;
mod stubs;

pub(crate) use this::CALL_OFFSET;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use this::PUSH_CHAIN;
#[cfg(any(target_arch = "aarch64", target_arch = "riscv32", target_arch = "riscv64"))]
pub(crate) use this::without_signature;
#[cfg(any(target_arch = "aarch64", target_arch = "riscv32", target_arch = "riscv64"))]
use this::{FRAME_RETURN, follows_call, is_frame_set_up};

#[cfg(all(target_arch = "arm", target_os = "linux"))]
pub(crate) use stubs::library_call;
#[cfg(not(target_has_atomic = "ptr"))]
pub(crate) use stubs::without_interrupts;
pub(crate) use stubs::{
    clear_table_word, external_caller, has_thread_pointer, hooks, library_functions, miss,
    runtime_text, set_table_word, table_word,
};
#[cfg(target_arch = "sparc")]
pub(crate) use stubs::{compare_exchange_64, load_64};
