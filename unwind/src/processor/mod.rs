//! Processors, and what a walk has to know of each.

mod aarch64;
mod arm;
mod call;
mod chain;
mod hooked;
mod intel;
mod mips64;
mod powerpc64;
mod record;
mod riscv64;
mod s390x;
mod sparc;
#[cfg(test)]
mod testing;
mod window;
mod x86;
mod x86_64;

use core::fmt::Debug;

use crate::memory::Memory;
use crate::tables::Kind;
use crate::word::Word;

pub use aarch64::Aarch64;
pub use arm::Arm;
pub use call::Call;
pub use chain::Chained;
pub use hooked::Hooked;
pub use mips64::Mips64;
pub use powerpc64::PowerPc64;
pub use record::Record;
pub use riscv64::RiscV64;
pub use s390x::S390x;
pub use sparc::{Sparc, Sparc64};
pub use window::Windows;
pub use x86::X86;
pub use x86_64::X86_64;

/// The processor that this is compiled for.
#[cfg(target_arch = "aarch64")]
pub type Native = Aarch64;
/// The processor that this is compiled for.
#[cfg(target_arch = "arm")]
pub type Native = Arm;
/// The processor that this is compiled for.
#[cfg(target_arch = "mips64")]
pub type Native = Mips64;
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
#[cfg(target_arch = "sparc")]
pub type Native = Sparc;
/// The processor that this is compiled for.
#[cfg(target_arch = "sparc64")]
pub type Native = Sparc64;
/// The processor that this is compiled for.
#[cfg(target_arch = "x86")]
pub type Native = X86;
/// The processor that this is compiled for.
#[cfg(target_arch = "x86_64")]
pub type Native = X86_64;

/// A value for each register.
pub trait Array<T: Copy>: AsMut<[T]> + AsRef<[T]> + Copy {
    /// The values of registers by their places.
    fn from_fn(value: impl FnMut(usize) -> T) -> Self;
}

impl<T: Copy, const N: usize> Array<T> for [T; N] {
    fn from_fn(value: impl FnMut(usize) -> T) -> Self {
        core::array::from_fn(value)
    }
}

/// The values of the registers.
pub type Registers<P> = <P as Processor>::Each<<P as Processor>::Word>;

/// A processor under Linux, with what most of them have in common. Registers go by DWARF's numbers.
pub trait Processor: Copy + Debug + Eq + 'static {
    /// An address or a register.
    type Word: Word;
    /// A value for each register.
    type Each<T: Copy>: Array<T>;
    /// Registers that unwind rules speak of.
    const REGISTERS: usize;
    /// The register with the lower end of the frame.
    const STACK_POINTER: usize;
    /// The register that functions with a frame pointer have it in.
    const FRAME_POINTER: usize;
    /// The number that rules give the return address; as a register, the program counter.
    const RETURN_ADDRESS: usize;
    /// The register that calls leave the return address in, unless they leave it on the stack.
    const LINK: Option<usize>;
    /// True if the highest byte of a number comes first.
    const IS_BIG_ENDIAN: bool = false;
    /// The kind of unwind rules that modules have.
    const RULES: Kind = Kind::EhFrame;
    /// Distance of a return address from an address inside of the call.
    const CALL_OFFSET: usize = 1;
    /// Records that the frame pointer may point to.
    const RECORDS: &[Record] = &[];
    /// True if unwind rules hold at every instruction, and not only behind calls.
    const ARE_RULES_EXACT: bool = true;
    /// Layout of windows of registers on the stack, if functions have such.
    const WINDOWS: Option<Windows> = None;
    /// True if all functions leave their callers in their frames, for [`Processor::chain`].
    const IS_CHAINED: bool = false;
    /// Distance of the canonical frame address above the caller's stack pointer, always.
    const ABOVE_CALLER: usize = 0;
    /// Bytes above the canonical frame address in which functions save the return address, which most save in their
    /// own frames.
    const LINKAGE: usize = 0;

    /// Place of a register in a `ucontext_t`, in bytes from its start; `None` if it is always zero.
    fn in_context(register: usize) -> Option<isize>;

    /// The registers that a signal's frame on the stack holds, if `pc` is where its handler returns to.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>>;

    /// The call that returns to an address, if there is one before it.
    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>>;

    /// The address that the call before an address leads to by a word of memory, which its instruction or a stub of the linker
    /// names, as that word is now; `None` of other calls.
    fn through_memory(
        _memory: &mut impl Memory,
        _address: Self::Word,
        _call: Call<Self::Word>,
    ) -> Option<Self::Word> {
        None
    }

    /// Returns `true` if a thread ends right after the call that returns to an address: its first function has returned to
    /// what asks the system to end it. In musl that is assembly without rules.
    fn ends_thread(_memory: &mut impl Memory, _address: Self::Word) -> bool {
        false
    }

    /// The caller by what the function has left in its frame.
    fn chain(_memory: &mut impl Memory, _sp: Self::Word) -> Option<Chained<Self::Word>> {
        None
    }

    /// A return address without its signature, or what else a processor adds to it.
    #[must_use]
    fn plain(address: Self::Word) -> Self::Word {
        address
    }

    /// The place of a register among the values, by its number in unwind rules.
    #[must_use]
    fn index(number: usize) -> usize {
        number
    }

    /// The registers in the `ucontext_t` at an address: a handler's third argument, or what the kernel put on the stack.
    fn registers(memory: &mut impl Memory, context: Self::Word) -> Option<Registers<Self>> {
        let mut registers = Registers::<Self>::from_fn(|_| Self::Word::default());
        for (register, value) in registers.as_mut().iter_mut().enumerate() {
            if let Some(place) = Self::in_context(register) {
                *value = memory.word::<Self>(context.moved(place))?;
            }
        }
        Some(registers)
    }

    /// A number of these bytes.
    #[must_use]
    fn u16(bytes: [u8; 2]) -> u16 {
        if Self::IS_BIG_ENDIAN { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    /// A number of these bytes.
    #[must_use]
    fn u32(bytes: [u8; 4]) -> u32 {
        if Self::IS_BIG_ENDIAN { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    /// A number of these bytes.
    #[must_use]
    fn u64(bytes: [u8; 8]) -> u64 {
        if Self::IS_BIG_ENDIAN { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
    }
}
