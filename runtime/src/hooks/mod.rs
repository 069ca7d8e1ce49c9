//! The hooks: assembly (`asm/N/hooks.S`), which [`assembly`] assembles, and the slow paths of those that have to look at
//! code or frames to find the caller. `docs/porting.md` tells what the assembly has to define.
//!
//! *Context:* hook.

mod assembly;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod fentry;
#[cfg(any(target_arch = "aarch64", target_arch = "riscv32", target_arch = "riscv64"))]
mod framed;
