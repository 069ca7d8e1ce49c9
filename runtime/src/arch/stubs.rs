//! The Rust face of the stubs in `asm/`.
//!
//! *Context:* any.

#![allow(bad_asm_style, reason = "the option for AT&T's syntax is known on x86 only")]

use core::arch::global_asm;
use core::ops::Range;

use crate::state::State;
use crate::{arcs, system};

/// The text of the file in `asm/` for every processor whose name is `shared` and what is told.
macro_rules! shared_assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/shared", $suffix))
    };
}

// What both sides have to know is said here alone. What the system has of its own comes
// last.
global_asm!(
    ".set TABLE_MASK, {mask}",
    ".set ENTRY_SELF, {self_pc}",
    ".set ENTRY_FROM, {from_pc}",
    ".set ENTRY_COUNT, {count}",
    ".set ENTRY_SIZE, {entry}",
    ".set HASH_FROM, {hash_from}",
    ".set HASH_BOTH, {hash_both}",
    ".set HASH_SHIFT, {hash_shift}",
    ".set STATE_ON, {on}",
    ".set STATE_OFF, {off}",
    ".set HAS_THREADS, {has_threads}",
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/macros.S")),
    assembly!(".S"),
    shared_assembly!(".S"),
    system_assembly!(),
    mask = const arcs::stub::MASK,
    self_pc = const arcs::stub::SELF_PC,
    from_pc = const arcs::stub::FROM_PC,
    count = const arcs::stub::COUNT,
    entry = const arcs::stub::ENTRY,
    hash_from = const arcs::stub::HASH_FROM,
    hash_both = const arcs::stub::HASH_BOTH,
    hash_shift = const arcs::stub::HASH_SHIFT,
    on = const State::On as u32,
    off = const State::Off as u32,
    has_threads = const system::HAS_THREADS as u32,
);

unsafe extern "C" {
    static __gmon_no_table: u8;
    static __gmon_hooks_end: u8;
    safe static __gmon_text: [usize; 2];
    safe fn mcount();
    safe fn __external_caller();
    safe fn __gmon_thread_pointer() -> usize;
    fn __gmon_table_place() -> *mut usize;
}

/// This thread's word, from which hooks know its table; `None` before [`set_table_word`].
pub(crate) fn table_word() -> Option<usize> {
    // SAFETY: the thread-local word is there whenever the thread pointer is, which the callers in
    // `threads` know from the state. It is this thread's own.
    let word = unsafe { *__gmon_table_place() };
    (word != &raw const __gmon_no_table as usize).then_some(word)
}

/// Sets the word that [`table_word`] reads.
pub(crate) fn set_table_word(word: usize) {
    // SAFETY: as above; the only readers are `table_word` and the hooks, which get the address of a
    // table from `threads`. Volatile, because a handler's hook may look at any time.
    unsafe { __gmon_table_place().write_volatile(word) };
}

/// Undoes [`set_table_word`], where it could be done.
pub(crate) fn clear_table_word() {
    if has_thread_pointer() {
        set_table_word(&raw const __gmon_no_table as usize);
    }
}

/// False in a static program whose C library has not set up thread-local storage yet, or that has
/// none.
pub(crate) fn has_thread_pointer() -> bool {
    __gmon_thread_pointer() != 0
}

/// The address of `__external_caller`, which stands for callers outside the program.
pub(crate) fn external_caller() -> usize {
    __external_caller as *const () as usize
}

#[cfg(not(target_has_atomic = "64"))]
unsafe extern "C" {
    fn __gmon_load_64(place: *const u64) -> u64;
    fn __gmon_compare_exchange_64(place: *mut u64, old: u64, new: u64) -> u64;
}

/// The number at `place`, read at once.
///
/// # Safety
/// `place` must be aligned, and changed by nothing but [`compare_exchange_64`] and hooks.
#[cfg(not(target_has_atomic = "64"))]
pub(crate) unsafe fn load_64(place: *const u64) -> u64 {
    // SAFETY: as promised by the caller.
    unsafe { __gmon_load_64(place) }
}

/// The number at `place`, which becomes `new` if it was `old`.
///
/// # Safety
/// As for [`load_64`].
#[cfg(not(target_has_atomic = "64"))]
pub(crate) unsafe fn compare_exchange_64(place: *mut u64, old: u64, new: u64) -> u64 {
    // SAFETY: as promised by the caller.
    unsafe { __gmon_compare_exchange_64(place, old, new) }
}

/// The stubs of the hooks, the first of which is `mcount`.
pub(crate) fn hooks() -> Range<usize> {
    mcount as *const () as usize..&raw const __gmon_hooks_end as usize
}

/// The code of the runtime, stubs included; empty if it is scattered over the program, as in one that
/// is built by cargo.
pub(crate) fn runtime_text() -> Range<usize> {
    let [start, end] = __gmon_text;
    start..end
}
