//! Words near a module's code, by which its instructions call in place of words that have to stay as they are.
//!
//! *Context:* startup, hook.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_interpose::Site;
use gmon_interpose::elf::Image;
use gmon_system::{platform, program};

const WORD: usize = size_of::<usize>();

/// A mapping with so many words.
#[derive(Clone, Copy)]
pub(in super::super) struct Words {
    base: usize,
    capacity: usize,
}

impl Words {
    /// Maps words in front of a module, since memory grows behind the program's; `None` if there is no room.
    pub(in super::super) fn map(module: &Range<usize>, capacity: usize) -> Option<Self> {
        /// Room left free, so that neither touches the other; and how far apart tries are, and how many.
        const MARGIN: usize = 1 << 16;
        const STEP: usize = 2 << 20;
        const TRIES: usize = 500;
        let len = capacity.checked_mul(WORD)?;
        let page = program::page_size();
        let mut place = module.start.checked_sub(len.checked_add(MARGIN)?)?;
        for _ in 0..TRIES {
            if platform::map_at(place - place % page, len).is_some() {
                return Some(Self { base: place - place % page, capacity });
            }
            place = place.checked_sub(STEP)?;
        }
        None
    }

    /// Place and number of them, for [`known`](Self::known).
    pub(in super::super) fn place(&self) -> (usize, usize) {
        (self.base, self.capacity)
    }

    /// The words that were mapped with this [`place`](Self::place).
    pub(in super::super) fn known((base, capacity): (usize, usize)) -> Self {
        Self { base, capacity }
    }

    /// Sets a word, whose address is the result.
    pub(in super::super) fn set(&self, index: usize, value: usize) -> Option<usize> {
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
    pub(in super::super) unsafe fn unmap(self) {
        // SAFETY: only the module's code has used them.
        unsafe { platform::unmap(self.base as *mut u8, self.capacity * WORD) };
    }
}

/// The bytes of a distance from a place to a word of the process, if it is not too far.
pub(in super::super) fn distance(image: &Image<'_>, site: &Site, word: usize) -> Option<i32> {
    let end = image.bias.wrapping_add(site.end);
    i32::try_from(word.wrapping_sub(end) as isize).ok()
}
