//! The thread that empties the rings of performance events.
//!
//! *Context:* `start` startup or hook; `forget` as [`Sampler::forget`](super::Sampler::forget).

use gmon_system::platform;

use crate::linux::sampler::own_thread::OwnThread;

/// Time that it sleeps.
const MILLISECONDS: i64 = 100;

static COLLECTOR: OwnThread = OwnThread::new();

/// Starts the collector if there is none; false if the system grants no thread.
pub(super) fn start() -> bool {
    COLLECTOR.start(collect)
}

/// Returns `true` if a thread is the collector.
pub(super) fn is(tid: i32) -> bool {
    COLLECTOR.is(tid)
}

/// Returns `true` if no thread but the collector, which calls this, runs any more.
pub(super) fn is_last() -> bool {
    COLLECTOR.is_last(|_| ())
}

/// Forgets the parent's collector, in a forked child.
pub(super) fn forget() {
    COLLECTOR.forget();
}

extern "C" fn collect() -> ! {
    COLLECTOR.introduce();
    loop {
        platform::sleep_milliseconds(MILLISECONDS);
        COLLECTOR.follow_rights(platform::monotonic());
        if !super::pass() {
            COLLECTOR.end();
        }
    }
}
