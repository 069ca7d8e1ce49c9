//! Memory that is there before anybody asks for it: most programs are small, and for them each mapping
//! and each page that is touched takes a good part of the time that the runtime needs.
//!
//! There are two reserves. A few bytes that stay in forked children come from the runtime's own data,
//! and memory of the profile from one mapping that a forked child finds zeroed. What is larger than
//! what is left is mapped by [`Region`]. Nothing is ever given back.
//!
//! *Context:* any; `begin` startup or hook.

use core::cell::UnsafeCell;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::linux::platform;
use crate::linux::region::Region;

/// A reserve whose pieces are taken by one atomic addition.
struct Reserve {
    /// Null while there is none.
    base: AtomicPtr<u8>,
    used: AtomicUsize,
    len: usize,
}

impl Reserve {
    const fn new(base: *mut u8, len: usize) -> Self {
        Self { base: AtomicPtr::new(base), used: AtomicUsize::new(0), len }
    }

    fn take(&self, len: usize) -> Option<NonNull<u8>> {
        let base = NonNull::new(self.base.load(Ordering::Acquire))?;
        let whole = len.checked_next_multiple_of(Region::ALIGNMENT)?;
        let fits = |used: usize| used.checked_add(whole).filter(|end| *end <= self.len);
        let used = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        // SAFETY: `used + len` is at most the length of the memory at `base`.
        Some(unsafe { base.add(used) })
    }
}

/// Bytes in the runtime's own data.
#[repr(C, align(64))]
struct Few(UnsafeCell<[u8; FEW]>);
const FEW: usize = 1024;
const _: () = assert!(align_of::<Few>() == Region::ALIGNMENT);

// SAFETY: the bytes are only used by those who take them, each their own.
unsafe impl Sync for Few {}

static FEW_BYTES: Few = Few(UnsafeCell::new([0; FEW]));
static KEPT: Reserve = Reserve::new(FEW_BYTES.0.get().cast(), FEW);

/// The mapping for the profile: enough for the tables and the histogram of a small program. Whole
/// pages of every size that Linux has.
pub const LEN: usize = 256 * 1024;
static WIPED: Reserve = Reserve::new(null_mut(), LEN);

/// Maps the reserve for the profile, at an address of the caller's choice if that is free.
pub fn begin(address: usize) {
    if let Some(base) = platform::map_at(address, LEN).or_else(|| platform::map(LEN)) {
        // SAFETY: mapped just now, and the docs of the functions that hand it out say that a child finds zeros.
        unsafe { platform::wipe_on_fork(base, LEN) };
        WIPED.base.store(base, Ordering::Release);
    }
}

/// Takes memory that stays as it is in a forked child. Only a few bytes are given at a time.
pub fn take_few(len: usize) -> Option<NonNull<u8>> {
    if len <= FEW / 4 { KEPT.take(len) } else { None }
}

/// Takes memory that a forked child finds zeroed.
pub fn take_wiped(len: usize) -> Option<NonNull<u8>> {
    WIPED.take(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_aligned_and_within_the_reserve() {
        static BYTES: Few = Few(UnsafeCell::new([0; FEW]));
        let reserve = Reserve::new(BYTES.0.get().cast(), FEW);
        let first = BYTES.0.get() as usize;
        let mut end = first;
        for len in [1, 64, 65, 200, 0, 300] {
            let piece = reserve.take(len).unwrap().as_ptr() as usize;
            assert!(piece >= end && piece % Region::ALIGNMENT == 0);
            end = piece + len;
        }
        assert!(end <= first + FEW && reserve.take(FEW).is_none());
        assert!(reserve.take(usize::MAX).is_none() && reserve.take(1).is_some());
        assert!(Reserve::new(null_mut(), FEW).take(1).is_none());
    }
}
