//! Words near a module's code, by which its instructions call in place of words that have to stay as they are.
//!
//! *Context:* startup, hook.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::image::Image;
use super::sites::Site;
use crate::linux::platform;
use crate::linux::program::Program;

const WORD: usize = size_of::<usize>();

/// A mapping with so many words.
#[derive(Clone, Copy)]
pub(super) struct Words {
    base: usize,
    capacity: usize,
}

impl Words {
    /// Maps words in front of a module, since memory grows behind the program's; `None` if there is no room.
    pub(super) fn map(module: &Range<usize>, capacity: usize) -> Option<Self> {
        /// What is left free, so that neither touches the other; and how far apart tries are, and how many.
        const MARGIN: usize = 1 << 16;
        const STEP: usize = 2 << 20;
        const TRIES: usize = 500;
        let len = capacity.checked_mul(WORD)?;
        let page = Program::get().map_or(4096, |program| program.page).max(1);
        let mut place = module.start.checked_sub(len.checked_add(MARGIN)?)?;
        for _ in 0..TRIES {
            if platform::map_at(place - place % page, len).is_some() {
                return Some(Self { base: place - place % page, capacity });
            }
            place = place.checked_sub(STEP)?;
        }
        None
    }

    /// Where they are and how many, for [`known`](Self::known).
    pub(super) fn place(&self) -> (usize, usize) {
        (self.base, self.capacity)
    }

    /// The words that were mapped with this [`place`](Self::place).
    pub(super) fn known((base, capacity): (usize, usize)) -> Self {
        Self { base, capacity }
    }

    /// Sets a word, whose address is the result.
    pub(super) fn set(&self, index: usize, value: usize) -> Option<usize> {
        let address = self.base + index * WORD;
        if index >= self.capacity {
            return None;
        }
        // SAFETY: a word of the mapping, made of zeros, which stays as long as code can come by it.
        unsafe { &*(address as *const AtomicUsize) }.store(value, Ordering::Release);
        Some(address)
    }

    /// Gives them back.
    ///
    /// # Safety
    /// The module must be gone.
    pub(super) unsafe fn unmap(self) {
        // SAFETY: only the module's code has used them.
        unsafe { platform::unmap(self.base as *mut u8, self.capacity * WORD) };
    }
}

/// The bytes of a distance from a place to a word of the process, if it is not too far.
pub(super) fn distance(image: &Image<'_>, site: &Site, word: usize) -> Option<i32> {
    let end = image.bias.wrapping_add(site.end);
    i32::try_from(word.wrapping_sub(end) as isize).ok()
}

/// Pages of a module's code, made writable for a while. The code in them goes on meanwhile: some of it is the
/// runtime's own.
pub(super) struct WritableCode {
    pages: Range<usize>,
}

impl WritableCode {
    /// `None` if the system forbids it.
    pub(super) fn make(code: Range<usize>) -> Option<Self> {
        let page = Program::get().map_or(4096, |program| program.page).max(1);
        let start = code.start - code.start % page;
        let pages = start..code.end.next_multiple_of(page);
        let how = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: code of the module, which can be read and executed as ever.
        unsafe { platform::protect(pages.start, pages.len(), how) }.then_some(Self { pages })
    }

    /// Writes a distance.
    ///
    /// # Safety
    /// It must be that of an instruction in the code, which no other thread can execute.
    pub(super) unsafe fn write(&self, place: usize, distance: i32) {
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
