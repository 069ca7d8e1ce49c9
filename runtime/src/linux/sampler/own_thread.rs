//! A thread of ours in the program.
//!
//! The C library does not know it, no signal reaches it, and it needs no thread-local storage. It lives as long as
//! there is something to do.
//!
//! *Context:* `start` startup or hook; `forget` as [`Sampler::forget`](super::Sampler::forget).

use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use gmon_system::platform;
use gmon_system::region::Region;

use crate::linux::process;

const STACK: usize = 64 * 1024;

/// The place of such a thread.
pub(super) struct OwnThread {
    /// Its kernel thread id; 0 if there is none.
    tid: AtomicI32,
    /// Tenth of a second in which it looked at rights last.
    looked: AtomicU32,
}

impl OwnThread {
    pub(super) const fn new() -> Self {
        Self { tid: AtomicI32::new(0), looked: AtomicU32::new(0) }
    }

    /// Starts the thread if there is none; false if the system grants none.
    pub(super) fn start(&self, entry: extern "C" fn() -> !) -> bool {
        if self.tid.load(Ordering::Relaxed) != 0 {
            return true;
        }
        let Some(region) = Region::map(STACK) else { return false };
        // SAFETY: the mapping is fresh, page-aligned, STACK bytes large and never unmapped.
        let tid = unsafe { platform::start_thread(region.base().as_ptr().add(STACK), entry) };
        if let Ok(tid) = tid {
            self.tid.store(tid, Ordering::Relaxed);
        }
        tid.is_ok()
    }

    /// Returns `true` if a thread is this one.
    pub(super) fn is(&self, tid: i32) -> bool {
        self.tid.load(Ordering::Relaxed) == tid
    }

    /// Forgets the parent's, in a forked child.
    pub(super) fn forget(&self) {
        self.tid.store(0, Ordering::Relaxed);
    }

    /// Gives the thread, which calls this, the name that debuggers show.
    pub(super) fn introduce(&self) {
        platform::name_thread(c"gmon");
    }

    /// Has the thread, which calls this, have the rights of the program, ten times a second: the C library does not know it, and
    /// changes only those of other threads.
    pub(super) fn follow_rights(&self, now: i64) {
        const PAUSE: i64 = platform::SECOND / 10;
        let tenth = (now / PAUSE) as u32;
        if self.looked.swap(tenth, Ordering::Relaxed) != tenth {
            platform::follow_rights();
        }
    }

    /// Calls `visit` with the id of each other thread. True if none of them runs any more: the first one stays in the list until
    /// the last has ended.
    pub(super) fn is_last(&self, mut visit: impl FnMut(i32)) -> bool {
        const LIST: usize = 4096;
        let (mut others, mut last) = (0, 0);
        let listed = platform::each_thread(&mut [0; LIST], |tid| {
            if !self.is(tid) {
                (others, last) = (others + 1, tid);
                visit(tid);
            }
        });
        listed.is_ok() && others <= 1 && platform::thread_state(last) == Some(b'Z')
    }

    /// Ends the thread, which calls this: the program's last one has ended, and must not live on for our sake. Since
    /// Linux 6.0 the status of the process is that of its last thread.
    pub(super) fn end(&self) -> ! {
        self.forget();
        platform::exit_thread(process::first_thread_status());
    }
}
