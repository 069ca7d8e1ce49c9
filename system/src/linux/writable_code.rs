//! Code that is to be changed. It goes on meanwhile: some of it may be the runtime's own.
//!
//! *Context:* any.

use core::ops::Range;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::linux::platform;
use crate::linux::program;

/// Pages of code, made writable for a while.
pub struct WritableCode {
    pages: Range<usize>,
}

/// Bytes that are stored at once.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "a processor has one of them")]
pub enum Bytes {
    /// A byte.
    One(u8),
    /// Four bytes, at an address that is a multiple of four.
    Four([u8; 4]),
}

impl WritableCode {
    /// `None` if the system forbids it.
    pub fn make(code: Range<usize>) -> Option<Self> {
        let page = program::page_size();
        let start = code.start - code.start % page;
        let pages = start..code.end.next_multiple_of(page);
        let how = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: code of the module, which can be read and executed as ever.
        unsafe { platform::protect(pages.start, pages.len(), how) }.then_some(Self { pages })
    }

    /// Stores bytes at an address, if the code has that. Whoever executes them meanwhile finds these or those before.
    ///
    /// # Safety
    /// Both must make instructions there that may be executed, and the one must be allowed to take the other's place under
    /// running processors. Four bytes must be aligned.
    pub unsafe fn store(&self, place: usize, bytes: Bytes) {
        if !self.pages.contains(&place) {
            return;
        }
        // SAFETY: bytes of the pages, which can be written; what they do to the code is the caller's promise, as is the
        // alignment, by which four bytes are all in one page.
        unsafe {
            match bytes {
                Bytes::One(byte) => {
                    AtomicU8::from_ptr(place as *mut u8).store(byte, Ordering::Release);
                }
                Bytes::Four(bytes) => {
                    let word = u32::from_ne_bytes(bytes);
                    AtomicU32::from_ptr(place as *mut u32).store(word, Ordering::Release);
                }
            }
        }
        platform::publish_code(place);
    }

    /// Writes a distance.
    ///
    /// # Safety
    /// It must be that of an instruction in the code, which no other thread can execute.
    pub unsafe fn write(&self, place: usize, distance: i32) {
        // SAFETY: four bytes of the pages. One store, so that a signal handler of this thread finds either.
        unsafe { (place as *mut i32).write_unaligned(distance) };
    }
}

impl Drop for WritableCode {
    fn drop(&mut self) {
        // SAFETY: code can be read and executed again, and nothing else, which is all that it needs.
        unsafe {
            platform::protect(self.pages.start, self.pages.len(), libc::PROT_READ | libc::PROT_EXEC)
        };
    }
}
