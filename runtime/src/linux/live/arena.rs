//! Memory in the file, given out piece by piece.
//!
//! The file grows by chunks, each with disk space of its own, so that writing to it never fails;
//! pieces are taken off a chunk by one atomic addition. Nothing is ever given back.
//!
//! *Context:* any.

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_system::platform::{self, Errno};
use gmon_system::program;
use gmon_system::region::Region;

use super::file::LiveFile;

/// Bytes by which the file grows, unless a piece needs more: room for fifty threads.
const CHUNK: usize = 1 << 20;

/// A part of the file that is mapped. The record is not in the file.
pub(super) struct Chunk {
    base: NonNull<u8>,
    /// Offset in the file.
    offset: u64,
    len: usize,
    /// Bytes that are given out.
    used: AtomicUsize,
    /// The chunk that came before it.
    older: AtomicPtr<Chunk>,
}

/// The chunk that came last.
static CHUNKS: AtomicPtr<Chunk> = AtomicPtr::new(null_mut());

/// The chunk that pieces are taken of: the last that was not made for a single one.
static ROOMY: AtomicPtr<Chunk> = AtomicPtr::new(null_mut());

/// True if a thread is making a chunk that others can take pieces of. Nobody waits for it.
static GROWS: AtomicBool = AtomicBool::new(false);

/// Takes `len` bytes, which are zero: the first, and where they are in the file.
pub(super) fn take(file: &LiveFile, len: usize) -> Option<(NonNull<u8>, u64)> {
    let take = || Chunk::at(&ROOMY).and_then(|chunk| chunk.take(len));
    take().or_else(|| {
        // A crowd of new threads must not make a whole chunk each: one does, the others make what
        // they need.
        if GROWS.swap(true, Ordering::AcqRel) {
            return grow(file, len, len);
        }
        // Another thread may just have done it.
        let piece = take().or_else(|| grow(file, len.max(CHUNK), len));
        GROWS.store(false, Ordering::Release);
        piece
    })
}

/// Makes a chunk of `size` bytes and takes the first `len`.
fn grow(file: &LiveFile, size: usize, len: usize) -> Option<(NonNull<u8>, u64)> {
    // For the record first: what the file has been given cannot be taken back.
    let record = Region::map(size_of::<Chunk>())?;
    // The next part can only be mapped from there on where a page begins. SPARC's have 8 KB, those of others up to 64 KB.
    let whole = size.next_multiple_of(program::page_size());
    let (base, offset) = file.extend(whole)?;
    let (used, older) = (AtomicUsize::new(len), AtomicPtr::new(null_mut()));
    let chunk = record.place(Chunk { base, offset, len: whole, used, older });
    chunk.push();
    if size > len {
        ROOMY.store(core::ptr::from_ref(chunk).cast_mut(), Ordering::Release);
    }
    Some((base, offset))
}

/// Moves everything that is mapped to another file, each part to the same place. What is counted
/// meanwhile is lost.
pub(super) fn move_to(file: &LiveFile) -> Result<(), Errno> {
    chunks().try_for_each(|chunk| {
        let used = chunk.used.load(Ordering::Relaxed);
        // SAFETY: chunks are mappings of a live file.
        unsafe { file.adopt(chunk.base, chunk.offset, chunk.len, used) }
    })
}

/// Replaces everything that is mapped by zeroed memory of this process alone.
///
/// # Safety
/// Nobody may want to read what was counted there.
pub(super) unsafe fn leave() {
    for chunk in chunks() {
        // SAFETY: a mapping of the arena's; that zeros will do is the caller's promise.
        unsafe { platform::map_over(chunk.base.as_ptr(), chunk.len) };
    }
    CHUNKS.store(null_mut(), Ordering::Release);
    ROOMY.store(null_mut(), Ordering::Release);
    GROWS.store(false, Ordering::Release);
}

/// The first byte of the file, if anything of it is mapped.
pub(super) fn start() -> Option<NonNull<u8>> {
    chunks().find(|chunk| chunk.offset == 0).map(|chunk| chunk.base)
}

fn chunks() -> impl Iterator<Item = &'static Chunk> {
    core::iter::successors(Chunk::at(&CHUNKS), |chunk| Chunk::at(&chunk.older))
}

impl Chunk {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: CHUNKS, ROOMY and `older` hold null or records that stay mapped for ever.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    fn take(&self, len: usize) -> Option<(NonNull<u8>, u64)> {
        let fits = |used: usize| used.checked_add(len).filter(|end| *end <= self.len);
        let used = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        // SAFETY: `used + len` is at most the length of the mapping.
        Some((unsafe { self.base.add(used) }, self.offset + used as u64))
    }

    fn push(&'static self) {
        let node = core::ptr::from_ref(self).cast_mut();
        let mut head = CHUNKS.load(Ordering::Relaxed);
        loop {
            self.older.store(head, Ordering::Relaxed);
            match CHUNKS.compare_exchange_weak(head, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(newer) => head = newer,
            }
        }
    }
}
