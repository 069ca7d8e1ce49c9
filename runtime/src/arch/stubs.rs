//! The Rust face of the stubs in `asm/`.
//!
//! *Context:* any.

#![allow(bad_asm_style, reason = "the option for AT&T's syntax is known on x86 only")]

use core::arch::global_asm;
use core::ffi::c_void;
use core::ops::Range;

use crate::arcs;
use crate::state::State;

/// A file of `asm/` for every processor.
macro_rules! shared {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/", $file))
    };
}

// What both sides have to know is said here alone. The linux files come last: a system without Linux
// has its own in their place.
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
    shared!("macros.S"),
    assembly!(".S"),
    shared!("shared.S"),
    assembly!(".linux.S"),
    shared!("shared.linux.S"),
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
);

unsafe extern "C" {
    static __gmon_no_table: u8;
    static __gmon_hooks_end: u8;
    safe static __gmon_text: [usize; 2];
    safe fn mcount();
    safe fn __external_caller();
    safe fn __gmon_thread_pointer() -> usize;
    fn __gmon_table_place() -> *mut usize;
    fn __gmon_call_on(stack: *mut u8, function: extern "C" fn(*mut c_void), data: *mut c_void);
    fn __gmon_clone(flags: usize, stack: *mut u8, entry: extern "C" fn() -> !) -> isize;
    fn __gmon_syscall(
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
        number: usize,
    ) -> isize;
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

/// Calls `function(data)` with the stack pointer at `stack`.
///
/// # Safety
/// Enough memory for the call must lie below `stack`, which is 16-byte aligned.
pub(crate) unsafe fn call_on_stack(
    stack: *mut u8,
    function: extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: as promised by the caller.
    unsafe { __gmon_call_on(stack, function, data) }
}

/// Starts a kernel thread by clone(2) that shares all that `flags` say and runs `entry` on `stack`.
/// Returns its id or a negative error number.
///
/// # Safety
/// `flags` must make a thread of this process. `stack` must be the end of writable memory, 16-byte
/// aligned, that nobody else uses while the thread runs.
pub(crate) unsafe fn clone(flags: usize, stack: *mut u8, entry: extern "C" fn() -> !) -> isize {
    // SAFETY: in this thread, an ordinary system call. The new one begins with an empty stack, calls
    // `entry` and never comes back.
    unsafe { __gmon_clone(flags, stack, entry) }
}

/// Makes a system call that leaves `errno` alone; a negative result is an error number.
pub(crate) fn syscall(number: libc::c_long, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    // SAFETY: what the call does to memory is the business of the wrappers in `platform`, each of
    // which passes what its call asks for.
    unsafe { __gmon_syscall(a, b, c, d, e, f, number as usize) }
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
