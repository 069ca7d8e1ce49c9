//! What is the same on most processors.

use super::Chain;

/// A return address alone does not tell whose frame it is in.
pub(in super::super) const CHAIN: Option<Chain> = None;

/// The canonical frame address is the caller's stack pointer.
pub(in super::super) const ABOVE_CALLER: usize = 0;

/// Functions save the return address in their own frames.
pub(in super::super) const LINKAGE: usize = 0;

/// Registers are numbered from zero on.
pub(in super::super) fn index(number: usize) -> usize {
    number
}
