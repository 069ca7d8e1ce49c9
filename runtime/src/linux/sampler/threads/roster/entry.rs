//! Facts about a thread that is sampled.
//!
//! The handle says whose the entry is at the moment: whoever takes it out may change what samples the thread.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};

use gmon_stacks::Seat;
use gmon_system::atomic::AtomicI64;
use gmon_system::platform;

/// A place for a thread.
pub(in crate::linux::sampler) struct Entry {
    /// Its kernel id; 0 if the place is free.
    tid: AtomicI32,
    /// Handle of what samples it: a sampler's own number, or [`CHANGING`].
    handle: AtomicUsize,
    /// A sampler's own time or count.
    pub(in crate::linux::sampler) clock: AtomicI64,
    /// Nanoseconds from there to the thread's next look; see `pace`.
    pub(in crate::linux::sampler) offset: AtomicI64,
    /// The thread's CPU time until which its first look by a timer stands, if a beat follows that.
    pub(in crate::linux::sampler) first_until: AtomicI64,
    /// Address at which it was seen last; 0 if never.
    pub(in crate::linux::sampler) last_pc: AtomicUsize,
    /// The thread's CPU time when sampling it was paused.
    pub(in crate::linux::sampler) paused: AtomicI64,
    /// The address of the [`Beat`](platform::Beat) that sends its signals; 0 without one. See `beat`.
    pub(in crate::linux::sampler) beat: AtomicUsize,
    /// Nanoseconds between two looks by such a clock, how many there were, and the thread's CPU time at the last.
    pub(in crate::linux::sampler) distance: AtomicI64,
    pub(in crate::linux::sampler) beats: AtomicUsize,
    pub(in crate::linux::sampler) beat_at: AtomicI64,
    /// Finding of a look by the clock on the wall; see `wall`.
    pub(in crate::linux::sampler) finding: AtomicUsize,
    /// The thread's CPU time at that look, and at the end of the handler that took the last sample.
    pub(in crate::linux::sampler) looked: AtomicI64,
    pub(in crate::linux::sampler) handled: AtomicI64,
    /// Periods in which it was found running and that are in no sample yet.
    pub(in crate::linux::sampler) owed: AtomicU32,
    /// Seat of the recorder of the thread's stacks.
    pub(in crate::linux::sampler) seat: Seat,
}

/// Somebody is about to change the handle.
const CHANGING: usize = 0;
/// The thread has ended, and nothing samples it any more.
const ENDED: usize = usize::MAX;
/// The smallest handle.
pub(in crate::linux::sampler) const FIRST_HANDLE: usize = 1;

impl Entry {
    pub(super) const fn free() -> Self {
        Self {
            tid: AtomicI32::new(0),
            handle: AtomicUsize::new(CHANGING),
            clock: AtomicI64::new(0),
            offset: AtomicI64::new(0),
            first_until: AtomicI64::new(0),
            last_pc: AtomicUsize::new(0),
            paused: AtomicI64::new(0),
            beat: AtomicUsize::new(0),
            distance: AtomicI64::new(0),
            beats: AtomicUsize::new(0),
            beat_at: AtomicI64::new(0),
            finding: AtomicUsize::new(0),
            looked: AtomicI64::new(0),
            handled: AtomicI64::new(0),
            owed: AtomicU32::new(0),
            seat: Seat::new(),
        }
    }

    /// Returns `true` if it is a thread's.
    pub(in crate::linux::sampler) fn is_of(&self, tid: i32) -> bool {
        self.tid.load(Ordering::Acquire) == tid
    }

    /// The kernel's id of the thread.
    pub(in crate::linux::sampler) fn tid(&self) -> i32 {
        self.tid.load(Ordering::Acquire)
    }

    /// The sampler's number.
    pub(in crate::linux::sampler) fn handle(&self) -> Option<usize> {
        let handle = self.handle.load(Ordering::SeqCst);
        Some(handle).filter(|handle| ![CHANGING, ENDED].contains(handle))
    }

    /// Takes the sampler's number out. The entry is then the caller's, to [`set`](Self::set) or to
    /// [`leave`](Self::leave).
    pub(in crate::linux::sampler) fn take(&self) -> Option<usize> {
        let handle = self.handle()?;
        let taken =
            self.handle.compare_exchange(handle, CHANGING, Ordering::SeqCst, Ordering::Relaxed);
        taken.ok()
    }

    /// Like [`take`](Self::take), but if somebody else has taken the number waits for it to come
    /// back: not long, since that lasts some system calls, and not for ever, since it may be this
    /// thread that a signal has interrupted meanwhile.
    pub(in crate::linux::sampler) fn wait_and_take(&self) -> Option<usize> {
        const PATIENCE: usize = 1000;
        (0..PATIENCE).find_map(|_| {
            let taken = self.take();
            if taken.is_none() {
                platform::yield_cpu();
            }
            taken
        })
    }

    /// Gives the entry a sampler's number.
    pub(in crate::linux::sampler) fn set(&self, handle: usize) {
        self.handle.store(handle, Ordering::SeqCst);
    }

    /// Notes that the thread has ended: the entry is then among [`ended`](super::ended).
    pub(in crate::linux::sampler) fn end(&self) {
        self.set(ENDED);
    }

    /// Returns `true` if it is known that the thread has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.handle.load(Ordering::SeqCst) == ENDED
    }

    /// Gives the place to whoever comes next.
    pub(in crate::linux::sampler) fn leave(&self) {
        self.seat.leave();
        self.handle.store(CHANGING, Ordering::SeqCst);
        self.tid.store(0, Ordering::Release);
    }

    /// Takes a free place for a thread; false if it is taken.
    pub(super) fn take_place(&self, tid: i32) -> bool {
        self.tid.compare_exchange(0, tid, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}
