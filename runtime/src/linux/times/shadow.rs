//! A thread's stacks of calls: one for each stack that its code runs on.
//!
//! The hooks find the calls of the stack that they are on by themselves, as long as it is the one of their last call, and
//! nothing is in doubt. All else comes here.
//!
//! Hooks of `-finstrument-functions` are called from somewhere in a function: a call is known by the place of the return address of
//! the hook at its entry, and several may have the same, as functions that were inlined share a frame. Whatever is
//! below that place has ended. At the exit the stack may be another one (`alloca`); then the frame pointer is the same.
//! Hooks at the very start and end of a function know better (`sleeping`).
//!
//! *Context:* hook.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering, fence};

use gmon_format::live::{Block, Content, Timing};
use gmon_stacks::Event;
use gmon_system::atomic::AtomicU64;
use gmon_system::platform;
use gmon_system::region::Region;

use super::callers::Callers;
use super::choice::{self, Keys};
use super::clock;
use super::numbers::Numbers;
use super::stack::{CALLS, Call, Stack, is_on_threads_own};
use crate::linux::threads;

/// A thread's calls, with the numbers of all functions behind them.
#[repr(C, align(64))]
pub(super) struct Times {
    /// The last call of the stack that the thread is on, and the last for which there is room.
    top: AtomicUsize,
    limit: AtomicUsize,
    /// Addresses of that stack: where return addresses may be. Nothing while it is being looked at.
    low: AtomicUsize,
    high: AtomicUsize,
    /// The functions by selfpc, and what turns a hash into a distance in that table.
    keys: AtomicUsize,
    mask: AtomicUsize,
    scale: AtomicU64,
    /// Ticks from which on hooks leave a call to Rust: those of a long one, or 0 if times are kept by caller.
    long: AtomicU64,
    /// The position of the stack among those known, or where the frame is that looks at them.
    current: AtomicUsize,
    stacks: [Stack; STACKS],
    /// Another thread goes on with one of them, which is a coroutine's.
    is_taken: AtomicBool,
    /// Number of stacks behind which there is none of a coroutine.
    coroutines: AtomicUsize,
    /// Number of functions for which there is room.
    functions: AtomicUsize,
    /// The thread's id.
    thread: AtomicI32,
    /// The era of its calls.
    era: AtomicUsize,
    /// Times of the same thread that were too small, or 0.
    older: AtomicUsize,
    /// Numbers by caller, or 0.
    callers: AtomicUsize,
}

/// `asm/shared.times.S` says where the fields are.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
const _: () = {
    use core::mem::offset_of;
    assert!(offset_of!(Times, top) == 0 && offset_of!(Times, limit) == 8);
    assert!(offset_of!(Times, low) == 16 && offset_of!(Times, high) == 24);
    assert!(offset_of!(Times, keys) == 32 && offset_of!(Times, mask) == 40);
    assert!(offset_of!(Times, scale) == 48 && offset_of!(Times, long) == 56);
};

/// Stacks of a thread that are known at a time.
const STACKS: usize = 256;

/// The numbers of threads that have ended and whose memory others have now.
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// Number of times that functions were switched. Calls of an earlier one may have ended unseen.
static ERA: AtomicUsize = AtomicUsize::new(0);

/// Begins a new era: each thread drops its calls before it looks for one.
pub(super) fn begin_era() {
    ERA.fetch_add(1, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    all().for_each(Times::come_here);
}

/// Begins a new era, and counts the calls that run now: the profile may end before their threads drop them.
pub(super) fn lose_calls() {
    begin_era();
    all().for_each(Times::lose_calls);
}

/// Gives functions that have just come their numbers in every thread.
pub(super) fn begin_keys(keys: &'static Keys) {
    fence(Ordering::SeqCst);
    all().for_each(|times| times.begin(keys));
}

/// Begins a call of a function whose hook is called by it itself, where the hook was in doubt. `slot` is the place of the hook's
/// return address, or, where that is in a register, the stack pointer at its call.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __gmon_times_open(
    return_pc: usize,
    self_pc: usize,
    slot: usize,
    frame: usize,
    hook: usize,
) {
    let Some(keys) = choice::keys() else { return };
    let Some((index, _)) = keys.find(self_pc) else { return };
    let Some(times) = Times::own(keys) else { return };
    times.alone(slot, |stack| {
        let numbers = times.called(index);
        stack.drop_while(|call| call.is_below(slot));
        // A frame comes to a hook again when the call that began there has ended.
        let is_again = |call: &Call| call.is_at(slot) && call.hook.load(Ordering::Relaxed) == hook;
        if let Some(again) = stack.find(slot, frame, is_again) {
            stack.drop_down_to(again);
        }
        let wanted = numbers.is_due().then_some(numbers);
        // Exits would take others' calls if some were missing: so it is the outer ones that are given up.
        if !stack.push_own(slot, return_pc, wanted, [self_pc, hook, frame]) {
            stack.drop_while(|_| true);
            stack.push_own(slot, return_pc, wanted, [self_pc, hook, frame]);
        }
    });
}

/// Ends a call that [`__gmon_times_open`] or the hook itself has begun, where the hook at the exit was in doubt.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __gmon_times_close(
    function: usize,
    return_pc: usize,
    slot: usize,
    frame: usize,
    hook: usize,
) {
    let now = clock::now();
    let Some(keys) = choice::keys().filter(|keys| keys.key_of(function).is_some()) else { return };
    let Some(times) = Times::own(keys) else { return };
    let has_frame = hook != return_pc;
    times.alone(slot, |stack| {
        let is_own = |call: &Call| call.is_of(function, return_pc);
        let own = match has_frame {
            true => {
                stack.drop_while(|call| call.is_below(slot));
                stack.find(slot, frame, is_own)
            }
            // The function has jumped to the hook: what is below has ended, and the outermost of these calls now.
            false => {
                let below = stack.calls().take_while(|call| call.is_below(slot));
                below.filter(|call| is_own(call)).last()
            }
        };
        if let Some(own) = own {
            stack.drop_above(own);
            stack.pop();
            times.end(own, now);
        }
        if !has_frame {
            stack.drop_while(|call| call.is_below(slot));
        }
    });
}

impl Times {
    /// The one at an address.
    pub(super) fn at(address: usize) -> Option<&'static Self> {
        // SAFETY: 0, or what `new` has made, which stays.
        unsafe { (address as *const Self).as_ref() }
    }

    /// The calling thread's, which is made if there is none.
    pub(super) fn own(keys: &'static Keys) -> Option<&'static Self> {
        let (place, thread) = threads::own_times()?;
        let old = place.load(Ordering::Relaxed);
        let known = Self::at(old);
        if known.is_some_and(|times| times.keys.load(Ordering::Relaxed) == keys.table()) {
            return known;
        }
        let Some(times) = Self::new(keys, thread) else { return known };
        times.older.store(old, Ordering::Relaxed);
        // A handler may just have done the same.
        match place.compare_exchange(old, times.address(), Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => {
                fence(Ordering::SeqCst);
                times.begin(choice::keys().unwrap_or(keys));
                known.into_iter().for_each(Self::drop_all);
                Some(times)
            }
            Err(other) => Self::at(other),
        }
    }

    /// Times of a thread: the newest, and those that were too small.
    fn and_older(&'static self) -> impl Iterator<Item = &'static Self> + Clone {
        core::iter::successors(Some(self), |it| Self::at(it.older.load(Ordering::Acquire)))
    }

    /// Ends a call, and notes it by itself if it was long.
    pub(super) fn end(&'static self, call: &Call, now: u64) {
        let Some((numbers, ns)) = call.took(now) else { return };
        let return_pc = call.return_pc.load(Ordering::Relaxed) as u64;
        let own = match self.by_caller(numbers, return_pc) {
            Some(by_caller) => by_caller.with_every(numbers),
            None => numbers,
        };
        own.add(ns, call.every());
        if ns >= Timing::LONG_NS && gmon_stacks::keep_times() {
            // SAFETY: it has no name.
            unsafe { threads::note_event(Event::Call(call.function(), ns)) };
        }
    }

    /// The numbers of a function's calls that return to an address; `None` if they are not told apart, or there is no room.
    fn by_caller(&'static self, of: &Numbers, return_pc: u64) -> Option<&'static Numbers> {
        let function = Some(of.function()).filter(|it| *it != 0)?;
        self.callers()?.of(function, self.thread.load(Ordering::Relaxed), return_pc)
    }

    fn callers(&'static self) -> Option<&'static Callers> {
        Callers::at(self.callers.load(Ordering::Relaxed))
    }

    /// Gives the functions for which there is room their numbers.
    fn begin(&'static self, keys: &'static Keys) {
        let thread = self.thread.load(Ordering::Relaxed);
        for (index, key) in keys.each().take(self.functions.load(Ordering::Relaxed)) {
            self.numbers_at(index).begin(key.start(), thread);
        }
    }

    /// Has hooks come here, which find the calls by themselves otherwise.
    fn come_here(&'static self) {
        self.low.store(0, Ordering::Relaxed);
        self.high.store(0, Ordering::Relaxed);
    }

    fn address(&'static self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Memory for the calls of a thread, and for the numbers of all functions.
    fn new(keys: &'static Keys, thread: i32) -> Option<&'static Self> {
        let functions = keys.room();
        // Behind the numbers that nobody wants, those of all functions, and when each was judged.
        let before = size_of::<Self>() + CALLS + Timing::LEN;
        let len = before + functions * (Timing::LEN + size_of::<u64>());
        let content = Block {
            content: Content::Times,
            len: len as u64,
            entries_at: before as u64,
            entries: functions as u64,
            entry_len: Timing::LEN as u32,
        };
        let region = Region::map_for_process(len, &content)?;
        // SAFETY: zeroed memory of at least its size, aligned, which nobody else knows and which stays; all of it is numbers.
        let times = unsafe { region.base().cast::<Self>().as_ref() };
        times.functions.store(functions, Ordering::Relaxed);
        times.keys.store(keys.table(), Ordering::Relaxed);
        times.mask.store(keys.mask(), Ordering::Relaxed);
        times.scale.store(clock::scale(), Ordering::Relaxed);
        let callers = Callers::new().map_or(0, Callers::address);
        times.callers.store(callers, Ordering::Relaxed);
        let long = if callers == 0 { clock::ticks(Timing::LONG_NS) } else { 0 };
        times.long.store(long, Ordering::Relaxed);
        times.stacks[0].calls.store(times.address() + size_of::<Self>(), Ordering::Relaxed);
        times.thread.store(thread, Ordering::Relaxed);
        times.begin(keys);
        Some(times)
    }

    /// The numbers of all functions, and of their calls by caller. Profiles are written on small stacks, too: so this is no
    /// larger than a position.
    pub(super) fn numbers(&'static self) -> impl Iterator<Item = &'static Numbers> + Clone {
        let functions = self.functions.load(Ordering::Relaxed);
        let all = (1..).map_while(move |index: usize| match index.checked_sub(functions + 1) {
            None => Some(self.numbers_at(index)),
            Some(position) => self.callers()?.pair(position),
        });
        all.filter(|numbers| numbers.function() != 0)
    }

    fn of_functions(&'static self) -> impl Iterator<Item = &'static Numbers> + Clone {
        (1..=self.functions.load(Ordering::Relaxed)).map(|index| self.numbers_at(index))
    }

    /// The numbers of a function; those of 0 nobody wants.
    fn numbers_at(&'static self, index: usize) -> &'static Numbers {
        let is_there = index <= self.functions.load(Ordering::Relaxed);
        let index = if is_there { index } else { 0 };
        let place = self.address() + offset_of_numbers(index);
        // SAFETY: within the memory that `new` has asked for.
        unsafe { &*(place as *const Numbers) }
    }

    /// The numbers of a function of which the hook has just seen a call, judged if it is time to.
    pub(super) fn called(&'static self, index: usize) -> &'static Numbers {
        let numbers = self.numbers_at(index);
        numbers.see();
        if numbers.is_to_be_judged() {
            self.judge(index);
        }
        numbers
    }

    /// Decides which calls of a function are timed from now on.
    fn judge(&'static self, index: usize) {
        let Some(judged) = self.judged(index) else { return };
        let now = clock::now();
        match judged.swap(now, Ordering::Relaxed) {
            0 => {}
            last => self.numbers_at(index).judge(now.wrapping_sub(last)),
        }
    }

    /// Place of the ticks when a function was judged last.
    fn judged(&'static self, index: usize) -> Option<&'static AtomicU64> {
        let functions = self.functions.load(Ordering::Relaxed);
        if index == 0 || index > functions {
            return None;
        }
        let judged =
            self.address() + offset_of_numbers(functions + 1) + (index - 1) * size_of::<u64>();
        // SAFETY: behind the numbers there is one for each function.
        Some(unsafe { &*(judged as *const AtomicU64) })
    }

    /// Does something with the calls of the stack that an address is on, unless a handler has interrupted just that: then it
    /// returns false.
    pub(super) fn alone(&'static self, slot: usize, action: impl FnOnce(&Stack)) -> bool {
        let mark = 0_u8;
        // Above the number of any stack.
        let frame = (&raw const mark).addr();
        let mut current = self.current.load(Ordering::Relaxed);
        while current <= STACKS || self.was_left(current, slot) {
            let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
            match self.current.compare_exchange(current, frame, success, failure) {
                Ok(_) => {
                    self.while_alone(current, slot, action);
                    return true;
                }
                Err(other) => current = other,
            }
        }
        false
    }

    /// Returns `true` if a handler has left the frame that looks at the stacks by a jump, as seen from a call: it would be deeper
    /// if that frame were still there.
    #[cold]
    fn was_left(&'static self, frame: usize, slot: usize) -> bool {
        let is_same = is_on_threads_own(frame) && is_on_threads_own(slot)
            || self.stacks.iter().any(|stack| stack.has(frame) && stack.has(slot));
        slot > frame && is_same && !platform::is_on_signal_stack()
    }

    fn while_alone(&'static self, current: usize, slot: usize, action: impl FnOnce(&Stack)) {
        // From now on hooks of handlers come here, too, and see that it is busy.
        self.come_here();
        core::sync::atomic::compiler_fence(Ordering::SeqCst);
        if let Some(stack) = self.stacks.get(current) {
            let top = self.top.load(Ordering::Relaxed);
            stack.top.store(if top == 0 { stack.first() } else { top }, Ordering::Relaxed);
        }
        if current > STACKS {
            // What was left may be half done.
            self.stacks.iter().for_each(Stack::forget);
        }
        let era = ERA.load(Ordering::Acquire);
        if self.era.swap(era, Ordering::Relaxed) != era {
            self.stacks.iter().for_each(Stack::drop_for_good);
        }
        if self.is_taken.swap(false, Ordering::Acquire) {
            let taken = |stack: &&Stack| stack.is_taken.load(Ordering::Relaxed);
            self.stacks.iter().filter(taken).for_each(Stack::forget);
        }
        let Some((index, stack)) = self.stack_of(slot) else {
            self.top.store(0, Ordering::Relaxed);
            return self.current.store(STACKS, Ordering::Relaxed);
        };
        action(stack);
        self.top.store(stack.top.load(Ordering::Relaxed), Ordering::Relaxed);
        self.limit.store(stack.last(), Ordering::Relaxed);
        core::sync::atomic::compiler_fence(Ordering::SeqCst);
        self.current.store(index, Ordering::Relaxed);
        self.low.store(stack.low.load(Ordering::Relaxed), Ordering::Relaxed);
        self.high.store(stack.high.load(Ordering::Relaxed), Ordering::Relaxed);
        // Whoever begins an era, or takes a stack, has either been seen or sees what was stored.
        fence(Ordering::SeqCst);
        if ERA.load(Ordering::Relaxed) != era || self.is_taken.load(Ordering::Relaxed) {
            self.come_here();
        }
    }

    /// The stack that an address is on, and its position.
    fn stack_of(&'static self, slot: usize) -> Option<(usize, &'static Stack)> {
        let mut all = self.stacks.iter().enumerate();
        let known = all.clone().find(|(_, stack)| stack.has(slot));
        if known.is_some() {
            return known;
        }
        let free = all.clone().find(|(_, stack)| stack.high.load(Ordering::Relaxed) == 0);
        // Coroutines come and go.
        let fresh = free.or_else(|| all.clone().find(|(_, stack)| stack.is_empty()));
        let fresh = fresh.or_else(|| {
            // Too many.
            self.stacks.iter().for_each(Stack::forget);
            all.next()
        });
        fresh.filter(|(index, stack)| self.begin_stack(*index, stack, slot))
    }

    /// Makes a stack that of an address. If it is a coroutine's, other threads have none of its addresses any more: calls that
    /// they know there go on, and end, in this one.
    fn begin_stack(&'static self, index: usize, stack: &Stack, slot: usize) -> bool {
        if is_on_threads_own(slot) {
            return stack.begin(slot, false, &self.stacks, core::iter::empty());
        }
        let places = self.elsewhere().filter_map(|(_, other)| other.of_coroutine());
        let is_begun = stack.begin(slot, true, &self.stacks, places);
        self.coroutines.fetch_max(index + 1, Ordering::Relaxed);
        // Of two threads that begin at one time, one at least sees the other.
        fence(Ordering::SeqCst);
        let Some(own) = stack.of_coroutine() else { return is_begun };
        for (times, other) in self.elsewhere() {
            let meets = |it: Range<usize>| it.start < own.end && own.start < it.end;
            if other.of_coroutine().is_some_and(meets) {
                other.is_taken.store(true, Ordering::Relaxed);
                times.is_taken.store(true, Ordering::Release);
                fence(Ordering::SeqCst);
                times.come_here();
            }
        }
        is_begun
    }

    /// Stacks of other threads that may be coroutines'.
    fn elsewhere(&'static self) -> impl Iterator<Item = (&'static Self, &'static Stack)> + Clone {
        let all = threads::times().filter_map(|place| Self::at(place.load(Ordering::Acquire)));
        all.filter(move |times| !core::ptr::eq(*times, self)).flat_map(|times| {
            let number = times.coroutines.load(Ordering::Relaxed);
            times.stacks.iter().take(number).map(move |stack| (times, stack))
        })
    }

    /// Counts the calls that run as such without an end.
    fn lose_calls(&'static self) {
        let current = self.current.load(Ordering::Relaxed);
        for (index, stack) in self.stacks.iter().enumerate() {
            let top = if index == current { &self.top } else { &stack.top };
            let calls = stack.calls_from(top.load(Ordering::Relaxed));
            calls.for_each(|call| call.lose_early(self.numbers_at(0)));
        }
    }

    /// Drops all calls.
    pub(super) fn drop_all(&'static self) {
        if !self.alone(0, |_| {}) {
            // Whoever is interrupted goes on with them: those of a wrong era are dropped next time.
            self.era.fetch_sub(1, Ordering::Relaxed);
            return self.is_taken.store(true, Ordering::Relaxed);
        }
        self.stacks.iter().for_each(|stack| stack.drop_while(|_| true));
        self.top.store(0, Ordering::Relaxed);
        self.current.store(STACKS, Ordering::Relaxed);
        self.come_here();
    }

    /// Makes it another thread's: what is in it was an ended one's.
    pub(super) fn hand_over(&'static self, keys: &'static Keys, thread: i32) {
        if self.current.load(Ordering::Relaxed) > STACKS {
            // The thread has ended in the middle of it.
            self.stacks.iter().for_each(Stack::forget);
            self.current.store(STACKS, Ordering::Relaxed);
        }
        self.drop_all();
        let functions = |times: &Self| times.functions.load(Ordering::Relaxed);
        let last = ENDED.load(Ordering::Acquire);
        let large = Self::at(last).filter(|ended| functions(ended) >= functions(self));
        let ended = large.or_else(|| {
            let ended = Self::new(keys, 0)?;
            ended.older.store(last, Ordering::Relaxed);
            let own =
                ENDED.compare_exchange(last, ended.address(), Ordering::AcqRel, Ordering::Acquire);
            own.map_or_else(Self::at, |_| Some(ended))
        });
        // Another thread's may have come first, and be too small.
        for (ended, times) in
            ended.into_iter().flat_map(|it| self.and_older().map(move |own| (it, own)))
        {
            times
                .of_functions()
                .zip(ended.of_functions())
                .for_each(|(own, all)| own.pour_into(all));
            for own in times.callers().into_iter().flat_map(Callers::each) {
                let is_of_same = |all: &&Numbers| all.function() == own.function();
                let all = ended.by_caller(own, own.caller());
                let all = all.or_else(|| ended.of_functions().find(is_of_same));
                all.into_iter().for_each(|all| own.pour_into(all));
                own.leave();
            }
        }
        for times in self.and_older() {
            times.thread.store(thread, Ordering::Relaxed);
            // The hook does not see a thread's first call: each would be taken for one after which it is time to judge.
            for index in 1..=times.functions.load(Ordering::Relaxed) {
                times.numbers_at(index).see_none();
                times.judged(index).inspect(|judged| judged.store(0, Ordering::Relaxed));
            }
            times.begin(keys);
        }
    }
}

pub(super) const fn offset_of_numbers(index: usize) -> usize {
    size_of::<Times>() + CALLS + index * Timing::LEN
}

/// Times of all threads, and of those that have ended, with those that came before them.
pub(super) fn all() -> impl Iterator<Item = &'static Times> + Clone {
    let of_threads = threads::times().filter_map(|place| Times::at(place.load(Ordering::Acquire)));
    of_threads.chain(of_ended()).flat_map(Times::and_older)
}

/// Times that ended threads have left.
fn of_ended() -> Option<&'static Times> {
    Times::at(ENDED.load(Ordering::Acquire))
}

/// Notes, in a forked child, that no thread of it has ended.
pub(super) fn forget_ended() {
    ENDED.store(0, Ordering::Release);
}
