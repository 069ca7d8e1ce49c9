//! Atomic numbers, also where the processor has no instructions for them:
//!
//! * 64-bit ones on 32-bit SPARC, where the processor has them but the compiler does not (`by_stubs`);
//! * 64-bit ones on Cortex-M and 32-bit RISC-V (`by_halves`);
//! * all that change on Cortex-M of V6-M and RISC-V without the extension A (`by_masks`).
//!
//! *Context:* any.

#[cfg(target_has_atomic = "64")]
pub use core::sync::atomic::{AtomicI64, AtomicU64};

#[cfg(target_arch = "sparc")]
pub use by_stubs::{AtomicI64, AtomicU64};

#[cfg(all(target_os = "none", not(target_has_atomic = "64")))]
pub use by_halves::AtomicU64;

#[cfg(target_has_atomic = "ptr")]
#[allow(unused_imports, reason = "not each of all is used on every system")]
pub use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};

#[cfg(not(target_has_atomic = "ptr"))]
pub use by_masks::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};

/// Numbers that change while interrupts are disabled. There is one core, and code without privileges, which cannot
/// disable them, must not get here.
#[cfg(not(target_has_atomic = "ptr"))]
#[allow(missing_docs, reason = "the standard library\'s")]
mod by_masks {
    use core::ops::Deref;
    use core::sync::atomic::{self, Ordering};

    use crate::arch::without_interrupts;

    /// The standard library's functions, as far as they are used. Those that only read or write are the standard
    /// library's own.
    macro_rules! atomic {
        ($name:ident $(<$parameter:ident>)?, $value:ty) => {
            #[repr(transparent)]
            pub struct $name$(<$parameter>)?(atomic::$name$(<$parameter>)?);

            impl$(<$parameter>)? Deref for $name$(<$parameter>)? {
                type Target = atomic::$name$(<$parameter>)?;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            #[allow(dead_code, reason = "not each of all is used")]
            impl$(<$parameter>)? $name$(<$parameter>)? {
                pub const fn new(value: $value) -> Self {
                    Self(atomic::$name::new(value))
                }

                pub fn swap(&self, value: $value, _: Ordering) -> $value {
                    self.update(|_| Some(value)).unwrap_or(value)
                }

                pub fn compare_exchange(
                    &self,
                    old: $value,
                    new: $value,
                    _: Ordering,
                    _: Ordering,
                ) -> Result<$value, $value> {
                    self.update(|value| (value == old).then_some(new))
                }

                pub fn compare_exchange_weak(
                    &self,
                    old: $value,
                    new: $value,
                    succeeded: Ordering,
                    failed: Ordering,
                ) -> Result<$value, $value> {
                    self.compare_exchange(old, new, succeeded, failed)
                }

                pub fn fetch_update(
                    &self,
                    _: Ordering,
                    _: Ordering,
                    new: impl FnMut($value) -> Option<$value>,
                ) -> Result<$value, $value> {
                    self.update(new)
                }

                /// Gives the value before; as an error if it was not to be changed.
                fn update(
                    &self,
                    mut new: impl FnMut($value) -> Option<$value>,
                ) -> Result<$value, $value> {
                    without_interrupts(|| {
                        let old = self.load(Ordering::Relaxed);
                        let new = new(old).ok_or(old)?;
                        self.store(new, Ordering::Relaxed);
                        Ok(old)
                    })
                }
            }
        };
    }

    macro_rules! arithmetic {
        ($name:ident, $number:ty) => {
            #[allow(dead_code, reason = "not each of both is used")]
            impl $name {
                pub fn fetch_add(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| Some(old.wrapping_add(value))).unwrap_or(value)
                }

                pub fn fetch_or(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| Some(old | value)).unwrap_or(value)
                }
            }
        };
    }

    atomic!(AtomicBool, bool);
    atomic!(AtomicPtr<T>, *mut T);
    atomic!(AtomicU32, u32);
    atomic!(AtomicUsize, usize);
    arithmetic!(AtomicU32, u32);
    arithmetic!(AtomicUsize, usize);
}

#[cfg(target_arch = "sparc")]
#[allow(missing_docs, reason = "the standard library\'s")]
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
            pub struct $name(UnsafeCell<$number>);

            // SAFETY: the number is only read and changed at once, by the stubs.
            unsafe impl Sync for $name {}

            #[allow(dead_code, reason = "not each of both is used")]
            impl $name {
                pub const fn new(value: $number) -> Self {
                    Self(UnsafeCell::new(value))
                }

                pub fn load(&self, _: Ordering) -> $number {
                    // SAFETY: an aligned number that stays as long as `self`.
                    unsafe { load_64(self.0.get().cast()) as $number }
                }

                pub fn store(&self, value: $number, order: Ordering) {
                    self.swap(value, order);
                }

                pub fn swap(&self, value: $number, _: Ordering) -> $number {
                    self.update(|_| value)
                }

                pub fn fetch_add(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.wrapping_add(value))
                }

                pub fn fetch_sub(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.wrapping_sub(value))
                }

                pub fn fetch_or(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old | value)
                }

                pub fn fetch_max(&self, value: $number, _: Ordering) -> $number {
                    self.update(|old| old.max(value))
                }

                pub fn compare_exchange(
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

/// A number that is added to in two steps, each of them atomic, and is still read right between them.
#[cfg(any(test, all(target_os = "none", not(target_has_atomic = "64"))))]
#[cfg_attr(test, allow(dead_code, unreachable_pub, reason = "the tests use a part"))]
#[allow(missing_docs, reason = "the standard library's")]
mod by_halves {
    use core::sync::atomic::Ordering;

    use super::AtomicU32;

    /// First bit of the high half: one bit before the low half ends, so that they share a bit.
    const SHARED: u32 = 31;

    /// A number of 63 bits.
    ///
    /// `low` is the number's last 32 bits, `high` all but the last 31. Who adds to `low`, and so changes the bit
    /// that both have, adds one to `high` next. Until then the two differ in that bit, which tells whoever
    /// interrupts him that `high` is still to grow. So the number is exact at every moment, unless it grows by
    /// another 2^31 within an interruption. The hooks do the same.
    #[repr(C)]
    pub struct AtomicU64 {
        low: AtomicU32,
        high: AtomicU32,
    }

    impl AtomicU64 {
        pub const fn new(value: u64) -> Self {
            let (low, high) = halves(value);
            Self { low: AtomicU32::new(low), high: AtomicU32::new(high) }
        }

        pub fn load(&self, order: Ordering) -> u64 {
            loop {
                let high = self.high.load(Ordering::Acquire);
                let low = self.low.load(Ordering::Acquire);
                if self.high.load(order) == high {
                    let is_behind = (low >> SHARED) ^ (high & 1);
                    let high = high.wrapping_add(is_behind);
                    return u64::from(high) << SHARED | u64::from(low & !(1 << SHARED));
                }
            }
        }

        /// Not atomic: what others add at the same moment may be lost.
        pub fn store(&self, value: u64, order: Ordering) {
            let (low, high) = halves(value);
            self.low.store(low, order);
            self.high.store(high, order);
        }

        /// Adds less than 2^31. Returns the number before, by its last 32 bits.
        pub fn fetch_add(&self, value: u64, order: Ordering) -> u32 {
            debug_assert!(value >> SHARED == 0);
            let before = self.low.fetch_add(value as u32, order);
            if (before ^ before.wrapping_add(value as u32)) >> SHARED != 0 {
                self.high.fetch_add(1, order);
            }
            before
        }

        /// Not atomic, as `store`.
        pub fn swap(&self, value: u64, order: Ordering) -> u64 {
            let before = self.load(order);
            self.store(value, order);
            before
        }
    }

    const fn halves(value: u64) -> (u32, u32) {
        (value as u32, (value >> SHARED) as u32)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const ANY: Ordering = Ordering::Relaxed;

        #[test]
        fn number_grows_over_every_border() {
            for start in [0, (1 << 31) - 2, (1 << 32) - 2, (3 << 31) - 2, (1 << 62) - 2] {
                let number = AtomicU64::new(start);
                for added in 0..5 {
                    assert_eq!(number.load(ANY), start + added);
                    number.fetch_add(1, ANY);
                }
                number.fetch_add((1 << 31) - 1, ANY);
                assert_eq!(number.load(ANY), start + 5 + (1 << 31) - 1);
            }
        }

        #[test]
        fn number_is_exact_before_its_high_half_has_grown() {
            for border in (1..10).map(|times| times << 31) {
                let number = AtomicU64::new(border - 1);
                number.low.fetch_add(1, ANY);
                assert_eq!(number.load(ANY), border);
                // What interrupts counts, too.
                number.fetch_add(7, ANY);
                assert_eq!(number.load(ANY), border + 7);
                number.high.fetch_add(1, ANY);
                assert_eq!(number.load(ANY), border + 7);
            }
        }
    }
}
