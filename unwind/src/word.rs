//! Addresses and registers as wide as a processor has them, on a machine of any width.

use core::fmt::Debug;

/// The word of a processor: `u32` or `u64`. Arithmetic wraps.
pub trait Word: Copy + Debug + Default + Ord + sealed::Sealed + 'static {
    /// Its bytes.
    const SIZE: usize;
    /// Its bits.
    const BITS: u32;

    /// The word with the lower bits of a number.
    fn of(number: u64) -> Self;

    /// The number.
    fn get(self) -> u64;

    /// The number that the word is as a signed one.
    fn signed(self) -> i64;

    /// The quotient of signed numbers.
    fn divided(self, by: Self) -> Option<Self>;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self {
        Self::of(self.get().wrapping_add(other.get()))
    }

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self {
        Self::of(self.get().wrapping_sub(other.get()))
    }

    /// The address so many bytes behind this one.
    #[must_use]
    fn behind(self, bytes: usize) -> Self {
        Self::of(self.get().wrapping_add(bytes as u64))
    }

    /// The address so many bytes before this one.
    #[must_use]
    fn before(self, bytes: usize) -> Self {
        Self::of(self.get().wrapping_sub(bytes as u64))
    }

    /// The address at a distance in bytes.
    #[must_use]
    fn moved(self, distance: isize) -> Self {
        Self::of(self.get().wrapping_add_signed(distance as i64))
    }

    /// The distance from another address up to this one, as far as this machine can tell.
    fn distance(self, from: Self) -> usize {
        usize::try_from(self.minus(from).get()).unwrap_or(usize::MAX)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

macro_rules! word {
    ($word:ty, $signed:ty) => {
        impl Word for $word {
            const SIZE: usize = size_of::<Self>();
            const BITS: u32 = Self::BITS;

            fn of(number: u64) -> Self {
                number as Self
            }

            fn get(self) -> u64 {
                self.into()
            }

            fn signed(self) -> i64 {
                (self as $signed).into()
            }

            fn divided(self, by: Self) -> Option<Self> {
                (self as $signed).checked_div(by as $signed).map(|quotient| quotient as Self)
            }
        }
    };
}

word!(u32, i32);
word!(u64, i64);
