//! Rules that were looked up before, by the address of the code.
//!
//! One cache for the process. An entry is the rule and the address mixed with the rule; both are stored
//! and loaded by themselves, and halves of two entries do not fit each other. So there is no lock, and
//! nothing that a handler could leave half done.
//!
//! *Context:* signal; `begin` startup or hook.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use gmon_system::atomic::AtomicU64;
use gmon_system::region::Region;
use gmon_unwind::Packed;

/// Number of entries. Pages are there when touched.
const LEN: usize = 16_384;

#[repr(C)]
struct Entry {
    mixed: AtomicU64,
    rule: AtomicU64,
}

static ENTRIES: AtomicPtr<[Entry; LEN]> = AtomicPtr::new(null_mut());

/// A number that is mixed into all entries; another makes them invalid. It changes by one that has bits everywhere.
static EPOCH: AtomicU64 = AtomicU64::new(0);
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes the cache. Without memory for it everything is looked up each time.
pub(super) fn begin() {
    if entries().is_none() {
        if let Some(region) = Region::map(size_of::<[Entry; LEN]>()) {
            ENTRIES.store(region.base().as_ptr().cast(), Ordering::Release);
        }
    }
}

/// The rule for an address.
pub(super) fn get(pc: usize) -> Option<Packed> {
    let entry = entry(pc)?;
    let rule = entry.rule.load(Ordering::Relaxed);
    let mixed = entry.mixed.load(Ordering::Relaxed);
    (rule != 0 && mixed == mix(pc, rule, epoch())).then_some(Packed(rule))
}

/// A moment of the cache's knowledge.
#[derive(Clone, Copy)]
pub(super) struct Epoch(u64);

/// The present moment. A rule that is looked up after this is remembered as of it.
pub(super) fn epoch() -> Epoch {
    Epoch(EPOCH.load(Ordering::Acquire))
}

/// Remembers the rule for an address. If everything was forgotten since it began to be looked up, nobody will find it.
pub(super) fn put(pc: usize, rule: Packed, epoch: Epoch) {
    if let Some(entry) = entry(pc) {
        entry.mixed.store(mix(pc, rule.0, epoch), Ordering::Relaxed);
        entry.rule.store(rule.0, Ordering::Relaxed);
    }
}

/// Forgets everything: other code lies at some address.
pub(super) fn clear() {
    EPOCH.fetch_add(ODD, Ordering::Release);
}

fn mix(pc: usize, rule: u64, epoch: Epoch) -> u64 {
    pc as u64 ^ rule ^ epoch.0
}

fn entry(pc: usize) -> Option<&'static Entry> {
    // Neighbouring calls are some bytes apart.
    let hash = (pc as u64).wrapping_mul(ODD) >> 50;
    entries()?.get(hash as usize % LEN)
}

fn entries() -> Option<&'static [Entry; LEN]> {
    // SAFETY: null, or memory of that size that stays mapped, aligned to 64; zero is a free entry.
    unsafe { ENTRIES.load(Ordering::Acquire).as_ref() }
}

#[cfg(test)]
mod tests {
    use gmon_unwind::{Native, Rule};

    use super::*;

    /// A rule that was looked up while the list of modules changed may be wrong, and must not last.
    #[test]
    fn rules_that_were_looked_up_before_all_was_forgotten_are_not_found() {
        begin();
        let (pc, rule) = (0x1234_5678, Rule::None.pack::<Native>());
        let early = epoch();
        clear();
        put(pc, rule, early);
        assert!(get(pc).is_none());
        put(pc, rule, epoch());
        assert!(get(pc).is_some_and(|found| found == rule));
        clear();
        assert!(get(pc).is_none());
    }
}
