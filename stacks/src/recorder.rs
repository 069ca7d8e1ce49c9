//! Recorder of the stacks of a thread: its trees, and what a walk needs.
//!
//! A thread gets a recorder at its first sample; that of an ended thread serves a later one, trees and
//! all. One at a time uses it: the thread's handler, or who charges what an ended thread had left. Nobody
//! waits for it; what comes meanwhile is carried to the next sample.
//!
//! *Context:* signal; reading also exit.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use gmon_format::live::{Kernel, Label};
use gmon_system::atomic::{AtomicI64, AtomicU64};
use gmon_system::charge::charged_pc;
use gmon_system::machine;
use gmon_system::memory::WalkMemory;
use gmon_system::platform::{self, Blocked, Context, CpuClock};
use gmon_system::region::Region;

use super::State;
use super::clock::now;
use super::frames::{Frames, Step};
use super::incomplete;
use super::kernel;
use super::modules;
use super::python;
use super::switches::Switches;
use super::threads;
use super::tree::{Stack as Counted, Trees};
use super::walk::{registers, walk, walk_waiting};

/// Place of a thread's recorder.
pub struct Seat(AtomicPtr<Recorder>);

/// The recorder of a thread. All of it is valid when zero.
#[repr(C, align(64))]
pub(super) struct Recorder {
    is_busy: AtomicBool,
    is_free: AtomicBool,
    /// The thread's number.
    thread: AtomicUsize,
    /// Number by which the kernel knows it.
    native: AtomicUsize,
    /// Weight still to be counted.
    carried: AtomicU64,
    /// Address of a look whose stack could not be followed yet; zero if there was none.
    unseen: AtomicUsize,
    /// True if what was counted last was before a pause.
    is_stale: AtomicBool,
    /// Nanoseconds of the thread that walks have taken.
    spent: AtomicI64,
    /// Part of the last looks that found the thread at system calls, in 65,536ths.
    at_calls: AtomicU32,
    pub(super) trees: Trees,
    pub(super) switches: Switches,
    tools: UnsafeCell<Tools>,
    /// The recorder that was made before it.
    next: AtomicPtr<Recorder>,
    stack: UnsafeCell<Stack>,
}

/// The stack of walks, which ends where a call may begin.
#[repr(C, align(64))]
struct Stack([u8; STACK]);

/// Tools of a walk, but for its stack.
struct Tools {
    memory: WalkMemory,
    frames: Frames,
    python: python::Tools,
}

// SAFETY: `tools` and `stack` are used by the one who has set `is_busy`, the rest is atomic.
unsafe impl Sync for Recorder {}

/// Room for a walk, of which it takes a quarter. Pages are there when touched.
const STACK: usize = 32 * 1024;

/// The part of a thread's time that walks may take.
const BUDGET: i64 = 50;

/// Nanoseconds that they may take in any case: the first walks read tables that nothing has read before, and a program that
/// has many libraries is to have stacks until they are all in the cache.
const GRACE: i64 = 10_000_000;

/// The recorder that was made last.
static RECORDERS: AtomicPtr<Recorder> = AtomicPtr::new(null_mut());

/// Walks, and the nanoseconds that they took.
static WALKS: AtomicU64 = AtomicU64::new(0);
static WALK_NS: AtomicI64 = AtomicI64::new(0);

/// Walks and the nanoseconds that they took together.
pub(super) fn effort() -> (u64, i64) {
    (WALKS.load(Ordering::Relaxed), WALK_NS.load(Ordering::Relaxed))
}

/// Walks that go on.
static WALKING: AtomicUsize = AtomicUsize::new(0);

/// Returns `true` if nobody walks.
pub(super) fn are_idle() -> bool {
    WALKING.load(Ordering::SeqCst) == 0
}

/// Runs a walk, or something else for which `dlclose` waits in the same way.
pub(super) fn while_busy<R>(action: impl FnOnce() -> R) -> R {
    WALKING.fetch_add(1, Ordering::SeqCst);
    let result = action();
    WALKING.fetch_sub(1, Ordering::AcqRel);
    result
}

/// All recorders.
pub(super) fn recorders() -> impl Iterator<Item = &'static Recorder> {
    core::iter::successors(Recorder::at(&RECORDERS), |recorder| Recorder::at(&recorder.next))
}

/// Forgets all recorders, in a forked child: their memory was wiped.
pub(super) fn forget() {
    RECORDERS.store(null_mut(), Ordering::Release);
    WALKS.store(0, Ordering::Relaxed);
    WALK_NS.store(0, Ordering::Relaxed);
    WALKING.store(0, Ordering::Release);
}

impl Seat {
    /// A seat that no recorder has taken.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// The recorder of a thread, if it has one.
    pub(super) fn known(&self) -> Option<&'static Recorder> {
        Recorder::at(&self.0)
    }

    /// The recorder of a thread, which is made now if there is none yet.
    pub(super) fn recorder(&self, id: i32) -> Option<&'static Recorder> {
        self.known().or_else(|| {
            super::prepare();
            let recorder = Recorder::take().or_else(Recorder::make)?;
            recorder.thread.store(threads::enter(id)?, Ordering::Relaxed);
            recorder.native.store(id.unsigned_abs() as usize, Ordering::Relaxed);
            recorder.spent.store(0, Ordering::Relaxed);
            self.0.store(core::ptr::from_ref(recorder).cast_mut(), Ordering::Release);
            Some(recorder)
        })
    }

    /// Lets another thread have the recorder: this one has ended.
    pub fn leave(&self) {
        let recorder = self.0.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: null, or a recorder, which stays.
        if let Some(recorder) = unsafe { recorder.as_ref() } {
            recorder.charge();
            recorder.trees.leave();
            recorder.switches.leave();
            threads::leave(recorder.thread.load(Ordering::Relaxed));
            recorder.is_free.store(true, Ordering::Release);
        }
    }

    /// Begins noting when the thread runs, if it is one and that is not noted yet.
    pub(super) fn follow(&self, id: i32) {
        let Some(recorder) = self.recorder(id) else { return };
        let number = recorder.thread.load(Ordering::Relaxed);
        recorder.switches.begin(id, number, threads::begun_us(number));
    }

    /// Forgets the recorder, in a forked child.
    pub(super) fn forget(&self) {
        self.0.store(null_mut(), Ordering::Release);
    }
}

impl Recorder {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: null, or what `make` published, which stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    /// A recorder that no thread has any more.
    fn take() -> Option<&'static Self> {
        let mut free = recorders().filter(|recorder| recorder.is_free.load(Ordering::Relaxed));
        free.find(|recorder| recorder.is_free.swap(false, Ordering::AcqRel))
    }

    fn make() -> Option<&'static Self> {
        let region = Region::map_wiped(size_of::<Self>())?;
        // SAFETY: fresh zeroed memory that stays, of that size and aligned to 64; zero is a valid recorder.
        let recorder = unsafe { region.base().cast::<Self>().as_ref() };
        let mut head = RECORDERS.load(Ordering::Relaxed);
        loop {
            recorder.next.store(head, Ordering::Relaxed);
            let this = core::ptr::from_ref(recorder).cast_mut();
            let linked =
                RECORDERS.compare_exchange_weak(head, this, Ordering::Release, Ordering::Relaxed);
            match linked {
                Ok(_) => return Some(recorder),
                Err(newer) => head = newer,
            }
        }
    }

    /// Counts a sample at the stack of interrupted code. False if that is left to the next one.
    pub(super) fn walk(
        &self,
        context: &Context,
        weight: u64,
        clock: CpuClock,
        state: State,
    ) -> bool {
        self.carried.fetch_add(weight, Ordering::Relaxed);
        let begun = clock.nanoseconds().unwrap_or(0);
        // What it is a part of: a thread that waits uses no time.
        let whole = if state == State::Sampled { begun } else { now() as i64 };
        let is_over_budget =
            self.spent.load(Ordering::Relaxed).saturating_sub(GRACE).saturating_mul(BUDGET) > whole;
        if is_over_budget || self.is_busy.swap(true, Ordering::Acquire) {
            self.unseen.store(charged_pc(context.pc()), Ordering::Relaxed);
            return false;
        }
        let thread = self.thread.load(Ordering::Relaxed);
        let weight = self.carried.swap(0, Ordering::Relaxed);
        let waits = state == State::Waiting;
        self.switches.look();
        let mut call = Call { recorder: self, context, thread, waits, weight, is_counted: false };
        // SAFETY: the stack is this recorder's, which is busy now, and 16-byte aligned at its end.
        while_busy(|| unsafe {
            let end = (&raw mut (*self.stack.get()).0).cast::<u8>().add(STACK);
            machine::call_on_stack(end, Call::run, (&raw mut call).cast());
        });
        let ended = clock.nanoseconds().unwrap_or(0);
        self.spent.fetch_add(ended - begun, Ordering::Relaxed);
        WALKS.fetch_add(1, Ordering::Relaxed);
        WALK_NS.fetch_add(ended - begun, Ordering::Relaxed);
        if call.is_counted {
            self.is_stale.store(false, Ordering::Relaxed);
            threads::note(thread, weight, ended);
        } else {
            self.unseen.store(charged_pc(context.pc()), Ordering::Relaxed);
            self.carried.fetch_add(weight, Ordering::Relaxed);
        }
        self.is_busy.store(false, Ordering::Release);
        call.is_counted
    }

    /// Work at which a look of the thread's own handler found the kernel, if it did.
    fn kernel_at(&self, memory: &mut WalkMemory, pc: usize, weight: u64) -> Option<Kernel> {
        let is_at_call = kernel::is_at_call(memory, pc);
        self.note_call(is_at_call);
        if is_at_call {
            return Some(Kernel::Call);
        }
        self.switches.faults.take(pc, weight).then_some(Kernel::Fault)
    }

    /// Notes whether a look found the thread at a system call.
    fn note_call(&self, is_at_call: bool) {
        /// Looks in which a look loses most of its weight.
        const LAST: u32 = 64;
        let before = self.at_calls.load(Ordering::Relaxed);
        let this = if is_at_call { 65_536 / LAST } else { 0 };
        self.at_calls.store(before - before / LAST + this, Ordering::Relaxed);
    }

    /// Returns `true` if more than one of 32 of the last looks found the thread at system calls.
    pub(super) fn is_often_at_calls(&self) -> bool {
        self.at_calls.load(Ordering::Relaxed) > 65_536 / 32
    }

    /// Counts another look at a thread that is where it was at the last one. It may be another thread that looks.
    pub(super) fn add_again(&self, weight: u64) {
        self.carried.fetch_add(weight, Ordering::Relaxed);
        if self.is_busy.swap(true, Ordering::Acquire) {
            return;
        }
        let weight = self.carried.swap(0, Ordering::Relaxed);
        if self.trees.add_again(weight) {
            self.is_stale.store(false, Ordering::Relaxed);
            threads::note_again(self.thread.load(Ordering::Relaxed), weight);
        } else {
            self.carried.fetch_add(weight, Ordering::Relaxed);
        }
        self.is_busy.store(false, Ordering::Release);
    }

    /// Counts a look at a thread that waits, and goes on waiting: another thread walks its stack. False if it has woken
    /// meanwhile, or somebody else is at it; then the next sample stands for this one, too.
    pub(super) fn walk_waiting(
        &self,
        at: &Blocked,
        weight: u64,
        is_still_there: impl Fn() -> bool,
    ) -> bool {
        self.carried.fetch_add(weight, Ordering::Relaxed);
        if self.is_busy.swap(true, Ordering::Acquire) {
            return false;
        }
        let begun = CpuClock::THREAD.nanoseconds().unwrap_or(0);
        // SAFETY: the recorder is busy, and so its tools are this call's.
        let Tools { memory, frames, python } = unsafe { &mut *self.tools.get() };
        frames.clear();
        let native = self.native.load(Ordering::Relaxed);
        let python = (python, python::Thread { native, is_own: false });
        let end = while_busy(|| walk_waiting(memory, python, at, frames));
        let label = end.ok().filter(|_| is_still_there());
        if let Some(label) = label {
            let weight = self.carried.swap(0, Ordering::Relaxed);
            let thread = self.thread.load(Ordering::Relaxed);
            if let Some(label) = label {
                incomplete::note(label, weight);
            }
            let frames = frames.as_slice();
            let stack = Counted { thread, waits: true, label, frames, kernel: None };
            self.trees.add(stack, weight);
            self.is_stale.store(false, Ordering::Relaxed);
            threads::note_again(thread, weight);
        }
        let ended = CpuClock::THREAD.nanoseconds().unwrap_or(0);
        WALKS.fetch_add(1, Ordering::Relaxed);
        WALK_NS.fetch_add(ended - begun, Ordering::Relaxed);
        self.is_busy.store(false, Ordering::Release);
        label.is_some()
    }

    /// Counts a sample of which no more than an address is known.
    pub(super) fn add(&self, pc: usize, label: Label, weight: u64, waits: bool) {
        self.carried.fetch_add(weight, Ordering::Relaxed);
        if self.is_busy.swap(true, Ordering::Acquire) {
            return;
        }
        let weight = self.carried.swap(0, Ordering::Relaxed);
        let thread = self.thread.load(Ordering::Relaxed);
        incomplete::note(label, weight);
        let frames = &[Step { pc: charged_pc(pc), is_guess: false }];
        let stack = Counted { thread, waits, label: Some(label), frames, kernel: None };
        self.trees.add(stack, weight);
        self.is_stale.store(false, Ordering::Relaxed);
        self.is_busy.store(false, Ordering::Release);
    }

    /// Counts time of the thread that was found later, where it was seen last.
    pub(super) fn add_to_last(&self, pc: usize, weight: u64) {
        self.carried.fetch_add(weight, Ordering::Relaxed);
        self.charge();
        if self.carried.load(Ordering::Relaxed) != 0 {
            self.add(pc, Label::RuntimeBusy, 0, false);
        }
    }

    /// Counts what is still carried where the thread was seen last, if that was not before a pause.
    pub(super) fn charge(&self) {
        if self.carried.load(Ordering::Relaxed) == 0 || self.is_busy.swap(true, Ordering::Acquire) {
            return;
        }
        let weight = self.carried.swap(0, Ordering::Relaxed);
        let pc = self.unseen.swap(0, Ordering::Relaxed);
        let is_stale = self.is_stale.load(Ordering::Relaxed);
        if !is_stale && self.trees.add_to_last(weight) {
        } else if pc == 0 {
            self.carried.fetch_add(weight, Ordering::Relaxed);
        } else {
            let (thread, label) = (self.thread.load(Ordering::Relaxed), Label::RuntimeBusy);
            incomplete::note(label, weight);
            let frames = &[Step { pc, is_guess: false }];
            let label = Some(label);
            let stack = Counted { thread, waits: false, label, frames, kernel: None };
            self.trees.add(stack, weight);
            self.is_stale.store(false, Ordering::Relaxed);
        }
        self.is_busy.store(false, Ordering::Release);
    }

    /// Keeps what comes after a pause apart from what ran before it.
    pub(super) fn resume(&self) {
        self.unseen.store(0, Ordering::Relaxed);
        self.is_stale.store(true, Ordering::Relaxed);
    }

    /// Sets everything to zero.
    pub(super) fn reset(&self) {
        self.carried.store(0, Ordering::Relaxed);
        self.unseen.store(0, Ordering::Relaxed);
        self.is_stale.store(true, Ordering::Relaxed);
        self.trees.reset();
        self.switches.reset();
    }

    /// Keeps the trees as they are while somebody reads them, if they can be had soon.
    pub(super) fn hold<R>(&self, action: impl FnOnce() -> R) -> R {
        platform::hold(&self.is_busy, action)
    }
}

/// Work on the recorder's own stack.
struct Call<'c> {
    recorder: &'c Recorder,
    context: &'c Context,
    thread: usize,
    waits: bool,
    weight: u64,
    /// Result: whether the stack was counted.
    is_counted: bool,
}

impl Call<'_> {
    extern "C" fn run(data: *mut c_void) {
        // SAFETY: what `walk` passes: a call that outlives this and that nobody else uses meanwhile.
        let call = unsafe { &mut *data.cast::<Call<'_>>() };
        // SAFETY: the recorder is busy, and so its tools are this call's.
        let tools = unsafe { &mut *call.recorder.tools.get() };
        let Tools { memory, frames, python } = tools;
        let native = call.recorder.native.load(Ordering::Relaxed);
        let python = (python, python::Thread { native, is_own: true });
        modules::look_now_and_then();
        let registers = registers(call.context);
        frames.clear();
        let end = if super::CAN_WALK.load(Ordering::Relaxed) {
            walk(memory, python, &registers, frames)
        } else {
            memory.begin();
            frames.push(charged_pc(call.context.pc()), false);
            Ok(Some(Label::Unsupported))
        };
        let Ok(label) = end else { return };
        call.is_counted = true;
        if let Some(label) = label {
            incomplete::note(label, call.weight);
        }
        let Call { recorder, context, thread, waits, weight, .. } = *call;
        let kernel = if waits { None } else { recorder.kernel_at(memory, context.pc(), weight) };
        let stack = Counted { thread, waits, label, frames: frames.as_slice(), kernel };
        recorder.trees.add(stack, weight);
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Weights at each address.
    fn weights(recorder: &Recorder) -> Vec<(u64, u64)> {
        let nodes = recorder.trees.tables().flat_map(|table| table.nodes());
        let nodes = nodes.filter_map(|node| node.described()).filter(|node| node.weight != 0);
        nodes.map(|node| (node.pc.0, node.weight)).collect()
    }

    #[test]
    fn what_is_carried_stays_on_its_side_of_a_pause() {
        let recorder = Recorder::make().expect("memory");
        recorder.thread.store(1, Ordering::Relaxed);
        let skip = |pc, weight| {
            recorder.carried.fetch_add(weight, Ordering::Relaxed);
            recorder.unseen.store(pc, Ordering::Relaxed);
        };
        recorder.add(0x10_0000, Label::NoRules, 5, false);
        skip(0x20_0000, 3);
        recorder.charge();
        assert_eq!(weights(recorder), [(0x10_0000, 8)]);
        skip(0x20_0000, 1);
        recorder.charge();
        recorder.resume();
        assert_eq!(weights(recorder), [(0x10_0000, 9)]);
        // What runs after the pause has not been walked yet when everything is written.
        skip(0x30_0000, 4);
        recorder.charge();
        let mut found = weights(recorder);
        found.sort_unstable();
        assert_eq!(found, [(0x10_0000, 9), (0x30_0000, 4)]);
        skip(0x20_0000, 2);
        recorder.charge();
        assert!(weights(recorder).contains(&(0x30_0000, 6)));
    }
}
