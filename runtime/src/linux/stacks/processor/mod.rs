//! What the walk of stacks has to know of the processor, chosen at compile time.
//!
//! | name | meaning |
//! |---|---|
//! | `REGISTERS` | how many registers unwind rules speak of, by DWARF's numbers |
//! | `STACK_POINTER`, `FRAME_POINTER` | their numbers |
//! | `RETURN_ADDRESS` | the number that rules give the return address; as a register, the program counter |
//! | `LINK` | the register that calls leave the return address in, if they do |
//! | `RECORDS` | what the frame pointer may point to |
//! | `ARE_RULES_EXACT` | whether unwind rules hold at every instruction, and not only behind calls |
//! | `HOOKED` | who called a hook, where the hook has moved its return address elsewhere and no rules say so |
//! | `LIBRARY_CALL` | the frame of the code that counts calls into libraries, where no rules tell it |
//! | `ABOVE_CALLER` | how far the canonical frame address is above the caller's stack pointer, always |
//! | `LINKAGE` | bytes above the canonical frame address in which functions save the return address |
//! | `CHAIN` | the caller by what functions leave in their frames, if all do |
//! | `index` | the place of a register among the values, from DWARF's number |
//! | `WINDOWS` | how windows of registers lie on the stack, if functions have such |
//! | `registers` | those of interrupted code, in a handler |
//! | `interrupted` | those that a signal's frame on the stack holds |
//! | `call_before` | the call that returns to an address |
//! | `plain` | a return address without its signature |
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
#[cfg_attr(target_arch = "powerpc64", path = "powerpc64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x.rs")]
#[cfg_attr(any(target_arch = "sparc", target_arch = "sparc64"), path = "sparc.rs")]
#[cfg_attr(target_arch = "x86", path = "x86.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod this;
mod usual;

use super::memory::Memory;

pub(super) use call::Call;
pub(super) use chain::Chained;
pub(super) use hooked::Hooked;
pub(super) use record::Record;
#[cfg(any(target_arch = "powerpc64", target_arch = "s390x"))]
pub(super) use this::{ABOVE_CALLER, CHAIN, LINKAGE, index};
pub(super) use this::{
    ARE_RULES_EXACT, FRAME_POINTER, HOOKED, LIBRARY_CALL, LINK, RECORDS, REGISTERS, RETURN_ADDRESS,
    STACK_POINTER, WINDOWS, call_before, interrupted, plain, registers,
};
#[cfg(not(any(target_arch = "powerpc64", target_arch = "s390x")))]
pub(super) use usual::{ABOVE_CALLER, CHAIN, LINKAGE, index};

/// The values of the registers, by DWARF's numbers.
type Values = [usize; REGISTERS];

/// See `HOOKED`: from the registers of the interrupted hook.
type Leave = fn(&mut Memory, &Values) -> Option<Hooked>;

/// See `CHAIN`: from the stack pointer.
type Chain = fn(&mut Memory, usize) -> Option<Chained>;

/// See `LIBRARY_CALL`: the size, and how far below its end the return address is.
type LibraryCall = fn(usize) -> Option<(usize, Option<usize>)>;
