//! In place of what reads code, where no words are both called by and used otherwise: there, linkers make a word for
//! calls, and another one for the address.
//!
//! *Context:* startup, hook.

use super::super::instruction::{Instruction, Registers};

/// Registers that matter to who reads code.
pub(in super::super) const ARGUMENTS: Registers = Registers::NONE;
pub(in super::super) const FIRST_ARGUMENTS: Registers = Registers::NONE;
pub(in super::super) const RESULTS: Registers = Registers::NONE;
pub(in super::super) const KEPT: Registers = Registers::NONE;

/// No instruction is known.
pub(in super::super) fn decode(_bytes: &[u8], _at: usize) -> Option<Instruction> {
    None
}

/// No uses of words are known.
pub(in super::super) fn each_use(
    _code: &[u8],
    _at: usize,
    _visit: &mut dyn FnMut(usize, bool, usize),
) {
}
