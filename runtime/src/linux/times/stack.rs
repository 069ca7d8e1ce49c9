//! Calls of one stack that code runs on, and these calls.
//!
//! *Context:* hook.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_system::atomic::AtomicU64;
use gmon_system::region::Region;
use gmon_system::{arch, c_library, libc, platform};

use super::clock;
use super::numbers::Numbers;

/// A stack that code runs on.
#[repr(C)]
pub(super) struct Stack {
    pub(super) low: AtomicUsize,
    pub(super) high: AtomicUsize,
    /// Memory for its calls, or 0.
    pub(super) calls: AtomicUsize,
    pub(super) top: AtomicUsize,
    /// A coroutine's, which other threads may go on with.
    is_coroutine: AtomicBool,
    /// Another thread goes on with it, so that what is known here of its calls is old.
    pub(super) is_taken: AtomicBool,
}

/// A call.
#[repr(C)]
pub(super) struct Call {
    /// Place of its return address, or of that of the hook at its entry; that of the first, which is none, is above all
    /// others.
    pub(super) slot: AtomicUsize,
    pub(super) return_pc: AtomicUsize,
    /// Null if nobody wants its time.
    pub(super) numbers: AtomicPtr<Numbers>,
    pub(super) began: AtomicU64,
    /// Of a hook of `-finstrument-functions`: the function, the hook's return address, and the frame pointer; of others the last
    /// is the registers that the function gives back as it found them, in one number.
    pub(super) function: AtomicUsize,
    pub(super) hook: AtomicUsize,
    pub(super) frame: AtomicUsize,
    /// Of every so many calls, less one, one was timed when it began.
    every: AtomicU64,
}

/// `asm/shared.times.S` says where the fields are.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
const _: () = {
    use core::mem::offset_of;
    assert!(offset_of!(Call, slot) == 0 && offset_of!(Call, return_pc) == 8);
    assert!(offset_of!(Call, numbers) == 16 && offset_of!(Call, began) == 24);
    assert!(offset_of!(Call, function) == 32 && offset_of!(Call, hook) == 40);
    assert!(offset_of!(Call, frame) == 48 && offset_of!(Call, every) == 56);
    assert!(size_of::<Call>() == 64);
};

/// Calls of one stack. Deeper ones are not timed.
const DEPTH: usize = 4096;
pub(super) const CALLS: usize = (DEPTH + 1) * size_of::<Call>();

/// Distances of other calls on a stack from the first that is seen there, below it and above it, at most. The stacks of coroutines
/// are small, and lie side by side: a call of another one would seem to be inside or outside of this one's. What is
/// farther away has calls of its own, as if it were another stack.
const OWN: (usize, usize) = (1 << 20, 64 << 10);
const COROUTINE: (usize, usize) = (28 << 10, 4 << 10);

/// Returns `true` if an address is on the stack that the calling thread began on, or may be.
pub(super) fn is_on_threads_own(slot: usize) -> bool {
    /// Length of threads' stacks that is usual.
    const LEN: usize = 8 << 20;
    let is_first = platform::thread_id() == platform::process_id();
    let upper_end = match is_first {
        // What the system left there for the C library.
        true => c_library::auxiliary_value(libc::AT_RANDOM).unwrap_or(0) as usize,
        // C libraries keep there what is a thread's.
        false => arch::thread_pointer(),
    };
    (upper_end.saturating_sub(LEN)..upper_end).contains(&slot)
}

impl Stack {
    pub(super) fn has(&self, slot: usize) -> bool {
        let [low, high] = [&self.low, &self.high].map(|end| end.load(Ordering::Relaxed));
        (low..high).contains(&slot)
    }

    /// Its addresses, if it is a coroutine's.
    pub(super) fn of_coroutine(&self) -> Option<Range<usize>> {
        let [low, high] = [&self.low, &self.high].map(|end| end.load(Ordering::Relaxed));
        (high != 0 && self.is_coroutine.load(Ordering::Relaxed)).then_some(low..high)
    }

    /// Makes it that of an address, next to the thread's others and what other threads have; false if there is no memory.
    pub(super) fn begin(
        &self,
        slot: usize,
        is_coroutine: bool,
        others: &[Self],
        elsewhere: impl Iterator<Item = Range<usize>> + Clone,
    ) -> bool {
        let (below_it, above_it) = if is_coroutine { COROUTINE } else { OWN };
        if self.calls.load(Ordering::Relaxed) == 0 {
            let Some(region) = Region::map(CALLS) else { return false };
            self.calls.store(region.base().as_ptr() as usize, Ordering::Relaxed);
        }
        let load = |end: &AtomicUsize| end.load(Ordering::Relaxed);
        let others = others.iter().map(|other| load(&other.low)..load(&other.high));
        let others = others.filter(|other| other.end != 0).chain(elsewhere);
        let below = others.clone().map(|other| other.end).filter(|high| *high <= slot).max();
        let above = others.map(|other| other.start).filter(|low| *low > slot).min();
        let low = slot.saturating_sub(below_it).max(below.unwrap_or(0));
        let high = slot.saturating_add(above_it).min(above.unwrap_or(usize::MAX));
        self.is_coroutine.store(is_coroutine, Ordering::Relaxed);
        self.is_taken.store(false, Ordering::Relaxed);
        self.low.store(low, Ordering::Relaxed);
        self.high.store(high, Ordering::Relaxed);
        if let Some(first) = Call::at(self.first()) {
            first.slot.store(usize::MAX, Ordering::Relaxed);
        }
        self.top.store(self.first(), Ordering::Relaxed);
        true
    }

    /// Returns `true` if no call is there.
    pub(super) fn is_empty(&self) -> bool {
        self.top.load(Ordering::Relaxed) == self.first()
    }

    /// The address of the first call, which is none.
    pub(super) fn first(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// The address of the last call for which there is room.
    pub(super) fn last(&self) -> usize {
        self.first() + CALLS - size_of::<Call>()
    }

    /// The call on top.
    pub(super) fn call(&self) -> Option<&'static Call> {
        let top = self.top.load(Ordering::Relaxed);
        (top > self.first()).then(|| Call::at(top)).flatten()
    }

    pub(super) fn pop(&self) {
        self.top.fetch_sub(size_of::<Call>(), Ordering::Relaxed);
    }

    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    pub(super) fn push(
        &self,
        [slot, return_pc, kept]: [usize; 3],
        numbers: &'static Numbers,
    ) -> bool {
        let place = self.top.load(Ordering::Relaxed) + size_of::<Call>();
        let Some(call) = Call::at(place).filter(|_| place <= self.last()) else { return false };
        call.slot.store(slot, Ordering::Relaxed);
        call.return_pc.store(return_pc, Ordering::Relaxed);
        call.is_for(Some(numbers));
        call.frame.store(kept, Ordering::Relaxed);
        self.top.store(place, Ordering::Relaxed);
        call.began.store(clock::now(), Ordering::Relaxed);
        true
    }

    /// Puts a call there that is known by its hook; false if there is no room.
    pub(super) fn push_own(
        &self,
        slot: usize,
        return_pc: usize,
        numbers: Option<&'static Numbers>,
        [function, hook, frame]: [usize; 3],
    ) -> bool {
        let place = self.top.load(Ordering::Relaxed) + size_of::<Call>();
        let Some(call) = Call::at(place).filter(|_| place <= self.last()) else { return false };
        call.slot.store(slot, Ordering::Relaxed);
        call.return_pc.store(return_pc, Ordering::Relaxed);
        call.is_for(numbers);
        call.function.store(function, Ordering::Relaxed);
        call.hook.store(hook, Ordering::Relaxed);
        call.frame.store(frame, Ordering::Relaxed);
        self.top.store(place, Ordering::Relaxed);
        call.began.store(clock::now(), Ordering::Relaxed);
        true
    }

    /// The calls, from the top on.
    pub(super) fn calls(&self) -> impl Iterator<Item = &'static Call> {
        self.calls_from(self.top.load(Ordering::Relaxed))
    }

    /// The calls, from that at an address on.
    pub(super) fn calls_from(&self, top: usize) -> impl Iterator<Item = &'static Call> {
        let first = self.first();
        let places = (first..top).step_by(size_of::<Call>());
        let len = places.len();
        (0..len).filter_map(move |place| Call::at(top - place * size_of::<Call>()))
    }

    /// The last such call in the frame with a slot, none of which is below it.
    pub(super) fn find(
        &self,
        slot: usize,
        frame: usize,
        is_it: impl Fn(&Call) -> bool,
    ) -> Option<&'static Call> {
        let is_here =
            |call: &&Call| call.is_at(slot) || call.frame.load(Ordering::Relaxed) == frame;
        self.calls().take_while(is_here).find(|call| is_it(call))
    }

    /// Drops the calls above one of them.
    pub(super) fn drop_above(&self, below: &'static Call) {
        self.drop_while(|call| !core::ptr::eq(call, below));
    }

    /// Drops a call and those above it.
    pub(super) fn drop_down_to(&self, last: &'static Call) {
        self.drop_above(last);
        self.drop_while(|call| core::ptr::eq(call, last));
    }

    /// Drops calls that have ended without anybody seeing it, from the top on.
    pub(super) fn drop_while(&self, has_ended: impl Fn(&Call) -> bool) {
        while let Some(call) = self.call().filter(|call| has_ended(call)) {
            self.pop();
            call.lose();
        }
    }

    /// Drops all calls, so that no hook which a handler has interrupted just before brings one back.
    pub(super) fn drop_for_good(&self) {
        while let Some(call) = self.call() {
            call.slot.store(usize::MAX, Ordering::Relaxed);
            self.pop();
            call.lose();
        }
    }

    pub(super) fn forget(&self) {
        self.drop_for_good();
        self.low.store(0, Ordering::Relaxed);
        self.high.store(0, Ordering::Relaxed);
    }
}

impl Call {
    pub(super) fn at(address: usize) -> Option<&'static Self> {
        // SAFETY: 0, or a place in memory for calls, which stays.
        unsafe { (address as *const Self).as_ref() }
    }

    /// Returns `true` if it was deeper than an address.
    pub(super) fn is_below(&self, slot: usize) -> bool {
        self.slot.load(Ordering::Relaxed) < slot
    }

    /// Returns `true` if a function was called that returns to an address.
    pub(super) fn is_of(&self, function: usize, return_pc: usize) -> bool {
        self.function.load(Ordering::Relaxed) == function
            && self.return_pc.load(Ordering::Relaxed) == return_pc
    }

    /// Returns `true` if its return address was there.
    pub(super) fn is_at(&self, slot: usize) -> bool {
        self.slot.load(Ordering::Relaxed) == slot
    }

    /// Notes who wants its time, and how many calls it stands for.
    fn is_for(&self, numbers: Option<&'static Numbers>) {
        let place = numbers.map_or(core::ptr::null(), core::ptr::from_ref);
        self.numbers.store(place.cast_mut(), Ordering::Relaxed);
        self.every.store(numbers.map_or(0, Numbers::every), Ordering::Relaxed);
    }

    /// Of every so many calls, less one, one was timed when it began.
    pub(super) fn every(&self) -> u64 {
        self.every.load(Ordering::Relaxed)
    }

    pub(super) fn numbers(&self) -> Option<&'static Numbers> {
        // SAFETY: null, or numbers in memory that stays.
        unsafe { self.numbers.load(Ordering::Relaxed).as_ref() }
    }

    /// The function that was called; 0 if nobody wants its numbers.
    pub(super) fn function(&self) -> usize {
        self.numbers().map_or(0, |numbers| numbers.function() as usize)
    }

    /// The nanoseconds that it took if it ends now, and the numbers that get them; `None` if nobody wants them.
    pub(super) fn took(&self, now: u64) -> Option<(&'static Numbers, u64)> {
        let ticks = now.saturating_sub(self.began.load(Ordering::Relaxed));
        self.numbers().map(|numbers| (numbers, clock::nanoseconds(ticks)))
    }

    pub(super) fn lose(&self) {
        if let Some(numbers) = self.numbers() {
            numbers.lose();
        }
    }

    /// Loses it now, and has whoever ends or loses it later write to numbers that nobody wants.
    pub(super) fn lose_early(&self, unwanted: &'static Numbers) {
        if self.numbers().is_some() {
            self.lose();
            self.numbers.store(core::ptr::from_ref(unwanted).cast_mut(), Ordering::Relaxed);
        }
    }
}
