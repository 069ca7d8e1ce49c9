//! The panic handler of the C libraries.
//!
//! Nothing in the runtime is meant to panic: on trouble it stops profiling and the program runs on.
//! A panic is therefore a defect of ours with unknown state behind it, and the honest end is to say
//! so and abort.
//!
//! *Context:* any.

use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    const MESSAGE: &[u8] = b"gmon: internal error in the profiling runtime, program aborted\n";
    // SAFETY: `MESSAGE` is readable for its whole length, and `write` and `abort` may be called in
    // every context, signal handlers included.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::abort()
    }
}
