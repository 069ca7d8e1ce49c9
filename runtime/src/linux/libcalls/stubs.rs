//! Memory with stubs: code that counts a call and goes on to the function, and beside it what each is to count.
//!
//! The code of a stub depends on its place alone. What it counts, and where it goes on, are two words in memory
//! that can be written, so that the stubs of a library that was unloaded can serve the next.
//!
//! *Context:* startup, hook.

use core::mem::offset_of;
use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_interpose::{Entry, Native, Processor};
use gmon_system::{platform, program};

/// Function to count, and where to go on, for `__gmon_library_call`.
#[repr(C)]
struct Record {
    self_pc: AtomicUsize,
    target: AtomicUsize,
}

/// `asm/N/hooks.S` knows where the fields are.
const _: () = {
    assert!(offset_of!(Record, self_pc) == 0);
    assert!(offset_of!(Record, target) == size_of::<usize>());
};

/// Bytes of a stub.
const STUB: usize = size_of::<<Native as Processor>::Stub>();

/// A piece of memory with stubs for one module.
#[derive(Clone, Copy)]
pub(super) struct Stubs {
    base: usize,
    /// Bytes of the code, behind which the data begins.
    code: usize,
    capacity: usize,
}

unsafe extern "C" {
    safe fn __gmon_library_call();
}

/// Before the records: a word with the address of the code that all stubs go to.
const HEADER: usize = 16;

impl Stubs {
    /// Makes stubs; why there are none.
    pub(super) fn make(capacity: usize) -> Result<Self, &'static str> {
        const NO_MEMORY: &str = "there is no memory for its stubs";
        let code = Self::code_len(capacity);
        let data = HEADER + capacity * size_of::<Record>();
        let base = platform::map(code + data).ok_or(NO_MEMORY)? as usize;
        let stubs = Self { base, code, capacity };
        let entry =
            Entry { word: base + code, function: __gmon_library_call as *const () as usize };
        // SAFETY: the data begins on a page of its own, which was mapped just now.
        unsafe { (entry.word as *mut usize).write(entry.function) };
        for index in 0..capacity {
            let at = base + index * STUB;
            let bytes = Native::stub(at, stubs.record_at(index), &entry).ok_or(NO_MEMORY)?;
            // SAFETY: inside of the code, which was mapped just now and nobody knows.
            unsafe { (at as *mut <Native as Processor>::Stub).write(bytes) };
        }
        // The kernel makes the processor's caches agree when pages become code.
        // SAFETY: the code is this function's, and from now on nobody writes to it.
        if unsafe { platform::protect(base, code, libc::PROT_READ | libc::PROT_EXEC) } {
            gmon_stacks::note_code(&(base..base + code));
            return Ok(stubs);
        }
        // SAFETY: nobody knows of it.
        unsafe { platform::unmap(base as *mut u8, code + data) };
        Err("the system forbids the program to make code")
    }

    /// Place and number of them, for [`known`](Self::known).
    pub(super) fn place(&self) -> (usize, usize) {
        (self.base, self.capacity)
    }

    /// The stubs that were made with this [`place`](Self::place).
    pub(super) fn known((base, capacity): (usize, usize)) -> Self {
        Self { base, code: Self::code_len(capacity), capacity }
    }

    /// Bytes of the code, in whole pages.
    fn code_len(capacity: usize) -> usize {
        let page = program::page_size();
        capacity.saturating_mul(STUB).next_multiple_of(page)
    }

    fn record_at(&self, index: usize) -> usize {
        self.base + self.code + HEADER + index * size_of::<Record>()
    }

    /// Has a stub count calls of `self_pc` and go on at `target`; where the stub is.
    pub(super) fn point(&self, index: usize, self_pc: usize, target: usize) -> Option<usize> {
        if index >= self.capacity {
            return None;
        }
        // SAFETY: a record of these stubs, which stay mapped; it is made of atomic numbers.
        let record = unsafe { &*(self.record_at(index) as *const Record) };
        record.self_pc.store(self_pc, Ordering::Relaxed);
        record.target.store(target, Ordering::Release);
        Some(self.base + index * STUB)
    }
}
