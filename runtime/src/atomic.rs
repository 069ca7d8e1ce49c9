//! 64-bit atomic numbers, also where the compiler has none though the processor does: on 32-bit SPARC.
//!
//! *Context:* any.

#[cfg(target_has_atomic = "64")]
pub(crate) use core::sync::atomic::{AtomicI64, AtomicU64};

#[cfg(not(target_has_atomic = "64"))]
pub(crate) use by_stubs::{AtomicI64, AtomicU64};

#[cfg(not(target_has_atomic = "64"))]
mod by_stubs {
    use core::cell::UnsafeCell;
    use core::sync::atomic::Ordering;

    use crate::arch::{compare_exchange_64, load_64};

    /// The standard library's functions, as far as they are used. Every one orders as the strictest
    /// does: a stub is a call, which the compiler moves nothing across, and SPARC's Linux runs with
    /// total store order.
    macro_rules! atomic {
        ($name:ident, $number:ty) => {
            #[repr(C, align(8))]
            pub(crate) struct $name(UnsafeCell<$number>);

            // SAFETY: the number is only read and changed at once, by the stubs.
            unsafe impl Sync for $name {}

            #[allow(dead_code, reason = "not each of both is used")]
            impl $name {
                pub(crate) const fn new(value: $number) -> Self {
                    Self(UnsafeCell::new(value))
                }

                pub(crate) fn load(&self, _: Ordering) -> $number {
                    // SAFETY: an aligned number that stays as long as `self`.
                    unsafe { load_64(self.0.get().cast()) as $number }
                }

                pub(crate) fn store(&self, value: $number, order: Ordering) {
                    self.swap(value, order);
                }

                pub(crate) fn swap(&self, value: $number, _: Ordering) -> $number {
                    self.update(|_| value)
                }

                pub(crate) fn fetch_add(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.wrapping_add(value))
                }

                pub(crate) fn fetch_sub(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.wrapping_sub(value))
                }

                pub(crate) fn fetch_or(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old | value)
                }

                pub(crate) fn fetch_max(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.max(value))
                }

                pub(crate) fn compare_exchange(
                    &self,
                    old: $number,
                    new: $number,
                    _: Ordering,
                    _: Ordering,
                ) -> Result<$number, $number> {
                    // SAFETY: an aligned number that stays as long as `self`, changed by this stub alone.
                    let found =
                        unsafe { compare_exchange_64(self.0.get().cast(), old as u64, new as u64) }
                            as $number;
                    if found == old { Ok(found) } else { Err(found) }
                }

                fn update(&self, new: impl Fn($number) -> $number) -> $number {
                    const ANY: Ordering = Ordering::Relaxed;
                    let mut old = self.load(ANY);
                    while let Err(found) = self.compare_exchange(old, new(old), ANY, ANY) {
                        old = found;
                    }
                    old
                }
            }
        };
    }

    atomic!(AtomicU64, u64);
    atomic!(AtomicI64, i64);
}
