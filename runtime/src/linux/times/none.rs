//! Processors on which exits do not sleep, so that calls have no times.
//!
//! *Context:* as for the others.

use core::ops::Range;

use crate::linux::message;
use crate::linux::options::Options;

/// Numbers of a function: there are none.
pub(crate) enum Numbers {}

impl AsRef<[u8]> for Numbers {
    fn as_ref(&self) -> &[u8] {
        &[]
    }
}

pub(crate) fn are_on() -> bool {
    false
}

pub(crate) fn begin() {
    if Options::get().times.is_some() {
        message::say(&[b"times: not on this processor: calls are not timed"]);
    }
}

pub(crate) fn switchable() -> Option<u32> {
    None
}

pub(crate) fn switch(_functions: impl Iterator<Item = Range<u32>> + Clone, _on: bool) -> bool {
    false
}

pub(crate) fn meet_hooks(_functions: impl Iterator<Item = u32>, _wake: bool) {}

pub(crate) fn forget_calls() {}

pub(crate) fn reset() {}

pub(crate) fn forget() {}

pub(crate) fn each() -> impl Iterator<Item = &'static Numbers> + Clone {
    core::iter::empty()
}

pub(crate) fn hand_over(_times: usize, _thread: i32) {}
