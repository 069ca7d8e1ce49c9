//! What the walk of stacks has to know of a processor.
//!
//! *Context:* signal.

mod call;
mod chain;
mod hooked;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod intel;
mod record;
#[cfg(any(
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "powerpc64",
    target_arch = "riscv64"
))]
mod row;
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
#[cfg_attr(target_arch = "mips64", path = "mips64.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "powerpc64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x.rs")]
#[cfg_attr(any(target_arch = "sparc", target_arch = "sparc64"), path = "sparc.rs")]
#[cfg_attr(target_arch = "x86", path = "x86.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;
mod window;

use super::memory::Memory;
use crate::linux::platform::Context;

pub(super) use call::Call;
pub(super) use chain::Chained;
pub(super) use hooked::Hooked;
pub(super) use record::Record;
pub(super) use window::Windows;

/// The processor that this runtime is compiled for.
pub(super) struct Native;

/// A processor, with what most of them have in common. Registers go by DWARF's numbers.
pub(super) trait Processor {
    /// How many registers unwind rules speak of.
    const REGISTERS: usize;
    const STACK_POINTER: usize;
    const FRAME_POINTER: usize;
    /// The number that rules give the return address; as a register, the program counter.
    const RETURN_ADDRESS: usize;
    /// The register that calls leave the return address in, unless they leave it on the stack.
    const LINK: Option<usize>;
    /// What the frame pointer may point to.
    const RECORDS: &[Record] = &[];
    /// Whether unwind rules hold at every instruction, and not only behind calls.
    const ARE_RULES_EXACT: bool = true;
    /// Who called a hook, where the hook has moved its return address elsewhere and no rules say so.
    const HOOKED: Option<Leave> = None;
    /// The frame of the code that counts calls into libraries, where no rules tell it.
    const LIBRARY_CALL: Option<LibraryCall> = None;
    /// How windows of registers lie on the stack, if functions have such.
    const WINDOWS: Option<Windows> = None;
    /// The caller by what functions leave in their frames, if all do.
    const CHAIN: Option<Chain> = None;
    /// How far the canonical frame address is above the caller's stack pointer, always.
    const ABOVE_CALLER: usize = 0;
    /// Bytes above the canonical frame address in which functions save the return address, which most save in their
    /// own frames.
    const LINKAGE: usize = 0;

    /// The registers of interrupted code, in a handler.
    fn registers(context: &Context) -> Values;

    /// The registers that a signal's frame on the stack holds, if `pc` is where its handler returns to.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values>;

    /// The call that returns to an address, if there is one before it.
    fn call_before(memory: &mut Memory, address: usize) -> Option<Call>;

    /// A return address without its signature, or what else a processor adds to it.
    fn plain(address: usize) -> usize {
        address
    }

    /// The place of a register among the values.
    fn index(number: usize) -> usize {
        number
    }
}

/// The values of the registers.
pub(super) type Values = [usize; Native::REGISTERS];

/// See [`Processor::HOOKED`]: from the registers of the interrupted hook.
pub(super) type Leave = fn(&mut Memory, &Values) -> Option<Hooked>;

/// See [`Processor::CHAIN`]: from the stack pointer.
pub(super) type Chain = fn(&mut Memory, usize) -> Option<Chained>;

/// See [`Processor::LIBRARY_CALL`]: the size, and how far below its end the return address is.
pub(super) type LibraryCall = fn(usize) -> Option<(usize, Option<usize>)>;
