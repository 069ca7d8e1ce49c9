//! The Rust face of the stubs in `asm/N/linux.S`.
//!
//! *Context:* any.

use core::ffi::c_void;

unsafe extern "C" {
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

/// Calls `function(data)` with the stack pointer at `stack`.
///
/// # Safety
/// Enough memory for the call must lie below `stack`, which is 16-byte aligned.
pub unsafe fn call_on_stack(
    stack: *mut u8,
    function: extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: `function` gets the stack that the caller promises, and the stub comes back to this one.
    unsafe { __gmon_call_on(stack, function, data) }
}

/// Starts a kernel thread by clone(2) that shares all that `flags` say and runs `entry` on `stack`.
/// Returns its id or a negative error number.
///
/// # Safety
/// `flags` must make a thread of this process. `stack` must be the end of writable memory, 16-byte
/// aligned, that nobody else uses while the thread runs.
pub unsafe fn clone(flags: usize, stack: *mut u8, entry: extern "C" fn() -> !) -> isize {
    // SAFETY: in this thread, an ordinary system call. The new one begins with an empty stack, calls
    // `entry` and never comes back.
    unsafe { __gmon_clone(flags, stack, entry) }
}

/// Makes a system call that leaves `errno` alone; a negative result is an error number.
///
/// # Safety
/// What the kernel does to memory, descriptors and the thread when it is called so must be allowed.
pub unsafe fn syscall(number: libc::c_long, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    // SAFETY: the stub changes only the registers that a call may change; the rest is the caller's promise.
    unsafe { __gmon_syscall(a, b, c, d, e, f, number as usize) }
}
