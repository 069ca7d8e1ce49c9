//! Zeroed memory from the system, never from the program's allocator.
//!
//! *Context:* any.

use core::ptr::NonNull;

use crate::platform;

/// A mapping of zeroed, page-aligned memory. It stays mapped unless [`unmap`](Self::unmap)ped:
/// what hooks and handlers may be using is never taken away.
pub(crate) struct Region {
    base: NonNull<u8>,
    len: usize,
}

impl Region {
    /// Maps at least `len` bytes; `None` if the system has none. Pages are there when touched.
    pub(crate) fn map(len: usize) -> Option<Self> {
        let base = NonNull::new(platform::map(len)?)?;
        Some(Self { base, len })
    }

    /// Like [`map_for_process`](Self::map_for_process), at an address of the caller's choice if that
    /// is free, else anywhere.
    pub(crate) fn map_for_process_at(address: usize, len: usize) -> Option<Self> {
        let base = platform::map_at(address, len).or_else(|| platform::map(len));
        let region = Self { base: NonNull::new(base?)?, len };
        platform::wipe_on_fork(region.base.as_ptr(), region.len);
        Some(region)
    }

    /// Maps memory of the profile, which a forked child finds zeroed: its profile starts empty.
    pub(crate) fn map_for_process(len: usize) -> Option<Self> {
        let region = Self::map(len)?;
        platform::wipe_on_fork(region.base.as_ptr(), region.len);
        Some(region)
    }

    /// The first byte. Everything up to the length asked for is readable, writable and zero.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// Nobody else may have got hold of an address in it.
    pub(crate) unsafe fn unmap(self) {
        // SAFETY: base and len are those of a mapping that `map` made; that nobody uses it any
        // more is the caller's promise.
        unsafe { platform::unmap(self.base.as_ptr(), self.len) }
    }

    /// Moves `value` to the region's start and lends it for ever.
    pub(crate) fn place<T>(self, value: T) -> &'static T {
        debug_assert!(size_of::<T>() <= self.len);
        let place = self.base.cast::<T>();
        // SAFETY: the mapping is page-aligned, at least as large as T (asserted above; callers ask
        // for size_of::<T>() or more), nobody else knows its address and it is never unmapped.
        unsafe {
            place.write(value);
            place.as_ref()
        }
    }
}
