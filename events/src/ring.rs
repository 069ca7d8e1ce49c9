//! The memory that the kernel writes the records of a processor's events to.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::event::Event;

/// A ring, and the event that it was made for.
#[derive(Debug)]
pub struct Ring {
    event: Event,
    /// The kernel's page of counters, with the records behind it.
    start: NonNull<u8>,
    page: usize,
    /// Bytes of records, a power of two.
    len: usize,
    /// A record that lies around the end of the ring.
    whole: Vec<u8>,
}

// SAFETY: the memory is the process's, not a thread's, and `Ring` is the only one that knows its address.
unsafe impl Send for Ring {}

/// Offsets of fields in the first page (`struct perf_event_mmap_page`).
const HEAD: usize = 1024;
const TAIL: usize = 1032;

/// Start of each record: its kind, flags, and how long it is.
pub(crate) const HEADER: usize = 8;

/// The longest record.
const LONGEST: usize = u16::MAX as usize;

impl Ring {
    /// Makes a ring of a size for an event that has none. The size becomes a power of two, of pages.
    ///
    /// # Errors
    ///
    /// Errors of `mmap`: `EPERM` if users may not lock so much memory.
    pub fn new(event: Event, len: usize) -> io::Result<Self> {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).map_err(io::Error::other)?;
        let len = len.max(page).checked_next_power_of_two();
        let len = len.ok_or(io::ErrorKind::InvalidInput)?;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let descriptor = event.as_fd().as_raw_fd();
        let null = std::ptr::null_mut();
        // SAFETY: new memory at an address of the kernel's choice.
        let start =
            unsafe { libc::mmap(null, page + len, rights, libc::MAP_SHARED, descriptor, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { event, start, page, len, whole: Vec::with_capacity(LONGEST) })
    }

    /// The event that it was made for.
    #[must_use]
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The size of its records' room, in bytes.
    #[must_use]
    pub fn room(&self) -> usize {
        self.len
    }

    /// Place behind the last record that is there now. [`visit`](Self::visit) takes it.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.counter(HEAD).load(Ordering::Acquire)
    }

    /// Visits the records from the oldest up to a [place](Self::head), and leaves them where they are.
    pub fn visit(&mut self, head: u64, mut visit: impl FnMut(&[u8])) {
        let mut at = self.counter(TAIL).load(Ordering::Relaxed);
        // Places that are not the kernel's: whoever else could write them would be this process.
        if head.wrapping_sub(at) > self.len as u64 {
            return;
        }
        while head - at >= HEADER as u64 {
            let header = self.bytes(at, HEADER).try_into().unwrap_or([0; HEADER]);
            let [.., low, high] = header;
            let size = usize::from(u16::from_ne_bytes([low, high]));
            if size < HEADER || size as u64 > head - at {
                return;
            }
            let offset = at as usize & (self.len - 1);
            if offset + size <= self.len {
                visit(self.bytes(at, size));
            } else {
                let first = self.len - offset;
                let mut whole = std::mem::take(&mut self.whole);
                whole.clear();
                whole.extend_from_slice(self.bytes(at, first));
                whole.extend_from_slice(self.bytes(at + first as u64, size - first));
                visit(&whole);
                self.whole = whole;
            }
            at += size as u64;
        }
    }

    /// Gives the room of the records before a [place](Self::head) back to the kernel.
    pub fn release(&mut self, head: u64) {
        self.counter(TAIL).store(head, Ordering::Release);
    }

    /// Bytes at a place, which do not go around the end of the ring. Only the kernel writes there, and only once
    /// [`release`](Self::release), which needs the ring for itself, has said that the bytes are free.
    fn bytes(&self, at: u64, len: usize) -> &[u8] {
        let offset = at as usize & (self.len - 1);
        let len = len.min(self.len - offset);
        // SAFETY: `new` mapped `len` bytes behind the first page, and these end within them; `Drop` unmaps them later than any
        // borrow of `self`. Between tail and head, where callers read, the kernel does not write.
        unsafe { slice::from_raw_parts(self.start.as_ptr().add(self.page + offset), len) }
    }

    fn counter(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: aligned words of the first page, which stays mapped as long as `self`; the kernel reads and writes them whole.
        unsafe { self.start.add(offset).cast::<AtomicU64>().as_ref() }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: `new` mapped so much there, and nobody can have a reference into it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.page + self.len) };
    }
}

impl AsFd for Ring {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}
