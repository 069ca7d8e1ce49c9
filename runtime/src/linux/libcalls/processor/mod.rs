//! What differs between processors.
//!
//! | name | meaning |
//! |---|---|
//! | `IS_SUPPORTED` | whether calls into libraries can be counted |
//! | `JUMP_SLOT`, `GLOB_DAT` | the types of relocations that fill slots |
//! | `STUB` | bytes of a stub |
//! | `stub` | the code of a stub |
//! | `each_use` | finds code that uses words near it, and says whether it calls where they say |
//! | `resolve` | asks a function which function is to be called |
//!
//! *Context:* startup, hook.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "unsupported.rs")]
mod this;

pub(super) use this::{GLOB_DAT, IS_SUPPORTED, JUMP_SLOT, STUB, each_use, resolve, stub};
