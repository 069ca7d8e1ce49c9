//! Counts calls by hand, so that an example can tell what its profile must say.

#![no_std]

use core::fmt::{self, Display, Formatter};
use core::sync::atomic::{AtomicU64, Ordering};

/// The calls of one function.
pub struct Counter {
    name: &'static str,
    calls: AtomicU64,
}

impl Counter {
    /// A counter for the function of this name, with its path.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, calls: AtomicU64::new(0) }
    }

    /// Counts a call.
    #[inline(always)]
    pub fn add(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// All calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
}

/// `calls NUMBER NAME`, a line for whoever compares.
impl Display for Counter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "calls {} {}", self.calls(), self.name)
    }
}
