//! What differs between processors.
//!
//! | name | meaning |
//! |---|---|
//! | `IS_SUPPORTED` | whether calls into libraries can be counted |
//! | `JUMP_SLOT`, `GLOB_DAT` | the types of relocations that fill slots |
//! | `OTHER_REGISTERS` | what a symbol says of functions that a stub could disturb |
//! | `NO_ADDRESS` | bits of a function's address that are none of where its code is |
//! | `STUB` | bytes of a stub |
//! | `stub` | the code of a stub |
//! | `each_use` | finds code that uses words near it, and says whether it calls where they say |
//! | `decode` | reads an instruction |
//! | `ARGUMENTS`, `FIRST_ARGUMENTS`, `RESULTS`, `KEPT` | registers that functions get something in, give something in, and keep |
//! | `resolve` | asks a function which function is to be called |
//!
//! *Context:* startup, hook.

#[cfg(target_arch = "x86_64")]
mod decode;
#[cfg(any(target_arch = "powerpc64", target_arch = "riscv64", target_arch = "s390x"))]
mod left_to_loader;
#[cfg(target_arch = "x86_64")]
mod long;
#[cfg(not(target_arch = "x86_64"))]
mod no_code;
#[cfg(target_arch = "x86_64")]
mod operands;
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "powerpc64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x.rs")]
#[cfg_attr(target_arch = "x86", path = "x86.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(
    not(any(
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "powerpc64",
        target_arch = "riscv64",
        target_arch = "s390x",
        target_arch = "x86",
        target_arch = "x86_64"
    )),
    path = "unsupported.rs"
)]
mod this;
#[cfg(target_arch = "x86_64")]
mod uses;

#[cfg(target_arch = "x86_64")]
pub(super) use decode::decode;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use no_code::{ARGUMENTS, FIRST_ARGUMENTS, KEPT, RESULTS, decode, each_use};
#[cfg(target_arch = "x86_64")]
pub(super) use operands::{ARGUMENTS, FIRST_ARGUMENTS, KEPT, RESULTS};
pub(super) use this::{
    GLOB_DAT, IS_SUPPORTED, JUMP_SLOT, NO_ADDRESS, OTHER_REGISTERS, STUB, resolve, stub,
};
#[cfg(target_arch = "x86_64")]
pub(super) use uses::each_use;

/// The bytes of instructions of one word each, which are little-endian.
#[cfg(any(target_arch = "aarch64", target_arch = "powerpc64", target_arch = "riscv64"))]
fn little_endian(code: [u32; STUB / 4]) -> [u8; STUB] {
    let mut bytes = [0; STUB];
    let words = bytes.chunks_exact_mut(4);
    words.zip(code).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
    bytes
}
