//! The thread that empties the rings of performance events.
//!
//! The C library does not know it, no signal reaches it, and it needs no thread-local storage. It
//! lives as long as there is something to collect.
//!
//! *Context:* `start` startup or hook; `forget` as [`Sampler::forget`](super::Sampler::forget).

use core::sync::atomic::{AtomicI32, Ordering};

use crate::linux::region::Region;
use crate::linux::{platform, process};

/// How long it sleeps.
const MILLISECONDS: i64 = 100;

const STACK: usize = 64 * 1024;

/// Its kernel thread id; 0 if there is none.
static TID: AtomicI32 = AtomicI32::new(0);

/// Starts the collector if there is none; false if the system grants no thread.
pub(super) fn start() -> bool {
    if TID.load(Ordering::Relaxed) != 0 {
        return true;
    }
    let Some(region) = Region::map(STACK) else {
        return false;
    };
    // SAFETY: the mapping is fresh, page-aligned, STACK bytes large and never unmapped.
    let tid = unsafe { platform::start_thread(region.base().as_ptr().add(STACK), collect) };
    if let Ok(tid) = tid {
        TID.store(tid, Ordering::Relaxed);
    }
    tid.is_ok()
}

/// Whether a thread is the collector.
pub(super) fn is(tid: i32) -> bool {
    TID.load(Ordering::Relaxed) == tid
}

/// Forgets the parent's collector, in a forked child.
pub(super) fn forget() {
    TID.store(0, Ordering::Relaxed);
}

extern "C" fn collect() -> ! {
    platform::name_thread(c"gmon");
    loop {
        platform::sleep_milliseconds(MILLISECONDS);
        if !super::pass() {
            // The program's last thread has ended: it must not live on for our sake. Since Linux 6.0 the
            // status of the process is that of its last thread.
            TID.store(0, Ordering::Relaxed);
            platform::exit_thread(process::first_thread_status());
        }
    }
}
