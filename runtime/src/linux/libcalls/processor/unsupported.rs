//! Processors for which there are no stubs.

use super::super::stubs::Entry;

/// Calls into libraries cannot be counted.
pub(in super::super) const IS_SUPPORTED: bool = false;

/// Types that no relocation has.
pub(in super::super) const JUMP_SLOT: usize = usize::MAX;
pub(in super::super) const GLOB_DAT: usize = usize::MAX;

/// No symbol says anything of its function's registers.
pub(in super::super) const OTHER_REGISTERS: Option<u8> = None;

/// Addresses of functions have no other meaning.
pub(in super::super) const NO_ADDRESS: usize = 0;

/// Bytes of a stub.
pub(in super::super) const STUB: usize = 16;

/// The code of a stub.
pub(in super::super) fn stub(_at: usize, _record: usize, _entry: &Entry) -> Option<[u8; STUB]> {
    None
}

/// The function that is to be called.
///
/// # Safety
/// It asks nobody.
pub(in super::super) unsafe fn resolve(_resolver: usize) -> Option<usize> {
    None
}
