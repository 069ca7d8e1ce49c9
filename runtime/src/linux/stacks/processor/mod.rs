//! What the walk of stacks has to know of the processor, chosen at compile time.
//!
//! | name | meaning |
//! |---|---|
//! | `IS_SUPPORTED` | whether stacks can be walked |
//! | `REGISTERS` | how many registers unwind rules speak of, by DWARF's numbers |
//! | `STACK_POINTER`, `FRAME_POINTER` | their numbers |
//! | `RETURN_ADDRESS` | the number that rules give the return address; as a register, the program counter |
//! | `LINK` | the register that calls leave the return address in, if they do |
//! | `registers` | those of interrupted code, in a handler |
//! | `interrupted` | those that a signal's frame on the stack holds |
//! | `call_before` | the call that returns to an address; its `target` is `None` if only registers told it |
//! | `plain` | a return address without its signature |
//!
//! *Context:* signal.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "none.rs")]
mod this;

pub(super) use this::{
    FRAME_POINTER, IS_SUPPORTED, LINK, REGISTERS, RETURN_ADDRESS, STACK_POINTER, call_before,
    interrupted, plain, registers,
};
