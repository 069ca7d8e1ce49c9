//! Looks for modules among the mappings of the process.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gmon_format::mapping::Mapping;
use gmon_system::atomic::{AtomicI64, AtomicU64};
use gmon_system::memory::Memory;
use gmon_system::platform::{self, SECOND};
use gmon_system::region;

use super::super::clock::now;
use super::super::{cache, maps};
use super::candidate::Candidate;
use super::fileless::Found;
use super::index::{find, index, publish};
use super::pause;
use super::record::{MODULES, Module, modules};

/// True if somebody looks at the mappings.
static IS_LOOKING: AtomicBool = AtomicBool::new(false);

/// Number of looks.
static LOOKS: AtomicUsize = AtomicUsize::new(0);

/// When a handler may look again.
static NOT_BEFORE: AtomicI64 = AtomicI64::new(0);

/// Looks for new modules, but not too often where there are none: code that is made at run time is in none. False if somebody else looks
/// and does not end soon, perhaps because this handler has interrupted it.
pub(super) fn look_again() -> bool {
    const PAUSE: i64 = SECOND / 4;
    const PATIENCE: usize = 100;
    let now = platform::uptime();
    if now >= NOT_BEFORE.load(Ordering::Acquire) && begin_look() {
        // Others wait for this one as long as it is not known what it finds.
        NOT_BEFORE.store(now + PAUSE, Ordering::Release);
        if look_alone() {
            // A program that has just loaded a library may go on so.
            NOT_BEFORE.store(now, Ordering::Release);
        }
        return true;
    }
    // Whoever set the time has begun before, and knows more when it has ended.
    (0..PATIENCE).any(|_| {
        let has_looked = !IS_LOOKING.load(Ordering::Acquire);
        if !has_looked {
            platform::yield_cpu();
        }
        has_looked
    })
}

/// Looks once in a second, for a live profile: calls in a library can be counted long before a sample there.
pub(crate) fn look_now_and_then() {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    if !region::has_source() {
        return;
    }
    let now = platform::uptime();
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now + SECOND, Ordering::Relaxed);
        look();
    }
}

/// Looks, even if somebody else just does so: what that one sees may be out of date. Not for a handler, which
/// may have interrupted the other. False if that one does not end.
pub(crate) fn look_now() -> bool {
    const PATIENCE: usize = 1000;
    (0..PATIENCE).any(|_| {
        let has_looked = look();
        if !has_looked {
            platform::sleep_milliseconds(1);
        }
        has_looked
    })
}

/// Looks, unless the loader, which has added so many modules until now, has added none since this was asked last.
pub(crate) fn look_if_added(added: Option<u64>) {
    static KNOWN: AtomicU64 = AtomicU64::new(0);
    let is_known = added.is_some_and(|added| KNOWN.load(Ordering::Acquire) == added);
    if !is_known && look_now() {
        KNOWN.store(added.unwrap_or(0), Ordering::Release);
    }
}

/// Notes that the loader has removed so many modules: those that cannot be read any more, which takes no look at all
/// mappings. False if these are not so many, or somebody looks.
pub(crate) fn note_removed(count: u64) -> bool {
    if !begin_look() {
        return false;
    }
    let look = LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
    let mut memory = Memory::shared();
    let mut is_there =
        |module: &Module| module.loaded == 0 || memory.fill(&mut [0], module.start).is_some();
    let mut gone = 0;
    for module in index() {
        if is_there(module) {
            module.seen.store(look, Ordering::Relaxed);
        } else {
            gone += 1;
        }
    }
    let is_all = gone == count;
    if is_all && retire_unseen(look) {
        renew(MODULES.load(Ordering::Relaxed));
    }
    IS_LOOKING.store(false, Ordering::Release);
    is_all
}

/// Makes the records and the index those of the modules that are mapped now. False if somebody else does.
fn look() -> bool {
    let may_look = begin_look();
    if may_look {
        _ = look_alone();
    }
    may_look
}

/// Returns `true` if nobody else looks, and nobody will until [`look_alone`] has ended.
fn begin_look() -> bool {
    !IS_LOOKING.swap(true, Ordering::Acquire)
}

/// Looks; whether modules have come or gone.
#[inline(never)]
fn look_alone() -> bool {
    let look = LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
    let newest = MODULES.load(Ordering::Relaxed);
    let mut candidate: Option<Candidate> = None;
    let mut latest: Option<&Module> = None;
    let mut has_changed = false;
    let mut made = Found::default();
    let has_looked = maps::each(|mapping| {
        made.take(mapping);
        if candidate.as_mut().is_some_and(|candidate| candidate.takes(mapping))
            || latest.is_some_and(|module| module.has_part(mapping))
        {
            return;
        }
        has_changed |= candidate.take().is_some_and(|candidate| candidate.note(look));
        latest = known(mapping);
        match latest {
            Some(module) => module.seen.store(look, Ordering::Relaxed),
            None => candidate = Candidate::new(mapping),
        }
    });
    has_changed |= candidate.is_some_and(|candidate| candidate.note(look));
    if has_looked {
        made.publish();
        has_changed |= retire_unseen(look);
    }
    if has_changed {
        renew(newest);
    }
    index().for_each(|module| module.tell());
    IS_LOOKING.store(false, Ordering::Release);
    has_changed
}

/// Notes that modules which a look has not seen were unloaded; whether there are any.
fn retire_unseen(look: usize) -> bool {
    let mut is_any = false;
    for module in index().filter(|module| module.seen.load(Ordering::Relaxed) != look) {
        module.unloaded.store(now().max(1), Ordering::Relaxed);
        // Before anything else can be mapped there: memory for the index, to begin with.
        module.reserve();
        is_any = true;
    }
    is_any
}

/// Makes the index that of the modules that are mapped now, some of them found after `newest`.
fn renew(newest: *mut Module) {
    publish(newest);
    cache::clear();
}

/// The module that begins with a mapping, if it is known. Most looks find nothing else, and its headers say no more.
fn known(mapping: &Mapping<'_>) -> Option<&'static Module> {
    let start = mapping.here().start;
    let module = find(start).filter(|module| module.start == start)?;
    (module.offset == mapping.offset && module.has_file_of(mapping)).then_some(module)
}

/// Notes, in a forked child, that the file of a live profile has no modules yet, and that no thread looks for some, or
/// unloads any: those that did stayed in the parent.
pub(crate) fn forget() {
    IS_LOOKING.store(false, Ordering::Release);
    pause::forget();
    modules().for_each(|module| module.is_told.store(false, Ordering::Relaxed));
}
