//! Words of a global offset table that code calls by: those that it uses for nothing else have no address that
//! somebody could compare.

use crate::Scratch;
use crate::elf::Image;
use crate::processor::{Native, Processor};
use crate::slots::{Slot, Use};

const WORD: usize = size_of::<usize>();

/// Facts about a word.
const IS_SLOT: u8 = 1;
const IS_CALLED: u8 = 2;
const IS_USED: u8 = 4;
/// Not all of its uses are understood.
const IS_GIVEN_UP: u8 = 8;
/// A stub of the linkage table calls by it.
const HAS_STUB: u8 = 16;
/// Other code calls by it, or loads it to do so.
const HAS_CALL: u8 = 32;
/// Code loads it, and who knows what becomes of it.
const IS_DOUBTED: u8 = 64;

/// A mark for each word from the first slot to the last.
pub struct Called<S> {
    first: usize,
    marks: Option<S>,
    /// Number of uses of any word among them.
    uses: usize,
}

impl<S: Scratch> Called<S> {
    /// Looks at all code of a module.
    pub fn find(image: &Image<'_>, slots: impl Iterator<Item = Slot> + Clone) -> Self {
        /// No table is larger.
        const MOST: usize = 1 << 24;
        let addresses = slots.filter(|slot| slot.used == Use::Address).map(|slot| slot.address);
        let first = addresses.clone().min().unwrap_or(0);
        let last = addresses.clone().max().unwrap_or(0);
        let words = (last - first) / WORD + 1;
        let marks = (last != 0 && words <= MOST).then(|| S::zeroed(words)).flatten();
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
    pub fn is_slot(&self, address: usize) -> bool {
        self.mark_of(address) & IS_SLOT != 0
    }

    /// Returns `true` if code calls by a slot, and does nothing else with it.
    pub fn is_only(&self, slot: &Slot) -> bool {
        self.mark_of(slot.address) == IS_SLOT | IS_CALLED
    }

    /// Returns `true` if code uses a slot in another way than by calls, so that it has to stay as
    /// it is.
    pub fn is_mixed(&self, address: usize) -> bool {
        let mark = self.mark_of(address);
        mark & (IS_SLOT | IS_USED | IS_GIVEN_UP) == IS_SLOT | IS_USED
    }

    /// At least as many as there are uses of such slots.
    pub fn mixed_uses(&self) -> usize {
        let marks = self.marks.as_deref().unwrap_or_default();
        let is_there = marks.iter().any(|mark| mark & (IS_SLOT | IS_USED) == IS_SLOT | IS_USED);
        if is_there { self.uses } else { 0 }
    }

    /// Returns `true` if code calls by a slot, or may do so.
    pub fn may_be_called(&self, address: usize) -> bool {
        self.mark_of(address) & (IS_CALLED | IS_GIVEN_UP) != 0
    }

    /// Leaves a slot alone, with all its uses.
    pub fn give_up(&mut self, address: usize) {
        self.mark(address, IS_GIVEN_UP);
    }

    /// Notes who calls by a slot: a stub of the linkage table, or code by the slot itself.
    pub(crate) fn note_call(&mut self, address: usize, is_by_stub: bool) {
        self.mark(address, if is_by_stub { HAS_STUB } else { HAS_CALL });
    }

    /// Notes that code loads a slot, to call by it or to pass on what it holds.
    pub(crate) fn doubt(&mut self, address: usize) {
        self.mark(address, IS_DOUBTED);
    }

    /// Gives up the slots of doubtful loads, unless a stub does all calls that are known: code that calls by the linkage table
    /// loads an address to pass it on.
    pub(crate) fn settle(&mut self) {
        for mark in self.marks.iter_mut().flat_map(|marks| marks.iter_mut()) {
            if *mark & IS_DOUBTED != 0 && *mark & (HAS_STUB | HAS_CALL) != HAS_STUB {
                *mark |= IS_GIVEN_UP;
            }
        }
    }
}
