//! MPS2 with AN385, a Cortex-M3, as qemu has it.

use core::arch::{asm, global_asm};
use core::ptr::{read_volatile, write_volatile};

use super::TICKS_PER_SECOND;

// Its lines for C's preprocessor are comments here. What stands between them turns a floating point unit on, and does nothing
// to a processor without one.
global_asm!(include_str!("../../../cortex-m/start.S"), options(raw));

const CLOCK: u32 = 25_000_000;
const UART_DATA: *mut u32 = 0x4000_4000 as *mut u32;
const UART_STATE: *mut u32 = 0x4000_4004 as *mut u32;
const UART_CONTROL: *mut u32 = 0x4000_4008 as *mut u32;
const UART_DIVIDER: *mut u32 = 0x4000_4010 as *mut u32;
const SYST_CSR: *mut u32 = 0xe000_e010 as *mut u32;
const SYST_RVR: *mut u32 = 0xe000_e014 as *mut u32;
const SYST_CVR: *mut u32 = 0xe000_e018 as *mut u32;

/// Sends a byte over the serial line.
pub(super) fn send(byte: u8) {
    // SAFETY: the device's registers.
    unsafe {
        if read_volatile(UART_CONTROL) == 0 {
            write_volatile(UART_DIVIDER, 16);
            write_volatile(UART_CONTROL, 1);
        }
        while read_volatile(UART_STATE) & 1 != 0 {}
        write_volatile(UART_DATA, u32::from(byte));
    }
}

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
