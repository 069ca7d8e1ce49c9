//! Zeroed memory from the system, never from the program's allocator: of this process alone, or in
//! the file that a live profile is kept in.
//!
//! *Context:* any.

use core::ops::Range;
use core::ptr::NonNull;

use gmon_format::live::Block;

use crate::{live, platform};

/// Zeroed memory, aligned to [`ALIGNMENT`](Self::ALIGNMENT). It stays mapped unless
/// [`unmap`](Self::unmap)ped: what hooks and handlers may be using is never taken away.
pub(crate) struct Region {
    base: NonNull<u8>,
    len: usize,
    is_in_file: bool,
}

impl Region {
    /// What every region is aligned to, in bytes.
    pub(crate) const ALIGNMENT: usize = 64;

    /// Maps at least `len` bytes; `None` if the system has none. Pages are there when touched.
    pub(crate) fn map(len: usize) -> Option<Self> {
        let base = NonNull::new(platform::map(len)?)?;
        Some(Self { base, len, is_in_file: false })
    }

    /// Like [`map_wiped`](Self::map_wiped), at an address of the caller's choice if that is free, else
    /// anywhere.
    pub(crate) fn map_for_process_at(address: usize, len: usize) -> Option<Self> {
        let base = platform::map_at(address, len).or_else(|| platform::map(len));
        let region = Self { base: NonNull::new(base?)?, len, is_in_file: false };
        platform::wipe_on_fork(region.base.as_ptr(), region.len);
        Some(region)
    }

    /// Maps memory of the profile, which a forked child finds zeroed or leaves at its first hook:
    /// its profile starts empty. `content` tells readers of a live file what will lie there.
    pub(crate) fn map_for_process(len: usize, content: &Block) -> Option<Self> {
        if let Some(base) = live::allocate(len, content) {
            return Some(Self { base, len, is_in_file: true });
        }
        Self::map_wiped(len)
    }

    /// Maps memory that a forked child finds zeroed.
    pub(crate) fn map_wiped(len: usize) -> Option<Self> {
        let region = Self::map(len)?;
        platform::wipe_on_fork(region.base.as_ptr(), region.len);
        Some(region)
    }

    /// Has the system make these bytes now, of which most pages will be touched. They begin with a page.
    /// In a file it is left to it.
    pub(crate) fn populate(&self, bytes: Range<usize>) {
        /// What may be made while a call is waiting to be counted.
        const MOST: usize = 4 << 20;
        if !self.is_in_file && bytes.len() <= MOST && bytes.end <= self.len {
            // SAFETY: inside the region.
            let first = unsafe { self.base.as_ptr().add(bytes.start) };
            platform::populate(first, bytes.len());
        }
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
        if self.is_in_file {
            return live::free(self.base);
        }
        // SAFETY: base and len are those of a mapping that `map` made; that nobody uses it any
        // more is the caller's promise.
        unsafe { platform::unmap(self.base.as_ptr(), self.len) }
    }

    /// Moves `value` to the region's start and lends it for ever.
    pub(crate) fn place<T>(self, value: T) -> &'static T {
        const { assert!(align_of::<T>() <= Self::ALIGNMENT) };
        debug_assert!(size_of::<T>() <= self.len);
        let place = self.base.cast::<T>();
        // SAFETY: the memory is aligned as T is, at least as large (asserted above; callers ask for
        // size_of::<T>() or more), nobody else knows its address and it is never unmapped.
        unsafe {
            place.write(value);
            place.as_ref()
        }
    }
}
