//! The start of a process, and the two system calls that it needs, as Linux on x86-64 wants them.

use core::arch::{asm, global_asm};
use core::fmt;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("this example is for x86-64: other processors have other system calls");

const WRITE: usize = 1;
const EXIT_GROUP: usize = 231;

global_asm!(".globl _start", "_start:", "xor ebp, ebp", "and rsp, -16", "call run");

/// The standard output stream.
pub struct Output;

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        call(WRITE, [1, text.as_ptr() as usize, text.len()]);
        Ok(())
    }
}

/// Ends the process.
pub fn exit(status: usize) -> ! {
    call(EXIT_GROUP, [status, 0, 0]);
    unreachable!()
}

fn call(number: usize, [first, second, third]: [usize; 3]) {
    // SAFETY: the two calls only read what they are given.
    unsafe {
        asm!(
            "syscall",
            inout("rax") number => _,
            in("rdi") first,
            in("rsi") second,
            in("rdx") third,
            out("rcx") _,
            out("r11") _,
        );
    }
}
