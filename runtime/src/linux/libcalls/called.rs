//! Words of a global offset table that code calls by: those that it uses for nothing else have no address that
//! somebody could compare.
//!
//! *Context:* startup, hook.

use super::processor::{Native, Processor};
use super::slots::{Slot, Use};
use crate::linux::elf::Image;
use crate::linux::region::Scratch;

const WORD: usize = size_of::<usize>();

/// Facts about a word.
const IS_SLOT: u8 = 1;
const IS_CALLED: u8 = 2;
const IS_USED: u8 = 4;
/// Not all of its uses are understood.
const IS_GIVEN_UP: u8 = 8;

/// A mark for each word from the first slot to the last.
pub(super) struct Called {
    first: usize,
    marks: Option<Scratch>,
    /// Number of uses of any word among them.
    uses: usize,
}

impl Called {
    /// Looks at all code of a module.
    pub(super) fn find(image: &Image<'_>, slots: impl Iterator<Item = Slot> + Clone) -> Self {
        /// No table is larger.
        const MOST: usize = 1 << 24;
        let addresses = slots.filter(|slot| slot.used == Use::Address).map(|slot| slot.address);
        let first = addresses.clone().min().unwrap_or(0);
        let last = addresses.clone().max().unwrap_or(0);
        let words = (last - first) / WORD + 1;
        let marks = (last != 0 && words <= MOST).then(|| Scratch::new(words)).flatten();
        let mut called = Self { first, marks, uses: 0 };
        addresses.for_each(|address| called.mark(address, IS_SLOT));
        if called.marks.is_some() {
            for part in image.parts.iter().filter(|part| part.is_code) {
                let code = image.tail(part.start).unwrap_or_default();
                Native::each_use(code, part.start, &mut |address, calls, _| {
                    if address.wrapping_sub(first) <= last - first {
                        called.uses += 1;
                        called.mark(address, if calls { IS_CALLED } else { IS_USED });
                    }
                });
            }
        }
        called
    }

    fn mark(&mut self, address: usize, mark: u8) {
        let offset = address.wrapping_sub(self.first);
        let place = self.marks.as_mut().and_then(|marks| marks.get_mut(offset / WORD));
        if let Some(place) = place.filter(|_| offset % WORD == 0) {
            *place |= mark;
        }
    }

    fn mark_of(&self, address: usize) -> u8 {
        let offset = address.wrapping_sub(self.first);
        let mark = self.marks.as_ref().and_then(|marks| marks.get(offset / WORD));
        mark.copied().filter(|_| offset % WORD == 0).unwrap_or(0)
    }

    /// Returns `true` if a slot is at an address.
    #[cfg(all(test, target_pointer_width = "64"))]
    pub(super) fn is_slot(&self, address: usize) -> bool {
        self.mark_of(address) & IS_SLOT != 0
    }

    /// Returns `true` if code calls by a slot, and does nothing else with it.
    pub(super) fn is_only(&self, slot: &Slot) -> bool {
        self.mark_of(slot.address) == IS_SLOT | IS_CALLED
    }

    /// Returns `true` if code uses a slot in another way than by calls, so that it has to stay as
    /// it is.
    pub(super) fn is_mixed(&self, address: usize) -> bool {
        let mark = self.mark_of(address);
        mark & (IS_SLOT | IS_USED | IS_GIVEN_UP) == IS_SLOT | IS_USED
    }

    /// At least as many as there are uses of such slots.
    pub(super) fn mixed_uses(&self) -> usize {
        let marks = self.marks.as_deref().unwrap_or_default();
        let is_there = marks.iter().any(|mark| mark & (IS_SLOT | IS_USED) == IS_SLOT | IS_USED);
        if is_there { self.uses } else { 0 }
    }

    /// Returns `true` if code calls by a slot, or may do so.
    pub(super) fn may_be_called(&self, address: usize) -> bool {
        self.mark_of(address) & (IS_CALLED | IS_GIVEN_UP) != 0
    }

    /// Leaves a slot alone, with all its uses.
    pub(super) fn give_up(&mut self, address: usize) {
        self.mark(address, IS_GIVEN_UP);
    }
}
