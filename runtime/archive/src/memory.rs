//! The functions by which compiled Rust copies, fills and compares memory, for this library alone.
//!
//! The C library's use whatever registers the processor has, and in early start-up they may not be
//! there yet. The stubs save only what code for the baseline instruction set can change, so nothing
//! of the C library may be reached from a hook. The names are local to the finished libraries; the
//! rest of the program keeps its own.

use core::arch::asm;

/// `memcpy(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: the caller lends `len` bytes at both ends; the direction flag is clear in every
    // function of the ABI.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") len => _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            options(nostack, preserves_flags),
        );
    }
    to
}

/// `memmove(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if (to as usize).wrapping_sub(from as usize) >= len {
        // SAFETY: going up does not overwrite what is still to be read.
        return unsafe { memcpy(to, from, len) };
    }
    // SAFETY: as for memcpy, going down from the last byte, with the direction flag as it was.
    unsafe {
        asm!(
            "std",
            "rep movsb",
            "cld",
            inout("rcx") len => _,
            inout("rdi") to.wrapping_add(len).wrapping_sub(1) => _,
            inout("rsi") from.wrapping_add(len).wrapping_sub(1) => _,
            options(nostack),
        );
    }
    to
}

/// `memset(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    // SAFETY: the caller lends `len` bytes; the direction flag is clear.
    unsafe {
        asm!(
            "rep stosb",
            inout("rcx") len => _,
            inout("rdi") to => _,
            in("al") byte as u8,
            options(nostack, preserves_flags),
        );
    }
    to
}

/// `memcmp(3)`, and `bcmp(3)`, which only asks whether there is a difference.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    for i in 0..len {
        // SAFETY: the caller lends `len` bytes at both.
        let (a, b) = unsafe { (*a.add(i), *b.add(i)) };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

/// See [`memcmp`].
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    // SAFETY: passed on.
    unsafe { memcmp(a, b, len) }
}

/// `strlen(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn strlen(text: *const u8) -> usize {
    let mut len = 0;
    // SAFETY: the caller's text ends with a zero byte. Volatile, or the compiler sees a strlen.
    while unsafe { text.add(len).read_volatile() } != 0 {
        len += 1;
    }
    len
}
