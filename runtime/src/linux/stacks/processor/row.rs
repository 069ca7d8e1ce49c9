//! Registers that lie one behind the other, in the order of their numbers.
//!
//! *Context:* signal.

use super::super::memory::Memory;
use crate::linux::platform::Context;

const WORD: usize = size_of::<usize>();

/// Those in the context of interrupted code, from so many bytes behind its start on.
pub(super) fn in_context<const N: usize>(context: &Context, offset: usize) -> [usize; N] {
    core::array::from_fn(|number| context.word((offset + number * WORD) as isize))
}

/// Those on the stack from an address on, if it can be read.
pub(super) fn in_memory<const N: usize>(memory: &mut Memory, first: usize) -> Option<[usize; N]> {
    memory.words(core::array::from_fn(|number| first.wrapping_add(number * WORD)))
}
