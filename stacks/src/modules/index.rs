//! The modules that are mapped now, by their addresses.
//!
//! *Context:* any.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::record::{Module, modules, take};

/// Modules that are mapped, by their addresses.
struct Index {
    len: usize,
    first: *const Place,
}

/// A module's addresses beside those of its neighbours: a search needs few lines of the processor's cache.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    module: &'static Module,
}

static INDEX: AtomicPtr<Index> = AtomicPtr::new(null_mut());

/// Returns `true` if an address lies in a module.
pub(crate) fn has(address: usize) -> bool {
    find(address).is_some()
}

/// Returns `true` of an address in a module that stays as long as the process.
pub(crate) fn stays(address: usize) -> bool {
    find(address).is_some_and(|module| module.loaded == 0)
}

/// A number that another list of modules has not. That of a forked child goes on from its parent's.
pub(crate) fn moment() -> usize {
    INDEX.load(Ordering::Acquire).addr()
}

pub(super) fn find(address: usize) -> Option<&'static Module> {
    let places = places();
    let behind = places.partition_point(|place| place.start <= address);
    let place = places.get(behind.checked_sub(1)?)?;
    (address < place.end).then_some(place.module)
}

/// The modules.
pub(super) fn index() -> impl Iterator<Item = &'static Module> + Clone {
    places().iter().map(|place| place.module)
}

fn places() -> &'static [Place] {
    // SAFETY: null, or what `publish` stored: so many places, which stay.
    unsafe {
        let index = INDEX.load(Ordering::Acquire).as_ref();
        index.map_or(&[], |index| core::slice::from_raw_parts(index.first, index.len))
    }
}

/// Makes the index anew, of what it had that is still mapped, and the modules that were found after `newest`. The
/// old one may be in use and stays.
pub(super) fn publish(newest: *mut Module) {
    let is_mapped = |module: &&'static Module| module.unloaded.load(Ordering::Relaxed) == 0;
    let found = modules().take_while(|module| !core::ptr::eq(*module, newest));
    let mapped = || found.clone().chain(index()).filter(is_mapped);
    let count = mapped().count();
    let size = size_of::<Index>() + count * size_of::<Place>();
    let Some(memory) = take(size) else { return };
    let Some((place, list)) = memory.split_at_mut_checked(size_of::<Index>()) else { return };
    let first = list.as_mut_ptr().cast::<Place>();
    let mut len = 0;
    // The sorts of the standard library can panic.
    for module in mapped().take(count) {
        // SAFETY: so many were written, and nobody else knows of them.
        let sorted = unsafe { core::slice::from_raw_parts(first, len) };
        let at = sorted.partition_point(|other| other.start < module.start);
        // SAFETY: there is room for `count`, aligned as the index is, of which `len` are taken.
        unsafe {
            first.add(at).copy_to(first.add(at + 1), len - at);
            first.add(at).write(Place { start: module.start, end: module.end, module });
        }
        len += 1;
    }
    let place = place.as_mut_ptr().cast::<Index>();
    // SAFETY: the memory is the index's alone, as large as it is, and aligned to 64.
    unsafe { place.write(Index { len, first }) };
    INDEX.store(place, Ordering::Release);
}
