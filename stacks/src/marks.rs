//! Moments and phases that the program marks itself, and timed calls that took long.
//!
//! A thread gets a marker at its first mark. Its entries lie in a ring as samples do, within the same limit. A phase is there
//! from its beginning on, so that a killed program has it; its end is one word of the same entry. The thread itself writes; a
//! handler that interrupts it in the middle of a mark leaves its own out.
//!
//! *Context:* hook, signal; reading also exit.

use core::ffi::c_char;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::{Mark, MarkKind, Round};
use gmon_system::atomic::AtomicU64;
use gmon_system::platform;
use gmon_system::region::Region;

use super::ring::{Entry, Ring};
use super::{clock, threads};

/// Words of an entry.
pub const WORDS: usize = Mark::LEN / 8;

/// Phases that a thread can be in at one time. Those within are left out.
const DEPTH: usize = 32;

/// Place of a thread's marker.
pub struct MarkSeat(AtomicPtr<Marker>);

/// The marker of a thread. All of it is valid when zero.
#[repr(C, align(64))]
pub(super) struct Marker {
    is_busy: AtomicBool,
    /// The thread that has it.
    tid: AtomicI32,
    /// The number by which files know that.
    number: AtomicUsize,
    /// Phases that it is in.
    depth: AtomicUsize,
    pub(super) ring: Ring<WORDS>,
    open: [Open; DEPTH],
    /// The marker that was made before it.
    next: AtomicPtr<Marker>,
}

/// A phase that has not ended.
#[repr(C)]
struct Open {
    /// Its entry; null if there was no room.
    entry: AtomicPtr<Entry<WORDS>>,
    /// The words of that when it was written.
    words: [AtomicU64; WORDS],
}

/// The marker that was made last.
static MARKERS: AtomicPtr<Marker> = AtomicPtr::new(null_mut());

/// All markers.
pub(super) fn markers() -> impl Iterator<Item = &'static Marker> {
    core::iter::successors(Marker::at(&MARKERS), |marker| Marker::at(&marker.next))
}

/// Forgets all markers, in a forked child: their memory was wiped.
pub(super) fn forget() {
    MARKERS.store(null_mut(), Ordering::Release);
}

/// Forgets all marks but the phases that have not ended, which are noted when they do.
pub(super) fn reset() {
    markers().for_each(|marker| marker.ring.reset());
}

/// An event that the program tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Something happens now.
    Moment(*const c_char),
    /// A phase begins.
    Begin(*const c_char),
    /// The phase that began last ends.
    End,
    /// A call of the function with this address ends, which took so many nanoseconds.
    Call(usize, u64),
}

impl MarkSeat {
    /// A place for a thread that has marked nothing.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Notes an event of the thread `tid`, which is the calling one.
    ///
    /// # Safety
    /// A name must be null or a string that ends with NUL.
    pub unsafe fn note(&self, event: Event, tid: i32) {
        let Some(marker) = Marker::at(&self.0).or_else(|| Marker::make(&self.0)) else { return };
        if marker.is_busy.swap(true, Ordering::Acquire) {
            return;
        }
        if marker.tid.load(Ordering::Relaxed) == tid || marker.take(tid) {
            match event {
                // SAFETY: the caller's promise.
                Event::Moment(name) => marker.moment(unsafe { packed(name) }),
                // SAFETY: likewise.
                Event::Begin(name) => marker.begin(unsafe { packed(name) }),
                Event::End => marker.end(),
                Event::Call(function, ns) => marker.call(function, ns),
            }
        }
        marker.is_busy.store(false, Ordering::Release);
    }
}

/// A name as an entry has it.
///
/// # Safety
/// `name` must be null or a string that ends with NUL.
unsafe fn packed(name: *const c_char) -> [u64; Mark::NAME_WORDS] {
    let byte = |at: usize| {
        // SAFETY: nothing before it was the last byte of the string.
        let byte = (!name.is_null()).then(|| unsafe { *name.add(at) });
        byte.filter(|byte| *byte != 0).map(|byte| byte as u8)
    };
    Mark::packed((0..).map_while(byte))
}

impl Marker {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: null, or what `make` published, which stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    #[cold]
    fn make(seat: &AtomicPtr<Self>) -> Option<&'static Self> {
        platform::without_interruptions(|| {
            // A handler may just have done the same.
            if let Some(marker) = Self::at(seat) {
                return Some(marker);
            }
            let region = Region::map_wiped(size_of::<Self>())?;
            // SAFETY: fresh zeroed memory that stays, of that size and aligned to 64; zero is a valid marker.
            let marker = unsafe { region.base().cast::<Self>().as_ref() };
            let this = core::ptr::from_ref(marker).cast_mut();
            let mut head = MARKERS.load(Ordering::Relaxed);
            loop {
                marker.next.store(head, Ordering::Relaxed);
                match MARKERS.compare_exchange_weak(
                    head,
                    this,
                    Ordering::Release,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => break,
                    Err(newer) => head = newer,
                }
            }
            seat.store(this, Ordering::Release);
            Some(marker)
        })
    }

    /// Makes it a thread's that had none. The phases of the one before it ended with that.
    #[cold]
    fn take(&self, tid: i32) -> bool {
        let Some(number) = platform::without_interruptions(|| threads::known(tid)) else {
            return false;
        };
        self.depth.store(0, Ordering::Relaxed);
        self.number.store(number, Ordering::Relaxed);
        self.tid.store(tid, Ordering::Relaxed);
        true
    }

    fn thread(&self) -> u32 {
        self.number.load(Ordering::Relaxed) as u32
    }

    fn moment(&self, name: [u64; Mark::NAME_WORDS]) {
        let now = clock::precise();
        self.ring.push(now / 1000, Mark::raw(now, now, MarkKind::Moment, self.thread(), name));
    }

    fn call(&self, function: usize, ns: u64) {
        let now = clock::precise();
        let name = Mark::packed((function as u64).to_le_bytes().into_iter());
        let begun = now.saturating_sub(ns);
        let words = Mark::raw(begun, now, MarkKind::Call, self.thread(), name);
        self.ring.push(now / 1000, words);
    }

    fn begin(&self, name: [u64; Mark::NAME_WORDS]) {
        let depth = self.depth.load(Ordering::Relaxed);
        self.depth.store(depth + 1, Ordering::Relaxed);
        let Some(open) = self.open.get(depth) else { return };
        let now = clock::precise();
        let words = Mark::raw(now, 0, MarkKind::Phase, self.thread(), name);
        let entry = self.ring.push(now / 1000, words);
        let entry = entry.map_or(null_mut(), |entry| core::ptr::from_ref(entry).cast_mut());
        open.entry.store(entry, Ordering::Relaxed);
        open.words.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
    }

    fn end(&self) {
        let Some(depth) = self.depth.load(Ordering::Relaxed).checked_sub(1) else { return };
        self.depth.store(depth, Ordering::Relaxed);
        let Some(open) = self.open.get(depth) else { return };
        let now = clock::precise();
        // SAFETY: null, or an entry in memory that stays.
        let entry = unsafe { open.entry.load(Ordering::Relaxed).as_ref() };
        let begun = open.words.first().map_or(0, |word| word.load(Ordering::Relaxed));
        let written =
            entry.and_then(|entry| entry.word(0)).map(|place| place.load(Ordering::Relaxed));
        // Others may have been written over it since, or everything was reset.
        match written.filter(|written| *written & !Round::MASK == begun).zip(entry) {
            Some((written, entry)) => {
                if let Some(place) = entry.word(Mark::END) {
                    place.store(Mark::time_word(now) | (written & Round::MASK), Ordering::Relaxed);
                }
            }
            None => {
                let mut words = open.words.each_ref().map(|word| word.load(Ordering::Relaxed));
                words[Mark::END] = Mark::time_word(now);
                self.ring.push(now / 1000, words);
            }
        }
    }

    /// Calls `action` while nobody writes, if that can be had soon.
    pub(super) fn hold<R>(&self, action: impl FnOnce() -> R) -> R {
        platform::hold(&self.is_busy, action)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::super::ring::tests::within;
    use super::*;

    fn marks(seat: &MarkSeat) -> Vec<Mark> {
        let entries = Marker::at(&seat.0).expect("a marker").ring.entries().flatten();
        let marks = entries.filter_map(|entry| Mark::of_words(&entry.words()));
        let mut marks: Vec<_> = marks.collect();
        marks.sort_by_key(|mark| mark.begun_ns);
        marks
    }

    #[test]
    fn phases_end_in_their_entries_or_in_another() {
        let seat = MarkSeat::new();
        // SAFETY: names are literals that end with NUL.
        let note = |event| unsafe { seat.note(event, platform::thread_id()) };
        let begin = || note(Event::Begin(c"outer".as_ptr()));
        within((0, 1 << 20), || {
            note(Event::End);
            begin();
            note(Event::Begin(c"inner".as_ptr()));
            note(Event::Moment(c"now".as_ptr()));
            let [outer, inner, now] = marks(&seat)[..] else { panic!("three marks") };
            assert_eq!([outer.name(), inner.name(), now.name()], [&b"outer"[..], b"inner", b"now"]);
            assert_eq!((outer.ended_ns, inner.ended_ns, now.is_moment), (None, None, true));
            note(Event::End);
            let [outer, inner, now] = marks(&seat)[..] else { panic!("three marks") };
            assert!(inner.ended_ns.is_some_and(|ended| ended >= now.begun_ns));
            assert_eq!(outer.ended_ns, None);
            reset_of(&seat);
            assert_eq!(marks(&seat), []);
            note(Event::End);
            let [outer] = marks(&seat)[..] else { panic!("one mark") };
            assert!(outer.ended_ns.is_some() && outer.name() == b"outer");
            // Deeper than is kept: begins and ends still belong together.
            (0..DEPTH + 5).for_each(|_| begin());
            (0..DEPTH + 5).for_each(|_| note(Event::End));
            let all = marks(&seat);
            assert_eq!(all.len(), 1 + DEPTH);
            assert!(all.iter().all(|mark| mark.ended_ns.is_some()));
        });
    }

    fn reset_of(seat: &MarkSeat) {
        Marker::at(&seat.0).expect("a marker").ring.reset();
    }

    #[test]
    fn what_was_written_over_ends_anew() {
        let seat = MarkSeat::new();
        // SAFETY: names are literals that end with NUL.
        let note = |event| unsafe { seat.note(event, platform::thread_id()) };
        within((0, 64 << 10), || {
            note(Event::Begin(c"long".as_ptr()));
            (0..10_000).for_each(|_| note(Event::Moment(c"short".as_ptr())));
            assert!(marks(&seat).iter().all(|mark| mark.name() == b"short"));
            note(Event::End);
            let long = marks(&seat).into_iter().find(|mark| mark.name() == b"long");
            let long = long.expect("its end");
            assert!(long.ended_ns.is_some_and(|ended| ended > long.begun_ns));
        });
    }
}
