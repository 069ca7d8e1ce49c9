//! Zeroed memory from the system, never from the program's allocator: of this process alone, or from
//! another [`Source`], which is the file that a live profile is kept in.
//!
//! *Context:* any.

use core::ops::{Deref, DerefMut, Range};
use core::ptr::NonNull;

use gmon_format::live::Block;

use once_cell::race::OnceRef;

use crate::linux::program::Program;
use crate::linux::{platform, reserve};

/// Zeroed memory, aligned to [`ALIGNMENT`](Self::ALIGNMENT). It stays mapped unless
/// [`unmap`](Self::unmap)ped: what hooks and handlers may be using is never taken away.
pub struct Region {
    base: NonNull<u8>,
    len: usize,
    place: Origin,
}

/// Origin of a region.
enum Origin {
    /// Nothing: it is a mapping of its own.
    Own,
    /// A reserve, which takes nothing back.
    Reserve,
    /// Memory of another source.
    Source(&'static Source),
}

/// Another source of memory for the profile.
pub struct Source {
    /// Memory of so many bytes, zeroed and aligned as a region, for this content; or `None`.
    pub allocate: fn(usize, &Block) -> Option<NonNull<u8>>,
    /// Takes back what nobody knows an address in.
    pub free: fn(NonNull<u8>),
}

static SOURCE: OnceRef<'static, Source> = OnceRef::new();

/// Has memory of the profile come from a source, whenever that has some.
pub fn prefer(source: &'static Source) {
    _ = SOURCE.set(source);
}

/// Returns `true` if memory of the profile comes from a source.
pub fn has_source() -> bool {
    SOURCE.get().is_some()
}

impl Region {
    /// Alignment of every region, in bytes.
    pub const ALIGNMENT: usize = 64;

    /// Maps at least `len` bytes; `None` if the system has none. Pages are there when touched.
    pub fn map(len: usize) -> Option<Self> {
        if let Some(base) = reserve::take_few(len) {
            return Some(Self { base, len, place: Origin::Reserve });
        }
        Self::map_own(len)
    }

    fn map_own(len: usize) -> Option<Self> {
        let base = NonNull::new(platform::map(len)?)?;
        Some(Self { base, len, place: Origin::Own })
    }

    /// Maps memory of the profile, which a forked child finds zeroed or leaves at its first hook:
    /// its profile starts empty. `content` tells readers of a live file what will lie there.
    pub fn map_for_process(len: usize, content: &Block) -> Option<Self> {
        Self::map_in_source(len, content).or_else(|| Self::map_wiped(len))
    }

    /// Takes memory of the source that is preferred; `None` if there is none. `content` is as for
    /// [`map_for_process`](Self::map_for_process).
    pub fn map_in_source(len: usize, content: &Block) -> Option<Self> {
        let source = SOURCE.get()?;
        let base = (source.allocate)(len, content)?;
        Some(Self { base, len, place: Origin::Source(source) })
    }

    /// Maps memory that a forked child finds zeroed.
    pub fn map_wiped(len: usize) -> Option<Self> {
        if let Some(base) = reserve::take_wiped(len) {
            return Some(Self { base, len, place: Origin::Reserve });
        }
        let region = Self::map_own(len)?;
        // SAFETY: mapped just now, and a child that finds zeros is what callers ask for.
        unsafe { platform::wipe_on_fork(region.base.as_ptr(), len) };
        Some(region)
    }

    /// Has the system make these bytes now, of which most pages will be touched. Another source does that in
    /// its own time.
    pub fn populate(&self, bytes: Range<usize>) {
        /// Memory that may be made while a call is waiting to be counted.
        const MOST: usize = 4 << 20;
        let is_memory = !matches!(self.place, Origin::Source(_));
        if is_memory && bytes.len() <= MOST && bytes.end <= self.len {
            // The system takes whole pages.
            let page = Program::get().map_or(0, |program| program.page);
            let before = (self.base.as_ptr() as usize + bytes.start).checked_rem(page).unwrap_or(0);
            let first = self.base.as_ptr().wrapping_add(bytes.start).wrapping_sub(before);
            // SAFETY: from the start of the page, these are bytes of the region.
            unsafe { platform::populate(first, before + bytes.len()) };
        }
    }

    /// The first byte. Everything up to the length asked for is readable, writable and zero.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// The bytes that were asked for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// Nobody else may have got hold of an address in it.
    pub unsafe fn unmap(self) {
        match self.place {
            // SAFETY: base and len are those of a mapping that was made here; that nobody uses it any
            // more is the caller's promise.
            Origin::Own => unsafe { platform::unmap(self.base.as_ptr(), self.len) },
            Origin::Reserve => {}
            Origin::Source(source) => (source.free)(self.base),
        }
    }

    /// Lends its bytes for ever.
    pub fn into_bytes(self) -> &'static mut [u8] {
        // SAFETY: so many bytes, zeroed; nobody else knows their address, and they are never unmapped.
        unsafe { core::slice::from_raw_parts_mut(self.base.as_ptr(), self.len) }
    }
}

/// Zeroed memory for a while.
pub struct Scratch(Region);

impl Scratch {
    /// Maps `len` bytes; `None` if the system has none. Pages are there when touched.
    pub fn new(len: usize) -> Option<Self> {
        Region::map_own(len).map(Self)
    }
}

impl gmon_interpose::Scratch for Scratch {
    fn zeroed(len: usize) -> Option<Self> {
        Self::new(len)
    }
}

impl Deref for Scratch {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes, which are nobody else's until `drop`.
        unsafe { core::slice::from_raw_parts(self.0.base.as_ptr(), self.0.len) }
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes, which are nobody else's until `drop`, and are borrowed once.
        unsafe { core::slice::from_raw_parts_mut(self.0.base.as_ptr(), self.0.len) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: borrows of the bytes ended with that of the scratch memory.
        unsafe { platform::unmap(self.0.base.as_ptr(), self.0.len) }
    }
}
