//! A value that lives in a region for ever, whatever system the region is of.
//!
//! *Context:* any.

use crate::region::Region;

impl Region {
    /// Moves `value` to the region's start and lends it for ever.
    pub(crate) fn place<T>(self, value: T) -> &'static T {
        const { assert!(align_of::<T>() <= Self::ALIGNMENT) };
        debug_assert!(size_of::<T>() <= self.len());
        let place = self.base().cast::<T>();
        // SAFETY: the memory is aligned as T is, at least as large (asserted above; callers ask for
        // size_of::<T>() or more), nobody else knows its address and it is never given back.
        unsafe {
            place.write(value);
            place.as_ref()
        }
    }
}
