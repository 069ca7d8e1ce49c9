//! The threads that were sampled, as a file has them.
//!
//! Each has a number, by which the trees know it, and an entry that stays when it ends. The first entry
//! stays free: in a tree zero stands for no node.
//!
//! *Context:* signal; reading also exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::{self, Block, Content};
use gmon_system::atomic::AtomicU64;
use gmon_system::platform::{self, CpuClock, ThreadStatus};
use gmon_system::region::{Region, Scratch};

use super::clock::now;

/// A thread, as it lies in a file.
#[repr(C)]
struct Entry {
    id: AtomicU64,
    begun: AtomicU64,
    ended: AtomicU64,
    cpu: AtomicU64,
    signals: AtomicU64,
    squared_weights: AtomicU64,
    name: [AtomicU64; 2],
}

const _: () = assert!(size_of::<Entry>() == live::Thread::LEN);

/// Entries of the first part; each later one is as long as all before it together.
const FIRST: usize = 64;
const PARTS: usize = 16;

static PART: [AtomicPtr<Entry>; PARTS] = [const { AtomicPtr::new(null_mut()) }; PARTS];

/// Threads that were ever sampled.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Notes a thread and gives its number; `None` without memory. The kernel's id is the thread's, or that of the
/// process where threads are not told apart.
pub(super) fn enter(id: i32) -> Option<usize> {
    let noted = || (0..count()).find(|number| entry(*number).is_some_and(|entry| entry.waits(id)));
    let is_noted = HAS_NOTED.load(Ordering::Acquire).then(noted).flatten();
    let number = is_noted.map_or_else(add, Some)?;
    let entry = entry(number)?;
    let status = match id == platform::thread_id() {
        true => platform::thread_status(platform::OWN_STATUS),
        false => status_of(id),
    };
    entry.begun.store(begun(status.as_ref()), Ordering::Relaxed);
    entry.set_name(status.map_or_else(platform::thread_name, |status| status.name));
    entry.id.store(id.unsigned_abs().into(), Ordering::Release);
    Some(number)
}

/// The number of a thread of this process that lives, which may not have been sampled yet; `None` without memory.
pub(super) fn known(id: i32) -> Option<usize> {
    let is_its = |entry: &Entry| {
        let its = entry.id.load(Ordering::Acquire) == u64::from(id.unsigned_abs());
        its && entry.ended.load(Ordering::Acquire) == 0
    };
    let found = (0..count()).rev().find(|number| entry(*number).is_some_and(is_its));
    found.or_else(|| {
        let number = enter(id)?;
        HAS_NOTED.store(true, Ordering::Release);
        Some(number)
    })
}

/// When the thread of a number began, in microseconds since the profile did.
pub(super) fn begun_us(number: usize) -> u64 {
    entry(number).map_or(0, |entry| entry.begun.load(Ordering::Relaxed) / 1000)
}

/// When a thread began, or when the profile did.
fn begun(status: Option<&ThreadStatus>) -> u64 {
    status.map_or(0, |status| now().saturating_sub(status.age.unsigned_abs()))
}

/// A free entry, by its number.
fn add() -> Option<usize> {
    let number = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    make(number).map(|()| number)
}

/// True if there are entries of threads that were not sampled yet.
static HAS_NOTED: AtomicBool = AtomicBool::new(false);

/// Notes the threads that were never sampled because they wait, and what the others are called in the end: one may have been
/// sampled for the last time before it named itself. Of very many some are left out. *Context:* exit.
pub(super) fn note_others() {
    const MOST: usize = 1000;
    const LIST: usize = 4096;
    let known = |id: i32| {
        let is_its = |it: &&Entry| it.id.load(Ordering::Acquire) == u64::from(id.unsigned_abs());
        entries().find(is_its)
    };
    let Some(mut list) = Scratch::new(LIST) else { return };
    let mut visited = 0;
    _ = platform::each_thread(&mut list, |id| {
        visited += 1;
        match known(id) {
            Some(entry) if visited < MOST => entry.name_again(id),
            None if count() < MOST => _ = note_other(id),
            _ => {}
        }
    });
}

fn status_of(id: i32) -> Option<ThreadStatus> {
    let path = platform::thread_file(id, b"/stat\0")?;
    platform::thread_status(path.as_c_str())
}

fn note_other(id: i32) -> Option<()> {
    let status = status_of(id)?;
    // Our own.
    if status.name.starts_with(b"gmon\0") {
        return None;
    }
    let entry = entry(add()?)?;
    entry.begun.store(begun(Some(&status)), Ordering::Relaxed);
    entry.set_name(status.name);
    entry.id.store(id.unsigned_abs().into(), Ordering::Release);
    HAS_NOTED.store(true, Ordering::Release);
    Some(())
}

/// Notes a signal of a thread, which stood for so much, and its CPU time.
pub(super) fn note(number: usize, weight: u64, cpu: i64) {
    let Some(entry) = entry(number) else { return };
    let signals = entry.note(weight);
    entry.cpu.store(cpu.unsigned_abs(), Ordering::Relaxed);
    // Threads name themselves soon after they begin.
    if signals.is_power_of_two() {
        entry.rename();
    }
}

/// Notes a look at a thread that took no signal.
pub(super) fn note_again(number: usize, weight: u64) {
    if let Some(entry) = entry(number) {
        entry.note(weight);
    }
}

/// Notes that a thread has ended, unless it is known.
pub(super) fn leave(number: usize) {
    leave_at(number, now());
}

/// Notes when a thread has ended, in nanoseconds since the profile began, unless it is known.
pub(super) fn leave_at(number: usize, ns: u64) {
    if let Some(entry) = entry(number) {
        let ended = &entry.ended;
        _ = ended.compare_exchange(0, ns.max(1), Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Forgets all threads, in a forked child.
pub(super) fn forget() {
    PART.iter().for_each(|part| part.store(null_mut(), Ordering::Release));
    COUNT.store(0, Ordering::Release);
    HAS_NOTED.store(false, Ordering::Release);
}

/// Sets what was counted of threads to zero.
pub(super) fn reset() {
    for entry in entries() {
        entry.signals.store(0, Ordering::Relaxed);
        entry.squared_weights.store(0, Ordering::Relaxed);
    }
}

/// Returns `true` if no thread was ever sampled.
pub(super) fn is_empty() -> bool {
    COUNT.load(Ordering::Acquire) == 0
}

/// Number of entries in a file, free ones included.
pub(super) fn count() -> usize {
    COUNT.load(Ordering::Acquire) + 1
}

/// The entries as a file has them, in the order of their numbers.
pub(super) fn described() -> impl Iterator<Item = live::Thread> {
    entries().map(Entry::described)
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    (0..count()).map_while(entry)
}

fn entry(number: usize) -> Option<&'static Entry> {
    let (part, len, offset) = place_of(number);
    let first = PART.get(part)?.load(Ordering::Acquire);
    if first.is_null() {
        return None;
    }
    // SAFETY: `make` mapped so many zeroed entries, which stay; zero is a free one.
    unsafe { core::slice::from_raw_parts(first, len) }.get(offset)
}

/// The part of a number, how long it is, and the place there.
fn place_of(number: usize) -> (usize, usize, usize) {
    match (number / FIRST).checked_ilog2() {
        None => (0, FIRST, number),
        Some(power) => (power as usize + 1, FIRST << power, number - (FIRST << power)),
    }
}

/// Makes the part of a number.
fn make(number: usize) -> Option<()> {
    let (part, len, _) = place_of(number);
    let place = PART.get(part)?;
    if place.load(Ordering::Acquire).is_null() {
        let size = len * size_of::<Entry>();
        let content = Block {
            content: Content::Threads,
            len: size as u64,
            entries_at: 0,
            entries: len as u64,
            entry_len: size_of::<Entry>() as u32,
        };
        let region = Region::map_for_process(size, &content)?;
        let fresh = region.base().cast::<Entry>().as_ptr();
        if place.compare_exchange(null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: the address was not stored, so nobody knows it.
            unsafe { region.unmap() };
        }
    }
    Some(())
}

impl Entry {
    /// Counts a look, which stood for so much; how many there were.
    fn note(&self, weight: u64) -> u64 {
        self.squared_weights.fetch_add(weight.saturating_mul(weight), Ordering::Relaxed);
        self.signals.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Notes the name that the calling thread has, if it is this one or there is only one entry for all.
    fn rename(&self) {
        self.set_name(platform::thread_name());
    }

    /// Notes the name that its thread has now.
    fn name_again(&self, id: i32) {
        let lives = self.ended.load(Ordering::Acquire) == 0;
        if let Some(status) = lives.then(|| status_of(id)).flatten() {
            self.set_name(status.name);
        }
    }

    /// Returns `true` if it is a thread's that was not sampled yet.
    fn waits(&self, id: i32) -> bool {
        let [id, signals, ended] =
            [(&self.id, u64::from(id.unsigned_abs())), (&self.signals, 0), (&self.ended, 0)]
                .map(|(place, value)| place.load(Ordering::Acquire) == value);
        id && signals && ended
    }

    fn set_name(&self, name: [u8; 16]) {
        let (first, last) = name.split_at(name.len() / 2);
        for (place, bytes) in self.name.iter().zip([first, last]) {
            let bytes = bytes.first_chunk().copied().unwrap_or_default();
            place.store(u64::from_ne_bytes(bytes), Ordering::Relaxed);
        }
    }

    fn described(&self) -> live::Thread {
        let number = |place: &AtomicU64| place.load(Ordering::Relaxed);
        let mut name = [0; 16];
        for (place, half) in name.chunks_exact_mut(8).zip(&self.name) {
            place.copy_from_slice(&number(half).to_ne_bytes());
        }
        let (id, ended) = (self.id.load(Ordering::Acquire), number(&self.ended));
        let clock = (ended == 0).then(|| CpuClock::of_thread(id as i32).nanoseconds()).flatten();
        live::Thread {
            id,
            begun_ns: number(&self.begun),
            ended_ns: ended,
            cpu_ns: clock.map_or_else(|| number(&self.cpu), i64::unsigned_abs),
            signals: number(&self.signals),
            squared_weights: number(&self.squared_weights),
            name,
        }
    }
}
