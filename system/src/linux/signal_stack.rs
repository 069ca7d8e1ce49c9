//! A stack for signal handlers, for every thread that brings none.
//!
//! On it the profile of a thread that has used up its own stack can be written, and samples can be
//! taken of coroutines whose stacks are smaller than a signal frame. The program's own handlers run
//! on it only if they ask for an alternate stack, and a stack that the program sets takes its place.
//!
//! *Context:* hook.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::linux::platform;
use crate::linux::region::Region;

/// Room for the largest frame of today's processors, which is 11 KB, and handlers. Pages are there
/// when touched.
const LEN: usize = 64 * 1024;

/// The memory of a thread's stack, kept for the next thread; null before it is needed.
pub struct SignalStack(AtomicPtr<u8>);

impl SignalStack {
    /// A stack without memory.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Gives the stack to the calling thread, which owns this value, unless the thread has one.
    pub fn provide(&self) {
        if platform::has_signal_stack() {
            return;
        }
        let mut base = self.0.load(Ordering::Acquire);
        if base.is_null() {
            let Some(region) = Region::map(LEN) else { return };
            base = region.base().as_ptr();
            self.0.store(base, Ordering::Release);
        }
        // SAFETY: a mapping of LEN bytes that is never unmapped and that no living thread uses: the
        // record it is kept in is the calling thread's.
        unsafe { platform::set_signal_stack(base, LEN) };
    }
}
