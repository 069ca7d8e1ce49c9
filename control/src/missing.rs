//! No runtime: there is none for this system.

use core::ffi::{CStr, c_int};

use crate::Request;

/// Nothing, and no answer.
#[inline(always)]
pub(crate) fn call(_: Request) -> Option<c_int> {
    None
}

/// Nothing.
#[inline(always)]
pub(crate) fn tick(_: usize) {}

/// Nothing.
#[inline(always)]
pub(crate) fn mark(_: &CStr) {}

/// Nothing.
#[inline(always)]
pub(crate) fn begin(_: &CStr) {}

/// Nothing.
#[inline(always)]
pub(crate) fn end() {}
