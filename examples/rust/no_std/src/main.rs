//! A program without the standard library: the C library starts it and prints for it.

#![no_std]
#![no_main]

use core::ffi::{c_char, c_int, c_ulong};
use core::hint::black_box;
use core::panic::PanicInfo;

use counted::Counter;

#[link(name = "c")]
unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
    safe fn abort() -> !;
}

static LEAF: Counter = Counter::new("no_std::leaf");

#[inline(never)]
fn leaf(n: u32) -> u32 {
    LEAF.add();
    black_box(n)
}

/// What the C library calls.
#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    let sum: u32 = (0..1234).map(leaf).sum();
    black_box(sum);
    // SAFETY: the format asks for one number of this type.
    unsafe { printf(c"calls %lu no_std::leaf\n".as_ptr(), LEAF.calls() as c_ulong) };
    0
}

/// What `core`, which is compiled to unwind, refers to; nothing here does.
#[unsafe(no_mangle)]
pub extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}
