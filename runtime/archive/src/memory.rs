//! The functions by which compiled Rust copies, fills and compares memory, for this library alone.
//!
//! The C library's use whatever registers the processor has, and in early start-up they may not be
//! there yet. The stubs save only what code for the baseline instruction set can change, so nothing
//! of the C library may be reached from a hook. The names are local to the finished libraries; the
//! rest of the program keeps its own.
//!
//! All accesses are volatile, or the compiler would see what a loop does and call the function that
//! it is in.

/// Unit of moves, where both ends are aligned to it.
type Word = usize;
const WORD: usize = size_of::<Word>();

/// `memcpy(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    let words = whole_words(to, from, len);
    // SAFETY: the caller lends `len` bytes at both ends; words only where both are aligned.
    unsafe {
        for i in (0..words).step_by(WORD) {
            to.add(i).cast::<Word>().write_volatile(from.add(i).cast::<Word>().read_volatile());
        }
        for i in words..len {
            to.add(i).write_volatile(from.add(i).read_volatile());
        }
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
    let words = whole_words(to, from, len);
    // SAFETY: the caller lends `len` bytes at both ends. Going down from the last byte does not overwrite what
    // is still to be read, and words are only moved where both ends are aligned.
    unsafe {
        for i in (words..len).rev() {
            to.add(i).write_volatile(from.add(i).read_volatile());
        }
        for i in (0..words).step_by(WORD).rev() {
            to.add(i).cast::<Word>().write_volatile(from.add(i).cast::<Word>().read_volatile());
        }
    }
    to
}

/// The bytes that can be moved by words.
fn whole_words(to: *mut u8, from: *const u8, len: usize) -> usize {
    if (to as usize | from as usize) % WORD == 0 { len / WORD * WORD } else { 0 }
}

/// `memset(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    let byte = byte as u8;
    let words = whole_words(to, to, len);
    // SAFETY: the caller lends `len` bytes.
    unsafe {
        for i in (0..words).step_by(WORD) {
            to.add(i).cast::<Word>().write_volatile(Word::from_ne_bytes([byte; WORD]));
        }
        for i in words..len {
            to.add(i).write_volatile(byte);
        }
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
    // SAFETY: the caller lends `len` bytes at both, which is all that memcmp asks for.
    unsafe { memcmp(a, b, len) }
}

/// `strlen(3)`.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn strlen(text: *const u8) -> usize {
    let mut len = 0;
    // SAFETY: the caller's text ends with a zero byte.
    while unsafe { text.add(len).read_volatile() } != 0 {
        len += 1;
    }
    len
}
