//! A program without any library: it starts itself, makes its system calls itself, and so has to say
//! itself when its profile is to be written.

#![no_std]
#![no_main]

mod system;

use core::fmt::Write;
use core::hint::black_box;
use core::panic::PanicInfo;

use counted::Counter;
use system::Output;

static LEAF: Counter = Counter::new("bare::leaf");

#[inline(never)]
fn leaf(n: u32) -> u32 {
    LEAF.add();
    black_box(n)
}

/// What [`system`] calls once there is a stack.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    // Nobody has called the functions that libraries call before `main`.
    gmon_control::start();
    let sum: u32 = (0..4321).map(leaf).sum();
    black_box(sum);
    let is_written = gmon_control::snapshot();
    _ = writeln!(Output, "{LEAF}\nsnapshot {is_written}");
    system::exit(0)
}

/// What `core`, which is compiled to unwind, refers to; nothing here does.
#[unsafe(no_mangle)]
pub extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    system::exit(1)
}
