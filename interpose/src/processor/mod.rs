//! Processors, and what leading calls elsewhere has to know of each.

mod aarch64;
mod arm;
mod powerpc64;
mod riscv64;
mod s390x;
mod without_stubs;
mod x86;
mod x86_64;

use core::fmt::Debug;

use libc::c_ulong;

use crate::instruction::{Instruction, Registers};

pub use aarch64::Aarch64;
pub use arm::Arm;
pub use powerpc64::PowerPc64;
pub use riscv64::RiscV64;
pub use s390x::S390x;
pub use without_stubs::WithoutStubs;
pub use x86::X86;
pub use x86_64::X86_64;

/// The processor that this is compiled for.
#[cfg(target_arch = "aarch64")]
pub type Native = Aarch64;
/// The processor that this is compiled for.
#[cfg(target_arch = "arm")]
pub type Native = Arm;
/// The processor that this is compiled for.
#[cfg(target_arch = "powerpc64")]
pub type Native = PowerPc64;
/// The processor that this is compiled for.
#[cfg(target_arch = "riscv64")]
pub type Native = RiscV64;
/// The processor that this is compiled for.
#[cfg(target_arch = "s390x")]
pub type Native = S390x;
/// The processor that this is compiled for.
#[cfg(target_arch = "x86")]
pub type Native = X86;
/// The processor that this is compiled for.
#[cfg(target_arch = "x86_64")]
pub type Native = X86_64;
/// The processor that this is compiled for: one that has no stubs.
#[cfg(not(any(
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "powerpc64",
    target_arch = "riscv64",
    target_arch = "s390x",
    target_arch = "x86",
    target_arch = "x86_64"
)))]
pub type Native = WithoutStubs;

/// Target of the code of all stubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The address of a word with the next.
    pub word: usize,
    /// The address of the function that gets each call and the record of its stub.
    pub function: usize,
}

/// A processor under Linux, with what most of them have in common.
///
/// Only x86-64's linkers make one word for calls of a function and for its address. Where each has its own, nobody reads
/// code.
pub trait Processor: Copy + Debug + Eq + 'static {
    /// The code of a stub.
    type Stub: AsRef<[u8]> + Copy;

    /// True if there are stubs, so that calls into libraries can be led elsewhere.
    const IS_SUPPORTED: bool = true;
    /// The type of relocations that fill words for calls.
    const JUMP_SLOT: usize;
    /// The type of relocations that fill words with addresses. They may have the type of any datum, which we leave alone.
    const GLOB_DAT: usize = usize::MAX;
    /// Mark in a symbol's `st_other` of functions that a stub could disturb.
    const OTHER_REGISTERS: Option<u8> = None;
    /// Bits of a function's address that are none of where its code is.
    const NO_ADDRESS: usize = 0;
    /// The registers in which functions get arguments, for who reads code.
    const ARGUMENTS: Registers = Registers::NONE;
    /// The registers of the first three arguments.
    const FIRST_ARGUMENTS: Registers = Registers::NONE;
    /// The registers of results.
    const RESULTS: Registers = Registers::NONE;
    /// The registers that functions keep.
    const KEPT: Registers = Registers::NONE;

    /// The code of the stub at `at`, whose numbers are at `record`, and which goes on where `entry` says. `None` if these
    /// are too far off.
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub>;

    /// Asks a function which function is to be called. `auxiliary` gives values of the auxiliary vector by their keys.
    /// `None` where nobody but the loader can ask it, since C libraries do so with different arguments: then the call is left
    /// alone until the loader has bound it.
    ///
    /// # Safety
    /// The address must be what a symbol of type `STT_GNU_IFUNC` stands for, in a module of this process that the loader is done with,
    /// and this must be the processor that it runs on.
    unsafe fn resolve(
        _resolver: usize,
        _auxiliary: &dyn Fn(c_ulong) -> Option<c_ulong>,
    ) -> Option<usize> {
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

/// The code of instructions of one word each, which are little-endian.
fn little_endian(code: [u32; 8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    let words = bytes.chunks_exact_mut(4);
    words.zip(code).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
    bytes
}
