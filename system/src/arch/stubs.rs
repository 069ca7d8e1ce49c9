//! Symbols that the stubs in `asm/` define, as Rust sees them.
//!
//! *Context:* any.

use core::ops::Range;

unsafe extern "C" {
    static __gmon_no_table: u8;
    static __gmon_hooks_end: u8;
    safe static __gmon_text: [usize; 3];
    safe fn mcount();
    safe fn __mcount_internal(from_pc: usize, self_pc: usize);
    safe fn __external_caller();
    safe fn __gmon_thread_pointer() -> usize;
    fn __gmon_table_place() -> *mut usize;
    #[cfg(all(target_os = "linux", not(target_arch = "x86_64")))]
    safe fn __gmon_count(from_pc: usize, self_pc: usize);
}

/// Counts a call.
#[cfg(all(target_os = "linux", not(target_arch = "x86_64")))]
pub fn count(from_pc: usize, self_pc: usize) {
    __gmon_count(from_pc, self_pc);
}

/// This thread's word, from which hooks know its table; `None` before [`set_table_word`].
pub fn table_word() -> Option<usize> {
    // SAFETY: the thread-local word is there whenever the thread pointer is, which the callers in
    // `threads` know from the state. It is this thread's own.
    let word = unsafe { *__gmon_table_place() };
    (word != &raw const __gmon_no_table as usize).then_some(word)
}

/// Sets the word that [`table_word`] reads.
pub fn set_table_word(word: usize) {
    // SAFETY: the caller knows that the thread pointer is there, and the word is this thread's; its only readers are `table_word` and the hooks, which get the address of a
    // table from `threads`. Volatile, because a handler's hook may look at any time.
    unsafe { __gmon_table_place().write_volatile(word) };
}

/// Undoes [`set_table_word`], where it could be done.
pub fn clear_table_word() {
    if has_thread_pointer() {
        set_table_word(&raw const __gmon_no_table as usize);
    }
}

/// Address by which the thread's local storage is found: 0 in a static program whose C library has not set it up yet, or
/// that has none.
pub fn thread_pointer() -> usize {
    __gmon_thread_pointer()
}

/// Returns `true` if there is thread-local storage.
pub fn has_thread_pointer() -> bool {
    thread_pointer() != 0
}

/// The address of `__external_caller`, which stands for callers outside the program.
pub fn external_caller() -> usize {
    address_of(__external_caller)
}

#[cfg(all(target_arch = "arm", target_os = "linux"))]
unsafe extern "C" {
    safe fn __gmon_library_call();
    safe static __gmon_library_marks: [usize; 5];
}

/// Start of the code of calls into libraries, and, from there on, where its frame changes.
#[cfg(all(target_arch = "arm", target_os = "linux"))]
pub fn library_call() -> (usize, [usize; 5]) {
    (address_of(__gmon_library_call), __gmon_library_marks)
}

#[cfg(target_arch = "sparc")]
unsafe extern "C" {
    fn __gmon_load_64(place: *const u64) -> u64;
    fn __gmon_compare_exchange_64(place: *mut u64, old: u64, new: u64) -> u64;
}

/// The number at `place`, read at once.
///
/// # Safety
/// `place` must be aligned, and changed by nothing but [`compare_exchange_64`] and hooks.
#[cfg(target_arch = "sparc")]
pub unsafe fn load_64(place: *const u64) -> u64 {
    // SAFETY: an aligned number, which the stub reads at once.
    unsafe { __gmon_load_64(place) }
}

/// The number at `place`, which becomes `new` if it was `old`.
///
/// # Safety
/// As for [`load_64`].
#[cfg(target_arch = "sparc")]
pub unsafe fn compare_exchange_64(place: *mut u64, old: u64, new: u64) -> u64 {
    // SAFETY: an aligned number, which the stub reads and changes at once.
    unsafe { __gmon_compare_exchange_64(place, old, new) }
}

#[cfg(not(target_has_atomic = "ptr"))]
unsafe extern "C" {
    safe fn __gmon_mask_interrupts() -> usize;
    safe fn __gmon_unmask_interrupts(before: usize);
}

/// Does something that no interrupt handler comes between.
#[cfg(not(target_has_atomic = "ptr"))]
pub fn without_interrupts<T>(action: impl FnOnce() -> T) -> T {
    let before = __gmon_mask_interrupts();
    let result = action();
    __gmon_unmask_interrupts(before);
    result
}

/// The stubs of the hooks, the first of which is `mcount`.
pub fn hooks() -> Range<usize> {
    address_of(mcount)..&raw const __gmon_hooks_end as usize
}

/// Target of the hooks for a call that they cannot count: `__mcount_internal`.
pub fn miss() -> usize {
    __mcount_internal as *const () as usize & !MODE
}

/// The bit in the address of a function that says how its code is to be read: on 32-bit ARM, as Thumb code.
const MODE: usize = if cfg!(target_arch = "arm") { 1 } else { 0 };

/// The address of a function's code.
fn address_of(function: extern "C" fn()) -> usize {
    function as *const () as usize & !MODE
}

/// The code of the runtime, stubs included; empty if it is scattered over the program, as in one that
/// is built by cargo.
pub fn runtime_text() -> Range<usize> {
    let [_, start, end] = __gmon_text;
    start..end
}

/// The functions of the runtime that take the place of the C library's: to the program they are those. Empty where
/// [`runtime_text`] is.
pub fn library_functions() -> Range<usize> {
    let [start, end, _] = __gmon_text;
    start..end
}
