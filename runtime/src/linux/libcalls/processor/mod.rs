//! Facts about a processor that the counting of calls into libraries needs.
//!
//! *Context:* startup, hook.

#[cfg(target_arch = "x86_64")]
mod decode;
#[cfg(target_arch = "x86_64")]
mod long;
#[cfg(target_arch = "x86_64")]
mod operands;
#[cfg(target_arch = "x86_64")]
mod uses;

// The build finds the file of the processor's name, or `without_stubs` where there is none.
include!(concat!(env!("OUT_DIR"), "/stub.rs"));

use super::call_sites::instruction::{Instruction, Registers};
use super::stubs::Entry;

/// The processor that this runtime is compiled for.
pub(super) struct Native;

/// A processor, with what most of them have in common.
///
/// Only x86-64's linkers make one word for calls of a function and for its address. Where each has its own, nobody reads
/// code.
pub(super) trait Processor {
    /// True if there are stubs, so that calls into libraries can be counted.
    const IS_SUPPORTED: bool = true;
    /// The types of relocations that fill slots: words for calls, and words with addresses. Those of the second kind may
    /// have the type of any datum, which we leave alone.
    const JUMP_SLOT: usize;
    const GLOB_DAT: usize = usize::MAX;
    /// Mark in a symbol's `st_other` of functions that a stub could disturb.
    const OTHER_REGISTERS: Option<u8> = None;
    /// Bits of a function's address that are none of where its code is.
    const NO_ADDRESS: usize = 0;
    /// Bytes of a stub.
    const STUB: usize = 16;
    /// The registers of arguments, of the first three, of results, and those that functions keep, for who reads code.
    const ARGUMENTS: Registers = Registers::NONE;
    const FIRST_ARGUMENTS: Registers = Registers::NONE;
    const RESULTS: Registers = Registers::NONE;
    const KEPT: Registers = Registers::NONE;

    /// The code of the stub at `at`, whose numbers are at `record`, and which goes on where `entry` says. `None` if these
    /// are too far off.
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Stub>;

    /// Asks a function which function is to be called. `None` where nobody but the loader can ask it, since C libraries
    /// do so with different arguments: then the call is left alone until the loader has bound it.
    ///
    /// # Safety
    /// It must be what a symbol of type `STT_GNU_IFUNC` stands for, in a module that the loader is done with.
    unsafe fn resolve(_resolver: usize) -> Option<usize> {
        None
    }

    /// The instruction at `at`, with which `bytes` begin; `None` if it is not known.
    fn decode(_bytes: &[u8], _at: usize) -> Option<Instruction> {
        None
    }

    /// Calls `visit` with every address that code at `at` may name by its distance, whether it calls or jumps where
    /// the word there says, and where the distance stands.
    fn each_use(_code: &[u8], _at: usize, _visit: &mut dyn FnMut(usize, bool, usize)) {}
}

/// The code of a stub.
pub(super) type Stub = [u8; Native::STUB];

/// The code of instructions of one word each, which are little-endian.
#[cfg(any(target_arch = "aarch64", target_arch = "powerpc64", target_arch = "riscv64"))]
fn little_endian(code: [u32; Native::STUB / 4]) -> Stub {
    let mut bytes = [0; Native::STUB];
    let words = bytes.chunks_exact_mut(4);
    words.zip(code).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
    bytes
}
