//! Why stacks could not be followed to their start, and how much of what was sampled that concerns.
//!
//! *Context:* signal; reading also exit.

use core::sync::atomic::Ordering;

use gmon_format::live::Label;
use gmon_system::atomic::AtomicU64;

/// Counts of stacks that could not be followed, by labels.
static COUNTS: [AtomicU64; LABELS] = [const { AtomicU64::new(0) }; LABELS];
const LABELS: usize = Label::Thread as usize;

/// Notes that a stack is not complete.
pub(super) fn note(label: Label, weight: u64) {
    if let Some(count) = COUNTS.get(label as usize) {
        count.fetch_add(weight, Ordering::Relaxed);
    }
}

/// Why stacks are not complete, and what those count.
pub(super) fn reasons() -> impl Iterator<Item = (&'static str, u64)> {
    let count = |label: Label| COUNTS.get(label as usize).map(|n| n.load(Ordering::Relaxed));
    let counts = Label::reasons().map(move |label| (label.reason(), count(label).unwrap_or(0)));
    counts.filter_map(|(reason, weight)| Some((reason?, weight))).filter(|(_, weight)| *weight != 0)
}

/// Forgets why stacks were not complete.
pub(super) fn forget() {
    COUNTS.iter().for_each(|count| count.store(0, Ordering::Relaxed));
}
