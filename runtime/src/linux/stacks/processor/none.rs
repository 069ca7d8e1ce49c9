//! Processors whose stacks are not walked yet: a sample is known by its innermost address alone.

use super::super::memory::Memory;
use super::super::windows::Windows;
use super::{Call, Record};
use crate::linux::platform::Context;

pub(in super::super) const REGISTERS: usize = 3;
pub(in super::super) const STACK_POINTER: usize = 0;
pub(in super::super) const FRAME_POINTER: usize = 1;
pub(in super::super) const RETURN_ADDRESS: usize = 2;
pub(in super::super) const LINK: Option<usize> = None;
pub(in super::super) const WINDOWS: Option<Windows> = None;
pub(in super::super) const RECORDS: &[Record] = &[];

/// Stacks cannot be walked.
pub(in super::super) const IS_SUPPORTED: bool = false;

/// The one that matters.
pub(in super::super) fn registers(context: &Context) -> [usize; REGISTERS] {
    [0, 0, context.pc()]
}

pub(in super::super) fn interrupted(
    _: &mut Memory,
    _: usize,
    _: usize,
) -> Option<[usize; REGISTERS]> {
    None
}

pub(in super::super) fn call_before(_: &mut Memory, _: usize) -> Option<Call> {
    None
}

pub(in super::super) fn plain(address: usize) -> usize {
    address
}
