//! Every thread's table: made at its first call, kept when it ends, handed to a later thread.
//!
//! The list only grows at its head. A record whose thread has ended is taken over by the next
//! thread that needs one, counts and all, so the memory follows the number of threads that live at
//! the same time and not the number ever started.
//!
//! *Context:* hook, signal; `arcs` and `reset` exit.

use core::mem::offset_of;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use gmon_stacks::{Event, MarkSeat};
use gmon_system::atomic::AtomicU64;
use gmon_system::region::Region;
use gmon_system::signal_stack::SignalStack;
use gmon_system::{arch, platform};

use crate::arcs::{Full, SharedTable, Table};
use crate::counted::Counted;
use crate::linux::{first_calls, sampler, times};

/// A thread that counted calls.
#[repr(C, align(64))]
struct Thread {
    /// Its kernel thread id.
    tid: AtomicI32,
    /// Its times of calls, or 0.
    times: AtomicUsize,
    /// Address of its newest table; the older ones hang on it.
    newest: AtomicUsize,
    /// Its stack for signal handlers.
    signal_stack: SignalStack,
    /// True if it has come to a hook.
    is_met: AtomicBool,
    /// Its marks.
    marks: MarkSeat,
    /// The thread that came before it.
    next: AtomicPtr<Thread>,
}

/// `asm/x86_64/hooks.S` knows where the field is.
const _: () = assert!(cfg!(not(target_arch = "x86_64")) || offset_of!(Thread, times) == 8);

/// The thread that came last.
static THREADS: AtomicPtr<Thread> = AtomicPtr::new(null_mut());

/// Place at which the search for an ended thread goes on.
static HAND: AtomicPtr<Thread> = AtomicPtr::new(null_mut());

/// Calls counted before threads have tables, where they cannot have any, or when there is no memory
/// for one.
#[cfg_attr(not(test), unsafe(link_section = ".bss.gmon_shared"))]
static SHARED: SharedTable = SharedTable::new();

/// Address of the table that succeeded [`SHARED`]; 0 if there is none.
static SHARED_NEWEST: AtomicUsize = AtomicUsize::new(0);

/// Calls that could not be counted at all.
static LOST: AtomicU64 = AtomicU64::new(0);

/// Enough for most threads, so that no call meets the collisions of a small table; pages that
/// nothing hashes to are never touched.
const FIRST_CAPACITY: usize = 512;

/// Counter of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// A hook in the function that is called.
    Hook,
    /// The stub of a library's function. Code that has no hooks calls by stubs, too: it must find its thread as it
    /// would be without a profile, with the signal stack that it brings itself or none.
    Stub,
}

/// Counts a call in the calling thread's table. `by` is asked until the thread has come to a hook, as the answer makes no
/// difference later.
pub(crate) fn count(from_pc: usize, self_pc: usize, by: impl FnOnce() -> By) {
    let own = own();
    let is_met = |table: Table| Thread::of(table).is_none_or(Thread::is_met);
    let mut table = match own {
        Some(table) if is_met(table) => own,
        _ => match by() {
            By::Stub if own.is_some() => own,
            by => adopt(by),
        },
    };
    while let Some(current) = table {
        match current.add(from_pc, self_pc, 1) {
            Ok(is_new) => return note(is_new, from_pc, self_pc),
            Err(Full) => table = grow(current),
        }
    }
    count_shared(from_pc, self_pc);
}

/// Notes a call along an arc that a table did not know.
fn note(is_new: bool, from_pc: usize, self_pc: usize) {
    if is_new && !Counted::of_entry(from_pc, self_pc, 0).is_block() {
        first_calls::append(self_pc);
    }
}

/// Notes an event that the program tells of the calling thread.
///
/// # Safety
/// As [`MarkSeat::note`].
pub(crate) unsafe fn note_event(event: Event) {
    let table = own().or_else(|| adopt(By::Stub));
    if let Some(thread) = table.and_then(Thread::of) {
        // SAFETY: the caller's promise.
        unsafe { thread.marks.note(event, thread.tid.load(Ordering::Relaxed)) };
    }
}

/// Place of the address of the calling thread's times of calls is, and its kernel id.
pub(crate) fn own_times() -> Option<(&'static AtomicUsize, i32)> {
    let table = own().or_else(|| adopt(By::Hook))?;
    let thread = Thread::of(table)?;
    Some((&thread.times, thread.tid.load(Ordering::Relaxed)))
}

/// Places of the addresses of all threads' times of calls are.
pub(crate) fn times() -> impl Iterator<Item = &'static AtomicUsize> + Clone {
    threads().map(|thread| &thread.times)
}

/// The calling thread's table.
fn own() -> Option<Table> {
    // SAFETY: only `adopt` and `grow` set the word, to addresses of tables.
    arch::table_word().and_then(|word| unsafe { Table::from_address(word) })
}

/// Counts a call in the table that all threads share.
pub(crate) fn count_shared(from_pc: usize, self_pc: usize) {
    let mut table = Some(shared());
    while let Some(current) = table {
        match current.add(from_pc, self_pc, 1) {
            Ok(is_new) => return note(is_new, from_pc, self_pc),
            Err(Full) => table = succeed(current, &SHARED_NEWEST),
        }
    }
    // There is no memory for another.
    if shared().add_to_last(from_pc, self_pc, 1).is_err() {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts a call while no table but the program's own may be used.
pub(crate) fn count_early(from_pc: usize, self_pc: usize) {
    if SHARED.table().add(from_pc, self_pc, 1).is_err() {
        count_shared(from_pc, self_pc);
    }
}

/// Makes a new table the shared one, where the memory of the profile is now.
pub(crate) fn renew_shared() {
    succeed(shared(), &SHARED_NEWEST);
}

/// Moves all counts of older shared tables to the newest.
pub(crate) fn gather_shared() {
    let newest = shared();
    let older = core::iter::successors(newest.older(), |table| table.older());
    older.filter(|table| table.used() != 0).for_each(|table| table.pour_into(newest));
}

/// The counts of all tables, in no order and with repetitions.
pub(crate) fn counts() -> impl Iterator<Item = Counted> {
    tables().flat_map(Table::counts)
}

/// The number of counts that [`counts`] gives, or a few more.
pub(crate) fn used() -> usize {
    tables().map(Table::used).sum()
}

/// Returns `true` if no call was counted.
pub(crate) fn is_empty() -> bool {
    counts().next().is_none()
}

/// Calls that could not be counted because there was no memory, since it was asked last.
pub(crate) fn take_lost() -> u64 {
    LOST.swap(0, Ordering::Relaxed)
}

/// Begins again in a forked child: there is one thread, the caller, and it has no table. The memory
/// of the parent's tables was wiped, or is left alone.
pub(crate) fn forget() {
    THREADS.store(null_mut(), Ordering::Release);
    HAND.store(null_mut(), Ordering::Release);
    SHARED_NEWEST.store(0, Ordering::Release);
    arch::clear_table_word();
    reset();
}

/// Sets all counts to zero. Exact for threads that are not inside a hook meanwhile.
pub(crate) fn reset() {
    tables().for_each(Table::reset);
    LOST.store(0, Ordering::Relaxed);
}

fn tables() -> impl Iterator<Item = Table> {
    threads()
        .filter_map(Thread::newest)
        .chain(Some(shared()).filter(|table| table.used() != 0 || table.older().is_some()))
        .flat_map(|newest| core::iter::successors(Some(newest), |table| table.older()))
}

/// The table that all threads share, the newest of its line.
fn shared() -> Table {
    // SAFETY: `succeed` stores nothing but addresses of tables, `forget` zero.
    let newest = unsafe { Table::from_address(SHARED_NEWEST.load(Ordering::Acquire)) };
    newest.unwrap_or_else(|| SHARED.table())
}

fn threads() -> impl Iterator<Item = &'static Thread> + Clone {
    core::iter::successors(Thread::at(&THREADS), |thread| Thread::at(&thread.next))
}

impl Thread {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: THREADS, HAND and `next` hold null or what `create` published: records that stay
        // mapped for ever.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    /// The thread that a table was made for. None if the table was wiped while a handler forked.
    fn of(table: Table) -> Option<&'static Self> {
        // SAFETY: 0, or `create` made it the address of the record, which stays mapped for ever.
        unsafe { (table.owner() as *const Self).as_ref() }
    }

    fn newest(&self) -> Option<Table> {
        // SAFETY: `create` and `grow` store nothing but addresses of tables.
        unsafe { Table::from_address(self.newest.load(Ordering::Acquire)) }
    }

    fn is_met(&self) -> bool {
        self.is_met.load(Ordering::Relaxed)
    }

    /// Makes it the calling thread's, if `tid` is still what it was.
    fn take(&self, from: i32, to: i32) -> bool {
        self.tid.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

/// Gives the calling thread a table, if it has none: an ended thread's or a new one. At a hook also a stack for signals, and
/// from then on samples.
///
/// A handler of SIGTRAP may do the same in the middle of it. Then one of the two tables stays in the
/// list with what it counted and is never written again.
#[cold]
fn adopt(by: By) -> Option<Table> {
    // The thread may be on a coroutine's stack, which has room for our frames and for no signal's.
    let table = platform::without_interruptions(|| {
        // A handler may just have done the same.
        let table = own().or_else(new_table)?;
        let thread = Thread::of(table)?;
        if by == By::Hook && !thread.is_met.swap(true, Ordering::Relaxed) {
            thread.signal_stack.provide();
        }
        Some(table)
    })?;
    if by == By::Hook {
        sampler::enter_thread();
    }
    Some(table)
}

fn new_table() -> Option<Table> {
    let tid = platform::thread_id();
    let table = take_over(tid).or_else(|| create(tid))?;
    arch::set_table_word(table.address());
    Some(table)
}

/// Looks at a few records, going on where the last search ended: cheap for each thread, and
/// sooner or later every ended thread's record is found.
fn take_over(tid: i32) -> Option<Table> {
    const TRIES: usize = 4;
    for _ in 0..TRIES {
        let thread = Thread::at(&HAND).or_else(|| Thread::at(&THREADS))?;
        HAND.store(thread.next.load(Ordering::Acquire), Ordering::Release);
        let owner = thread.tid.load(Ordering::Acquire);
        // A record with the caller's own id belonged to an ended thread whose id was used again.
        let free = owner == tid || !platform::thread_lives(owner);
        if free && thread.take(owner, tid) {
            thread.is_met.store(false, Ordering::Relaxed);
            times::hand_over(thread.times.load(Ordering::Relaxed), tid);
            return thread.newest();
        }
    }
    None
}

fn create(tid: i32) -> Option<Table> {
    const RECORD: usize = size_of::<Thread>();
    const SIZE: usize = RECORD + Table::size(FIRST_CAPACITY);
    let region = Region::map_for_process(SIZE, &Table::content(RECORD, FIRST_CAPACITY))?;
    let memory = region.base();
    // SAFETY: inside the fresh memory; 64-byte aligned because region and record are; exactly
    // `size(FIRST_CAPACITY)` bytes remain, zeroed and known to nobody, and are never unmapped.
    let table = unsafe { Table::new(memory.add(RECORD), FIRST_CAPACITY, memory.as_ptr() as usize) };
    let thread = region.place(Thread {
        tid: AtomicI32::new(tid),
        times: AtomicUsize::new(0),
        newest: AtomicUsize::new(table.address()),
        signal_stack: SignalStack::new(),
        is_met: AtomicBool::new(false),
        marks: MarkSeat::new(),
        next: AtomicPtr::new(null_mut()),
    });
    let mut head = THREADS.load(Ordering::Relaxed);
    loop {
        thread.next.store(head, Ordering::Relaxed);
        let node = core::ptr::from_ref(thread).cast_mut();
        match THREADS.compare_exchange_weak(head, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return Some(table),
            Err(newer) => head = newer,
        }
    }
}

/// Gives the calling thread a larger table than `full`, unless a handler did so meanwhile.
#[cold]
fn grow(full: Table) -> Option<Table> {
    let larger = succeed(full, &Thread::of(full)?.newest)?;
    arch::set_table_word(larger.address());
    Some(larger)
}

/// Makes a larger table than `full` and notes it as the newest, unless another one is already, which
/// is then returned; `None` without memory.
fn succeed(full: Table, newest: &AtomicUsize) -> Option<Table> {
    let noted = newest.load(Ordering::Acquire);
    // SAFETY: zero, or the address of a table that `create` or this function noted.
    let table = unsafe { Table::from_address(noted) };
    if table.is_some_and(|table| table != full) {
        return table;
    }
    let (larger, region) = full.successor()?;
    match newest.compare_exchange(noted, larger.address(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            full.leave();
            Some(larger)
        }
        Err(newer) => {
            // SAFETY: the table was not published, so nobody knows an address in the region.
            unsafe { region.unmap() };
            // SAFETY: whoever was faster has noted a table, here or in `create`.
            unsafe { Table::from_address(newer) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls counted of one function, whoever called it.
    fn calls(of: usize) -> u64 {
        counts().filter(|counted| counted.key().1 == of).map(|counted| counted.count).sum()
    }

    #[test]
    fn calls_of_ended_and_living_threads_are_all_there() {
        const THREADS: usize = 300;
        const ARCS: usize = 1_000;
        for _ in 0..THREADS / 3 {
            let three = [0; 3].map(|_| {
                std::thread::spawn(|| {
                    for from_pc in 0..ARCS {
                        count(from_pc, 0x7001, || By::Hook);
                        count(from_pc, 0x7001, || By::Hook);
                    }
                })
            });
            three.into_iter().for_each(|thread| thread.join().unwrap());
        }
        assert_eq!(calls(0x7001), (THREADS * ARCS * 2) as u64);
    }

    #[test]
    fn table_grows_without_forgetting() {
        for from_pc in 0..100_000 {
            count(from_pc, 0x7002, || By::Stub);
        }
        assert_eq!(calls(0x7002), 100_000);
    }

    #[test]
    fn shared_table_grows_while_all_count_in_it() {
        const THREADS: usize = 4;
        const ARCS: usize = 20_000;
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| (0..ARCS).for_each(|from_pc| count_shared(from_pc, 0x7004)));
            }
        });
        assert_eq!(calls(0x7004), (THREADS * ARCS) as u64);
    }

    #[test]
    fn records_of_ended_threads_are_used_again() {
        let before = threads().count();
        for _ in 0..200 {
            std::thread::spawn(|| count(1, 0x7003, || By::Hook)).join().unwrap();
        }
        assert_eq!(calls(0x7003), 200);
        // Other tests' threads may come in between; far fewer records than threads will do.
        assert!(threads().count() - before < 100);
    }
}
