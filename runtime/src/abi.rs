//! The exported C functions that every system has, each a line or two.
//!
//! The names and their meaning are those of the C library's profiling interface (glibc's
//! `sys/gmon.h`, BSD's `moncontrol(3)`); a program or a start file that was made for it finds all
//! of them here.
//!
//! *Context:* as each says.

use core::ffi::c_int;
use core::sync::atomic::AtomicI32;

use gmon_system::atomic::AtomicPtr;

use crate::guards;
use crate::system::life;
use crate::units::{self, CompilationUnit};

/// Counts one call of the function around `self_pc` from the return address `from_pc`.
///
/// The stubs come here when a call is not in the thread's table yet. *Context:* hook.
#[unsafe(no_mangle)]
pub extern "C" fn __mcount_internal(from_pc: usize, self_pc: usize) {
    life::count_call(from_pc, self_pc);
}

/// Takes the guards of basic blocks that a program or library brings, from `start` to `stop`.
///
/// # Safety
/// They must be 32-bit numbers that are nobody else's and stay at least until the table of their blocks
/// comes. *Context:* startup.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_guards(start: *const AtomicI32, stop: *const AtomicI32) {
    // SAFETY: the guards lie between both addresses, and stay, as the caller promises.
    guards::take(unsafe { list(start, stop) });
}

/// Takes the table that tells where the blocks of the guards taken last are.
///
/// # Safety
/// It must stay: that of a program as long as it runs. *Context:* startup.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_guard_pcs(
    start: *const guards::GuardRow,
    stop: *const guards::GuardRow,
) {
    // SAFETY: the rows lie between both addresses, and stay, as the caller promises.
    guards::locate(unsafe { list(start, stop) });
}

/// The list between two addresses.
///
/// # Safety
/// There must be one, and it must stay as long as it is used.
unsafe fn list<T>(start: *const T, stop: *const T) -> &'static [T] {
    let len = (stop as usize).saturating_sub(start as usize) / size_of::<T>();
    // SAFETY: the caller's promise; without a place there are no items.
    if start.is_null() { &[] } else { unsafe { core::slice::from_raw_parts(start, len) } }
}

/// Takes a unit of compilation that counts its basic blocks itself into the list that begins at `head`.
///
/// # Safety
/// Both must stay as long as the program runs, or, if they are of a library, the library.
/// *Context:* hook.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_unit(
    unit: &'static CompilationUnit,
    head: &'static AtomicPtr<CompilationUnit>,
) {
    units::take(unit, head);
    life::start_by_hook();
}

/// Pauses profiling if `mode` is zero, else resumes it. Counts are kept. *Context:* startup.
#[unsafe(no_mangle)]
pub extern "C" fn moncontrol(mode: c_int) {
    if mode == 0 { life::pause() } else { life::resume() }
}

/// Stops profiling and writes `gmon.out`. Later calls do nothing until [`monstartup`](crate::monstartup) starts
/// another profile. *Context:* exit.
#[unsafe(no_mangle)]
pub extern "C" fn _mcleanup() {
    life::clean_up();
}

/// Another name of [`_mcleanup`]. *Context:* exit.
#[unsafe(no_mangle)]
pub extern "C" fn mcleanup() {
    life::clean_up();
}

/// Starts the profile, or goes on after [`gmon_stop`], or starts another after [`_mcleanup`].
/// *Context:* startup.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_start() {
    life::start_or_resume();
}

/// Stops counting and sampling until [`gmon_start`]. Counts are kept. *Context:* any.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_stop() {
    life::pause();
}

/// Writes the profile as it is now, whole, and goes on. Returns 0, or -1 if nothing was written: no
/// profile is being taken, or no place takes the file. *Context:* any, also a signal handler.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_snapshot() -> c_int {
    if life::snapshot() { 0 } else { -1 }
}

/// Sets all counts to zero; a call or a tick that another thread counts meanwhile may stay.
/// *Context:* any.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_reset() {
    life::reset();
}
