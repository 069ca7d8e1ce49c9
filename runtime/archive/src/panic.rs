//! The panic handler of the C libraries.
//!
//! The panic handler leads to the runtime's own end for its defects and to nothing of the C
//! library, which a program need not have.
//!
//! *Context:* any.

use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    gmon_runtime::abort()
}
