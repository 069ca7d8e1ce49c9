//! When a sampled thread left its processor and when it got one again, as the kernel tells.
//!
//! The kernel writes into a small ring of its own for each thread; whoever comes by moves what is there to the thread's gaps: its
//! handler, the look for new threads, and who writes a file. A wait that goes on is a gap whose end moves. Short gaps are left
//! out. Where the kernel tells nothing, the times and weights of samples say it, less exactly.
//!
//! *Context:* `begin` startup or hook; the rest signal or exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use gmon_format::live::{Gap, GapKind, Round};
use gmon_system::atomic::AtomicU64;
use gmon_system::platform::perf::{self, Record, Room};
use gmon_system::platform::{self, CpuClock, Errno};
use gmon_system::{brief, libc, program, valgrind};

use super::clock;
use super::faults::{self, Faults};
use super::ring::{self, Entry, GAP, Ring};
use super::threads;

/// The gaps of a thread. Empty when zero.
pub(super) struct Switches {
    is_busy: AtomicBool,
    /// True if it has no processor.
    is_out: AtomicBool,
    is_preempted: AtomicBool,
    /// True if some of what happened since the last event is lost.
    has_lost: AtomicBool,
    /// The kernel's ring; 0 without one.
    handle: AtomicUsize,
    /// The thread, and its number.
    tid: AtomicI32,
    thread: AtomicU32,
    /// Time of the last event, in microseconds since the profile began.
    last_us: AtomicU64,
    /// Entry of the gap that goes on; null if there is none yet.
    open: AtomicPtr<Entry<GAP>>,
    /// Its start.
    begun_us: AtomicU64,
    pub(super) faults: Faults,
    pub(super) ring: Ring<GAP>,
}

/// Shorter gaps are left out, in microseconds.
const LEAST_US: u64 = 100;

/// Bytes of the kernel's ring: 1,000 events.
const BYTES: usize = 16 << 10;

/// Rings that there may be at one time: the kernel locks them into memory, of which users have little.
const MOST: usize = 256;

/// Rings that there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// True if the kernel does not allow it.
static IS_REFUSED: AtomicBool = AtomicBool::new(false);

/// The ring of the thread that began the profile, until its first sample.
static FIRST: AtomicUsize = AtomicUsize::new(0);
static FIRST_THREAD: AtomicI32 = AtomicI32::new(0);

/// Begins with the calling thread, which may wait for long before its first sample.
pub(super) fn begin() {
    if FIRST.load(Ordering::Relaxed) == 0 && ring::is_on() {
        FIRST_THREAD.store(platform::thread_id(), Ordering::Relaxed);
        FIRST.store(open(platform::thread_id()).unwrap_or(0), Ordering::Release);
    }
}

/// Forgets the parent's rings, in a forked child, which has not got them.
pub(super) fn forget() {
    FIRST.store(0, Ordering::Relaxed);
    COUNT.store(0, Ordering::Relaxed);
}

/// Makes a ring for a thread of this process.
fn open(tid: i32) -> Option<usize> {
    let fits = |count: usize| (count < MOST).then_some(count + 1);
    if IS_REFUSED.load(Ordering::Relaxed) || valgrind::is_there() {
        return None;
    }
    COUNT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
    let room = Room { bytes: BYTES, page: program::page_size() };
    let made = brief::run(|| perf::Ring::of_switches(tid, faults::TOLD, room))
        .unwrap_or(Err(Errno(libc::EAGAIN)));
    match made {
        Ok(ring) => Some(ring.into_address()),
        Err(Errno(error)) => {
            COUNT.fetch_sub(1, Ordering::Relaxed);
            let refusals =
                [libc::EACCES, libc::EPERM, libc::ENOSYS, libc::EINVAL, libc::EOPNOTSUPP];
            IS_REFUSED.fetch_or(refusals.contains(&error), Ordering::Relaxed);
            None
        }
    }
}

impl Switches {
    /// Begins with a thread, which began at a time. Does nothing if it has begun.
    pub(super) fn begin(&self, tid: i32, number: usize, begun_us: u64) {
        if self.handle.load(Ordering::Relaxed) != 0 || !ring::is_on() {
            return;
        }
        let is_first = FIRST_THREAD.load(Ordering::Relaxed) == tid;
        let first = if is_first { FIRST.swap(0, Ordering::AcqRel) } else { 0 };
        let (handle, known_from) = match first {
            0 => match open(tid) {
                // When it ran before that is not known, but for how long.
                Some(handle) => {
                    let ran =
                        CpuClock::of_thread(tid).nanoseconds().unwrap_or(0).unsigned_abs() / 1000;
                    (handle, clock::now_us().saturating_sub(ran).max(begun_us))
                }
                None => return,
            },
            handle => (handle, begun_us),
        };
        self.thread.store(number as u32, Ordering::Relaxed);
        self.tid.store(tid, Ordering::Relaxed);
        self.forget_state();
        self.push(begun_us, known_from, GapKind::Unknown);
        self.last_us.store(known_from, Ordering::Relaxed);
        self.handle.store(handle, Ordering::Release);
    }

    fn forget_state(&self) {
        for flag in [&self.is_out, &self.is_preempted, &self.has_lost] {
            flag.store(false, Ordering::Relaxed);
        }
        self.open.store(null_mut(), Ordering::Relaxed);
    }

    /// Moves what the kernel has told to the gaps. Of a thread without a processor the gap lasts until now.
    pub(super) fn look(&self) {
        let handle = self.handle.load(Ordering::Acquire);
        if handle == 0 || self.is_busy.swap(true, Ordering::Acquire) {
            return;
        }
        // SAFETY: `open` made it, and it is ours while the flag is set.
        if let Some(mut ring) = unsafe { perf::Ring::from_address(handle) } {
            let now = clock::now_us();
            ring.drain(|record| self.note(&record));
            if self.is_out.load(Ordering::Relaxed) {
                self.extend(now.max(self.last_us.load(Ordering::Relaxed)));
            }
        }
        self.is_busy.store(false, Ordering::Release);
    }

    fn note(&self, record: &Record) {
        if let Record::Exit { at, tid } = *record {
            let (number, own) =
                (self.thread.load(Ordering::Relaxed), self.tid.load(Ordering::Relaxed));
            if tid == own {
                threads::leave_at(
                    number as usize,
                    at.saturating_sub(clock::origin().unsigned_abs()),
                );
            }
        }
        // Its first word, as these samples have it, is the instruction.
        if let Record::Sample { events: pc, .. } = *record {
            self.faults.note(pc as usize);
        }
        let Record::Switch { at, is_out, is_preempted } = *record else {
            self.has_lost.fetch_or(matches!(record, Record::Lost(_)), Ordering::Relaxed);
            return;
        };
        let at_us = at.saturating_sub(clock::origin().unsigned_abs()) / 1000;
        let last_us = self.last_us.swap(at_us, Ordering::Relaxed);
        if self.has_lost.swap(false, Ordering::Relaxed) {
            self.push(last_us, at_us, GapKind::Unknown);
            self.is_out.store(false, Ordering::Relaxed);
        } else if self.is_out.swap(false, Ordering::Relaxed) {
            self.extend(at_us);
        }
        self.open.store(null_mut(), Ordering::Relaxed);
        if is_out {
            self.begun_us.store(at_us, Ordering::Relaxed);
            self.is_preempted.store(is_preempted, Ordering::Relaxed);
            self.is_out.store(true, Ordering::Relaxed);
        }
    }

    /// Has the gap that goes on last until a time.
    fn extend(&self, end_us: u64) {
        let begun_us = self.begun_us.load(Ordering::Relaxed);
        if end_us.saturating_sub(begun_us) < LEAST_US {
            return;
        }
        // SAFETY: null, or an entry in memory that stays.
        let entry = unsafe { self.open.load(Ordering::Relaxed).as_ref() };
        let kind = match self.is_preempted.load(Ordering::Relaxed) {
            true => GapKind::Runnable,
            false => GapKind::Waiting,
        };
        let expected = words(self.gap(begun_us, end_us, kind));
        // Another may have been written over it since.
        let is_its = |entry: &&Entry<GAP>| {
            let [begun, _, rest] = entry.words().map(|word| word & !Round::MASK);
            [begun, rest] == [expected[0], expected[2]]
        };
        match entry.filter(is_its) {
            Some(entry) => {
                let [_, end, _] = entry.words();
                if let Some(place) = entry.word(1) {
                    place.store(expected[1] | (end & Round::MASK), Ordering::Relaxed);
                }
            }
            None => self.push(begun_us, end_us, kind),
        }
    }

    fn gap(&self, begun_us: u64, ended_us: u64, kind: GapKind) -> Gap {
        Gap { begun_us, ended_us, thread: self.thread.load(Ordering::Relaxed), kind }
    }

    fn push(&self, begun_us: u64, ended_us: u64, kind: GapKind) {
        let entry = self.ring.push(ended_us, words(self.gap(begun_us, ended_us, kind)));
        let entry = entry.map_or(null_mut(), |entry| core::ptr::from_ref(entry).cast_mut());
        self.open.store(entry, Ordering::Relaxed);
    }

    /// Ends with a thread, which has ended.
    pub(super) fn leave(&self) {
        self.look();
        let handle = self.handle.swap(0, Ordering::AcqRel);
        // SAFETY: `open` made it, and who has taken it out is the only one who has it.
        if let Some(ring) = unsafe { perf::Ring::from_address(handle) } {
            ring.close();
            COUNT.fetch_sub(1, Ordering::Relaxed);
        }
        self.forget_state();
    }

    /// Forgets all gaps.
    pub(super) fn reset(&self) {
        self.ring.reset();
        self.open.store(null_mut(), Ordering::Relaxed);
        if self.handle.load(Ordering::Relaxed) != 0 {
            let now = clock::now_us();
            self.push(now, now, GapKind::Unknown);
        }
    }
}

/// The words of a gap, without their round.
fn words(gap: Gap) -> [u64; GAP] {
    gap.words(Round::FIRST).map(|word| word & !Round::MASK)
}
