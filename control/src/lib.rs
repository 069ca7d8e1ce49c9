//! Control of the [gmon](https://docs.rs/gmon) profiling runtime from inside a Rust program.
//!
//! `cargo gmon run` profiles a program from its start to its end without any change to it. With this
//! crate the program says itself what is to be counted:
//!
//! ```
//! gmon_control::stop();
//! // set up
//! gmon_control::start();
//! // the work that matters
//! gmon_control::stop();
//! ```
//!
//! The crate is not a runtime: a program gets that when it is built by `cargo gmon`, or linked with
//! `libgmon.a` in another way, or run with `libgmon.so` preloaded. In any other program all functions
//! do nothing, and cost next to nothing; on other systems than Linux and bare metal always. So a program may
//! be released with them in it.
//!
//! No `std`, no allocation, no dependencies; and no functions of its own that could be profiled, whatever the
//! flags, since all of them are inlined. All functions may be called in any thread.

#![no_std]

use core::ffi::CStr;
use core::marker::PhantomData;

mod board;
#[cfg(any(target_os = "linux", target_os = "none"))]
mod linked;
#[cfg(not(any(target_os = "linux", target_os = "none")))]
mod missing;

pub use board::Board;
#[cfg(any(target_os = "linux", target_os = "none"))]
use linked as runtime;
#[cfg(not(any(target_os = "linux", target_os = "none")))]
use missing as runtime;
use runtime::call;

/// Requests to the runtime.
#[derive(Clone, Copy)]
enum Request {
    Start,
    Stop,
    Snapshot,
    Reset,
}

/// Starts the profile, or goes on after [`stop`]. A program that has the runtime in it starts with a
/// profile, so this is only needed after [`stop`].
#[inline(always)]
pub fn start() {
    call(Request::Start);
}

/// Stops counting and sampling until [`start`]. What was counted is kept.
#[inline(always)]
pub fn stop() {
    call(Request::Stop);
}

/// Writes the profile as it is now, whole, and goes on. May also be called in a signal handler.
///
/// Returns whether it was written; not so if no profile is being taken, or no place takes the file
/// (the runtime then tells why on the standard error stream).
#[must_use = "tells whether there is a file"]
#[inline(always)]
pub fn snapshot() -> bool {
    matches!(call(Request::Snapshot), Some(0))
}

/// Sets all counts to zero. A call that another thread counts in the same moment may stay.
#[inline(always)]
pub fn reset() {
    call(Request::Reset);
}

/// Says that something happens now, by a name, as `c"frame 17"`. A profile shows it over time. Of a name there are as many
/// as 63 bytes.
#[inline(always)]
pub fn mark(name: &CStr) {
    runtime::mark(name);
}

/// Begins a phase of the calling thread, which ends when the result is dropped. Phases may lie in each other, 32 deep.
/// `gmon report --phase NAME` shows what the program did in the phases of a name.
///
/// ```
/// let loading = gmon_control::phase(c"load");
/// // load
/// drop(loading);
/// ```
#[must_use = "the phase ends when it is dropped"]
#[inline(always)]
pub fn phase(name: &CStr) -> Phase {
    runtime::begin(name);
    Phase(PhantomData)
}

/// A phase of a thread, which ends with this value.
pub struct Phase(PhantomData<*const ()>);

impl Drop for Phase {
    #[inline(always)]
    fn drop(&mut self) {
        runtime::end();
    }
}

/// On bare metal: counts one tick of the timer, which interrupted the code at `pc`. For the timer's interrupt
/// handler.
#[inline(always)]
pub fn tick(pc: usize) {
    runtime::tick(pc);
}
