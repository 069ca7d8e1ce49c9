//! Boards with a Cortex-M, as qemu has them.

use core::arch::{asm, global_asm};
use core::ptr::write_volatile;

use super::TICKS_PER_SECOND;

// Its lines for C's preprocessor are comments here. What stands between them turns a floating point unit on, and does nothing
// to a processor without one.
global_asm!(include_str!("../../../cortex-m/start.S"), options(raw));

// `.cargo/config.toml` names the machine.
#[cfg_attr(machine = "microbit", path = "microbit.rs")]
#[cfg_attr(not(machine = "microbit"), path = "mps2.rs")]
mod devices;

use devices::CLOCK;
pub(super) use devices::send;

const SYST_CSR: *mut u32 = 0xe000_e010 as *mut u32;
const SYST_RVR: *mut u32 = 0xe000_e014 as *mut u32;
const SYST_CVR: *mut u32 = 0xe000_e018 as *mut u32;

/// SysTick's interrupt, which interrupted the code at this address: `start.S` calls it.
#[unsafe(no_mangle)]
extern "C" fn timer_handler(pc: usize) {
    gmon_control::tick(pc);
}

/// Lets the timer interrupt the program.
pub fn start_timer() {
    // SAFETY: the timer's registers; the processor keeps all that functions count on.
    unsafe {
        write_volatile(SYST_RVR, CLOCK / TICKS_PER_SECOND - 1);
        write_volatile(SYST_CVR, 0);
        write_volatile(SYST_CSR, 7);
    }
}

/// "Semihosting for AArch32 and AArch64".
#[inline(never)]
pub(super) fn ask_debugger(what: usize, arguments: &[usize]) -> isize {
    let mut answer = what as isize;
    // SAFETY: the debugger reads the arguments and what they point to.
    unsafe { asm!("bkpt 0xab", inout("r0") answer, in("r1") arguments.as_ptr()) };
    answer
}

/// Stops the machine.
#[unsafe(no_mangle)]
pub extern "C" fn power_off() -> ! {
    const STOP: usize = 0x18;
    const END_OF_PROGRAM: usize = 0x20026;
    loop {
        // SAFETY: the emulator ends, a debugger goes on.
        unsafe { asm!("bkpt 0xab", inout("r0") STOP => _, in("r1") END_OF_PROGRAM) };
    }
}
