//! Functions whose calls are timed: those that fit the user's patterns, have a hook, and end by exits that sleep; in programs
//! built with `-finstrument-functions`, in which only functions themselves know whether they have hooks, all that fit.
//!
//! *Context:* any; what changes them one thread at a time.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::Timing;
use gmon_system::region::Region;

use crate::arcs::stub;
use crate::linux::dormant;

/// A function whose calls are timed, or were.
#[repr(C)]
pub(super) struct Key {
    /// Its addresses.
    start: AtomicUsize,
    end: AtomicUsize,
    /// Position of its pair in the table.
    place: AtomicUsize,
    /// True if its hook is awake for its times only.
    pub(super) has_woken_hook: AtomicBool,
    /// True while it is being switched.
    pub(super) is_meant: AtomicBool,
}

/// All functions whose calls are timed or were, in one mapping: this, a [`Key`] for each, the table of the hooks, and the position
/// of the key of each of its pairs.
#[repr(C, align(64))]
pub(super) struct Keys {
    functions: AtomicUsize,
    /// Number of functions for which there is room.
    room: AtomicUsize,
    /// Address of the table: pairs of a selfpc and the distance of the function's numbers from a thread's times, or of those
    /// that nobody wants while its calls are not timed.
    table: AtomicUsize,
    /// Number of pairs that a hash can select, less one, in bytes.
    mask: AtomicUsize,
    /// Distance of the numbers that nobody wants.
    numbers: AtomicUsize,
}

const PAIR: usize = 2 * size_of::<usize>();

/// The functions, once there are some. Those of a successor begin with the same, in the same order.
static KEYS: AtomicPtr<Keys> = AtomicPtr::new(core::ptr::null_mut());

/// The functions whose calls are timed or were; `None` if none ever was.
pub(super) fn keys() -> Option<&'static Keys> {
    // SAFETY: null, or what `room_for` has made, which stays.
    unsafe { KEYS.load(Ordering::Acquire).as_ref() }
}

/// The keys, with room for so many more. Numbers begin so far behind the start of a thread's times.
pub(super) fn room_for(more: usize, numbers: usize) -> Option<&'static Keys> {
    /// Room for functions at first.
    const FEWEST: usize = 8;
    let old = keys();
    let known = old.map_or(0, Keys::functions);
    let wanted = known.checked_add(more)?;
    if let Some(old) = old.filter(|old| wanted <= old.room()) {
        return Some(old);
    }
    let keys = Keys::new(wanted.checked_next_power_of_two()?.max(FEWEST), numbers)?;
    for (index, key) in old.into_iter().flat_map(Keys::each) {
        let copy = keys.key_or_new(hook_of(key.start())?, &key.addresses())?;
        let is_on = old.is_some_and(|old| key.is_on(old));
        copy.switch(keys, if is_on { index } else { 0 });
        let has_woken = key.has_woken_hook.load(Ordering::Relaxed);
        copy.has_woken_hook.store(has_woken, Ordering::Relaxed);
    }
    KEYS.store(core::ptr::from_ref(keys).cast_mut(), Ordering::Release);
    Some(keys)
}

/// Returns `true` if hooks that time calls are of `asm/`: then they go by the state, and find most calls by themselves.
pub(super) fn are_by_state() -> bool {
    cfg!(target_arch = "x86_64") || dormant::are_there()
}

/// The selfpc of a function's hook, if its calls can be timed.
pub(super) fn self_pc(function: &Range<usize>) -> Option<usize> {
    let self_pc = hook_of(function.start)?;
    (!dormant::are_there() || exits(function.clone()).next().is_some()).then_some(self_pc)
}

/// The selfpc of the hook of the function at an address.
fn hook_of(function: usize) -> Option<usize> {
    if dormant::are_there() { dormant::hook_of(function) } else { Some(function) }
}

/// The exits of a function.
pub(super) fn exits(function: Range<usize>) -> impl Iterator<Item = usize> {
    /// No function is longer.
    const LONGEST: usize = 16 << 20;
    let end = function.end.min(function.start.saturating_add(LONGEST));
    (function.start..end).filter(|address| dormant::is_exit(*address))
}

impl Keys {
    fn new(room: usize, numbers: usize) -> Option<&'static Self> {
        let selected = room.checked_mul(4)?;
        // Behind the last that a hash selects there is room for all, and one stays free.
        let pairs = selected.checked_add(room)?.checked_add(1)?;
        let table_at = size_of::<Self>() + room * size_of::<Key>();
        let table_at = table_at.next_multiple_of(PAIR);
        let region = Region::map(table_at + pairs * (PAIR + size_of::<usize>()))?;
        // SAFETY: zeroed memory of at least its size, aligned, which nobody else knows and which stays; all of it is numbers.
        let keys = unsafe { region.base().cast::<Self>().as_ref() };
        keys.room.store(room, Ordering::Relaxed);
        keys.numbers.store(numbers, Ordering::Relaxed);
        keys.table.store(region.base().as_ptr() as usize + table_at, Ordering::Relaxed);
        keys.mask.store((selected - 1) * PAIR, Ordering::Relaxed);
        Some(keys)
    }

    /// The key of a function, which is new if there is none; `None` without room.
    pub(super) fn key_or_new(
        &'static self,
        self_pc: usize,
        function: &Range<usize>,
    ) -> Option<&'static Key> {
        let place = self.place(self_pc)?;
        let [known, numbers] = self.pair(place);
        if known.load(Ordering::Relaxed) != 0 {
            return self.key_of(self_pc);
        }
        let position = Some(self.functions()).filter(|position| *position < self.room())?;
        let key = self.key(position);
        key.start.store(function.start, Ordering::Relaxed);
        key.end.store(function.end, Ordering::Relaxed);
        key.place.store(place, Ordering::Relaxed);
        self.index_at(place).store(position + 1, Ordering::Relaxed);
        numbers.store(self.distance(0), Ordering::Relaxed);
        known.store(self_pc, Ordering::Release);
        self.functions.store(position + 1, Ordering::Release);
        Some(key)
    }

    /// Position of the pair with a selfpc, or of the free one where it would be.
    fn place(&'static self, self_pc: usize) -> Option<usize> {
        let hash = self_pc.wrapping_mul(stub::HASH_BOTH) >> stub::HASH_SHIFT;
        let first = (hash & self.mask()) / PAIR;
        let last = self.mask() / PAIR + self.room();
        (first..=last).find(|place| {
            let [known, _] = self.pair(*place);
            [0, self_pc].contains(&known.load(Ordering::Acquire))
        })
    }

    fn pair(&'static self, place: usize) -> &'static [AtomicUsize; 2] {
        // SAFETY: `place` gives positions within the table, which stays.
        unsafe { &*((self.table() + place * PAIR) as *const [AtomicUsize; 2]) }
    }

    /// Place of the number of the function of a pair.
    fn index_at(&'static self, place: usize) -> &'static AtomicUsize {
        let pairs = self.mask() / PAIR + 1 + self.room() + 1;
        let address = self.table() + pairs * PAIR + place * size_of::<usize>();
        // SAFETY: behind the pairs there is one for each of them, and all of it stays.
        unsafe { &*(address as *const AtomicUsize) }
    }

    fn key(&'static self, position: usize) -> &'static Key {
        let place = core::ptr::from_ref(self).wrapping_add(1).cast::<Key>().wrapping_add(position);
        // SAFETY: behind the head there is one for each position, which is less than the number for which there is room.
        unsafe { &*place }
    }

    /// The function of a selfpc, timed or not, and its number from 1 on.
    fn known(&'static self, self_pc: usize) -> Option<(usize, &'static Key)> {
        let place = self.place(self_pc)?;
        let [known, _] = self.pair(place);
        let is_it = known.load(Ordering::Acquire) == self_pc;
        let index = self.index_at(place).load(Ordering::Relaxed);
        (is_it && index != 0).then(|| (index, self.key(index - 1)))
    }

    /// The function of a selfpc, timed or not.
    pub(super) fn key_of(&'static self, self_pc: usize) -> Option<&'static Key> {
        self.known(self_pc).map(|(_, key)| key)
    }

    /// The function that begins at an address, timed or not.
    pub(super) fn key_at(&'static self, function: usize) -> Option<&'static Key> {
        self.key_of(hook_of(function)?).filter(|key| key.start() == function)
    }

    /// The function of a selfpc whose calls are timed, and its number from 1 on.
    pub(super) fn find(&'static self, self_pc: usize) -> Option<(usize, &'static Key)> {
        self.known(self_pc).filter(|(_, key)| key.is_on(self))
    }

    /// All functions with their numbers from 1 on.
    pub(super) fn each(&'static self) -> impl Iterator<Item = (usize, &'static Key)> {
        (0..self.functions()).map(|position| (position + 1, self.key(position)))
    }

    /// The functions that are being switched.
    pub(super) fn meant(&'static self) -> impl Iterator<Item = &'static Key> {
        self.each().map(|(_, key)| key).filter(|key| key.is_meant.load(Ordering::Relaxed))
    }

    pub(super) fn end_of_switch(&'static self) {
        self.meant().for_each(|key| key.is_meant.store(false, Ordering::Relaxed));
    }

    /// Number of functions.
    fn functions(&self) -> usize {
        self.functions.load(Ordering::Acquire)
    }

    /// Distance of the numbers of an index from the start of a thread's times.
    fn distance(&self, index: usize) -> usize {
        self.numbers.load(Ordering::Relaxed) + index * Timing::LEN
    }

    /// Number of functions for which there is room.
    pub(super) fn room(&self) -> usize {
        self.room.load(Ordering::Relaxed)
    }

    pub(super) fn table(&self) -> usize {
        self.table.load(Ordering::Relaxed)
    }

    pub(super) fn mask(&self) -> usize {
        self.mask.load(Ordering::Relaxed)
    }
}

impl Key {
    /// An address in the function.
    pub(super) fn start(&self) -> usize {
        self.start.load(Ordering::Relaxed)
    }

    pub(super) fn addresses(&self) -> Range<usize> {
        self.start()..self.end.load(Ordering::Relaxed)
    }

    /// Returns `true` if its calls are timed.
    pub(super) fn is_on(&self, keys: &'static Keys) -> bool {
        let [_, numbers] = keys.pair(self.place.load(Ordering::Relaxed));
        numbers.load(Ordering::Relaxed) != keys.distance(0)
    }

    /// Has the hooks add to the numbers of an index: its own, or 0.
    pub(super) fn switch(&self, keys: &'static Keys, index: usize) {
        let [_, numbers] = keys.pair(self.place.load(Ordering::Relaxed));
        numbers.store(keys.distance(index), Ordering::Release);
    }
}
