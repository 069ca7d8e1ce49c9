//! The word that every hook looks at first: may it count on its own?
//!
//! *Context:* any.

use core::sync::atomic::Ordering;

use gmon_system::atomic::AtomicU32;

/// Work of a hook. The numbers are known to the stubs.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum State {
    /// No profile was started: every call comes to [`life::count_call`](crate::system::life::count_call).
    Idle = 0,
    /// Hits are counted by the stub.
    On = 1,
    /// Nothing is counted.
    Off = 2,
    /// There is no thread-local storage: every call comes to Rust and is counted there.
    Shared = 3,
    /// As [`On`](Self::On), and calls of some functions are timed.
    Timed = 4,
}

unsafe extern "C" {
    safe static __gmon_state: AtomicU32;
}

pub(crate) fn get() -> State {
    match __gmon_state.load(Ordering::Acquire) {
        0 => State::Idle,
        1 => State::On,
        3 => State::Shared,
        4 => State::Timed,
        _ => State::Off,
    }
}

pub(crate) fn set(state: State) {
    __gmon_state.store(state as u32, Ordering::Release);
}

/// Address of the word.
pub(crate) fn place() -> *mut u8 {
    (&raw const __gmon_state).cast::<u8>().cast_mut()
}
