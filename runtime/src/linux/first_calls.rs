//! The order in which functions were first called: from it a linker can put together what runs together.
//!
//! Only a call along a new arc comes here, so a hit costs what it always does. The list is kept if the user asks for it.
//! A function that is called from several places, or by several threads, stands in it several times: readers take the
//! first. Calls before the profile starts are not in it; nor are those that come when it is full.
//!
//! *Context:* hook, signal; `each` exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::{Block, Content};
use gmon_system::region::Region;

use crate::linux::options::Options;

/// Entries of a list. Pages without entries are never touched.
const CAPACITY: usize = 1 << 18;

#[repr(C)]
struct List {
    /// The number of calls that came, of which the first have an entry.
    len: AtomicUsize,
    /// Addresses in the functions; 0 where none was written yet.
    entries: [AtomicUsize; CAPACITY],
}

static LIST: AtomicPtr<List> = AtomicPtr::new(null_mut());

/// Appends the function at an address to the list, if there is one.
#[cold]
pub(crate) fn append(self_pc: usize) {
    if !Options::get().order {
        return;
    }
    let Some(list) = list().or_else(make) else { return };
    if let Some(entry) = list.entries.get(list.len.fetch_add(1, Ordering::Relaxed)) {
        entry.store(self_pc, Ordering::Relaxed);
    }
}

/// The addresses in the list, in the order in which they came.
pub(crate) fn each() -> impl Iterator<Item = usize> + Clone {
    let entries = list().map_or(&[][..], |list| {
        let len = list.len.load(Ordering::Relaxed).min(CAPACITY);
        &list.entries[..len]
    });
    entries.iter().map(|entry| entry.load(Ordering::Relaxed)).filter(|pc| *pc != 0)
}

/// Begins again in a forked child, whose list was wiped or is the parent's.
pub(crate) fn forget() {
    LIST.store(null_mut(), Ordering::Release);
}

fn list() -> Option<&'static List> {
    // SAFETY: null, or what `make` published: a list that stays mapped for ever, all of whose fields are atomic.
    unsafe { LIST.load(Ordering::Acquire).as_ref() }
}

/// Makes the list, unless another thread does so first; `None` without memory.
fn make() -> Option<&'static List> {
    let content = Block {
        content: Content::FirstCalls,
        len: size_of::<List>() as u64,
        entries_at: size_of::<AtomicUsize>() as u64,
        entries: CAPACITY as u64,
        entry_len: size_of::<AtomicUsize>() as u32,
    };
    let region = Region::map_for_process(size_of::<List>(), &content)?;
    let new = region.base().cast::<List>().as_ptr();
    if LIST.compare_exchange(null_mut(), new, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        // SAFETY: the address was not published, so nobody else knows it.
        unsafe { region.unmap() };
    }
    list()
}
