//! Reads of memory that may not be there: a stack may be damaged, and what looks like an address in it
//! need not be one.
//!
//! The kernel says whether a page can be read, by a system call that changes nothing; pages that could
//! be read are remembered for one walk. In the next one they may be gone: a register that holds no frame
//! pointer may lead into memory that the program has given back since. What any thread may give back at any time, the
//! kernel copies.
//!
//! *Context:* signal.

use crate::linux::{platform, valgrind};

/// Unit of checks. Pages are never smaller.
const PAGE: usize = 4096;

/// Pages that are remembered.
const PAGES: usize = 16;

/// Memory that is known to be readable.
pub(crate) struct Memory {
    /// Addresses of pages, each at the place of its number; 0 for none, since the first page of memory
    /// is never readable.
    pages: [usize; PAGES],
    /// True if the kernel copies what is read.
    copies: bool,
}

impl Memory {
    pub(crate) const fn new() -> Self {
        Self { pages: [0; PAGES], copies: false }
    }

    /// Memory that other threads may unmap between the look whether it is there and reading it, as files that the
    /// program has mapped: the kernel copies it, where it may.
    pub(crate) fn shared() -> Self {
        let may_copy = platform::copy::<1>(&raw const KNOWN as usize).is_some();
        Self { copies: may_copy || valgrind::is_there(), ..Self::new() }
    }

    /// Returns `true` if the kernel copies what is read.
    pub(super) fn is_copied(&self) -> bool {
        self.copies
    }

    /// Fills a place with what is at an address.
    #[inline(never)]
    pub(crate) fn fill(&mut self, place: &mut [u8], address: usize) -> Option<()> {
        if self.copies {
            return platform::copy_to(place, address).then_some(());
        }
        for (n, byte) in place.iter_mut().enumerate() {
            [*byte] = gmon_unwind::Memory::bytes(self, address.checked_add(n)? as u64)?;
        }
        Some(())
    }

    /// Begins a walk.
    pub(crate) fn begin(&mut self) {
        self.pages = [0; PAGES];
    }

    #[inline(never)]
    fn is_readable(&mut self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        let Some(place) = self.pages.get_mut(page / PAGE % PAGES) else { return false };
        if page != 0 && *place == page {
            return true;
        }
        let is_readable = page != 0 && valgrind::is_readable(page);
        if is_readable {
            *place = page;
        }
        is_readable
    }
}

impl gmon_unwind::Memory for Memory {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        let address = address as usize;
        // Memory of valgrind's own can be read, but not without a report.
        if self.copies || valgrind::is_there() {
            return platform::copy(address);
        }
        let last = address.checked_add(LEN.saturating_sub(1))?;
        if !self.is_readable(address) || !self.is_readable(last) {
            return None;
        }
        // SAFETY: the kernel could read both pages that the bytes lie in.
        Some(unsafe { (address as *const [u8; LEN]).read_volatile() })
    }
}

/// Returns `true` if the system tells what can be read: one that says so of the first page does
/// not.
pub(crate) fn can_be_checked() -> bool {
    !valgrind::is_readable(64) && valgrind::is_readable(&raw const KNOWN as usize)
}

/// Memory that can be read.
static KNOWN: [usize; 2] = [0; 2];

#[cfg(test)]
mod tests {
    use gmon_unwind::Memory as _;

    use super::*;

    #[test]
    fn what_is_not_there_is_not_read() {
        assert!(can_be_checked());
        let base = platform::map(3 * PAGE).unwrap();
        // Not unmapped: another test might get a page that is free.
        let close = |page: *mut u8| {
            // SAFETY: nobody uses the page.
            assert_eq!(unsafe { ::libc::mprotect(page.cast(), PAGE, ::libc::PROT_NONE) }, 0);
        };
        close(base.wrapping_add(PAGE));
        let base = base as usize;
        // SAFETY: the first page is still mapped.
        unsafe { ((base + PAGE - size_of::<usize>()) as *mut usize).write(7) };
        fn word(memory: &mut Memory, address: usize) -> Option<usize> {
            memory.bytes(address as u64).map(usize::from_ne_bytes)
        }
        let mut memory = Memory::new();
        memory.begin();
        assert_eq!(word(&mut memory, base + PAGE - size_of::<usize>()), Some(7));
        assert_eq!(word(&mut memory, base + PAGE - 1), None);
        for address in [base + PAGE, 0, 1, usize::MAX, usize::MAX - 7] {
            assert_eq!(word(&mut memory, address), None);
        }
        assert_eq!(word(&mut memory, base + 2 * PAGE + 3), Some(0));
        // Known pages are forgotten before the next walk.
        close(base as *mut u8);
        memory.begin();
        assert_eq!(word(&mut memory, base), None);
    }
}
