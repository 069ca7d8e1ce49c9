//! qemu's `virt` machine for RISC-V of 64 or 32 bits.

use core::arch::{asm, global_asm};
use core::ptr::{read_volatile, write_volatile};

use super::TICKS_PER_SECOND;

// LLVM may assemble it when it optimises all crates together, and knows nothing of the target's extensions then.
#[cfg(target_pointer_width = "64")]
global_asm!(
    ".option arch, +m, +d, +c, +zicsr",
    include_str!("../../../start.S"),
    ".macro EACH_SAVED",
    "EACH 8, sd, fsd",
    ".endm",
    ".macro EACH_RESTORED",
    "EACH 8, ld, fld",
    ".endm",
    include_str!("interrupt.S")
);

// The targets of 32 bits have no floating point.
#[cfg(target_pointer_width = "32")]
global_asm!(
    ".option arch, +m, +c, +zicsr",
    include_str!("../../../start.S"),
    ".macro EACH_SAVED",
    "EACH 4, sw",
    ".endm",
    ".macro EACH_RESTORED",
    "EACH 4, lw",
    ".endm",
    include_str!("interrupt.S")
);

const UART: *mut u8 = 0x1000_0000 as *mut u8;
const TEST_DEVICE: *mut u32 = 0x10_0000 as *mut u32;
const TIME: *const u64 = 0x0200_bff8 as *const u64;
const TIME_COMPARE: *mut u64 = 0x0200_4000 as *mut u64;
const TIME_PER_SECOND: u64 = 10_000_000;
const PERIOD: u64 = TIME_PER_SECOND / TICKS_PER_SECOND as u64;

/// Sends a byte over the serial line.
pub(super) fn send(byte: u8) {
    // SAFETY: the device sends what is written there.
    unsafe { write_volatile(UART, byte) };
}

/// What the code in `interrupt.S` calls, with the address that was interrupted.
#[unsafe(no_mangle)]
extern "C" fn timer_interrupt(pc: usize) {
    // SAFETY: the timer's register.
    unsafe { write_volatile(TIME_COMPARE, read_volatile(TIME_COMPARE) + PERIOD) };
    gmon_control::tick(pc);
}

/// Lets the timer interrupt the program.
pub fn start_timer() {
    // SAFETY: the timer's registers; the handler keeps all that functions count on.
    unsafe {
        write_volatile(TIME_COMPARE, read_volatile(TIME) + PERIOD);
        asm!("csrs mie, {}", "csrs mstatus, {}", in(reg) 1 << 7, in(reg) 1 << 3);
    }
}

/// "RISC-V Semihosting", 2.
#[inline(never)]
pub(super) fn ask_debugger(what: usize, arguments: &[usize]) -> isize {
    let mut answer = what as isize;
    // SAFETY: the debugger reads the arguments and what they point to.
    unsafe {
        asm!(
            ".option push",
            ".option norvc",
            ".balign 16",
            "slli zero, zero, 0x1f",
            "ebreak",
            "srai zero, zero, 7",
            ".option pop",
            inout("a0") answer,
            in("a1") arguments.as_ptr(),
        );
    }
    answer
}

/// Stops the machine.
#[unsafe(no_mangle)]
pub extern "C" fn power_off() -> ! {
    loop {
        // SAFETY: the device that does so.
        unsafe { write_volatile(TEST_DEVICE, 0x5555) };
    }
}
