//! The BBC micro:bit, a Cortex-M0, as qemu has it: with SysTick, which the real one's nRF51 lacks.

use core::ptr::{read_volatile, write_volatile};

/// The clock of the processor, in Hz.
pub const CLOCK: u32 = 16_000_000;

const START: *mut u32 = 0x4000_2008 as *mut u32;
const READY: *mut u32 = 0x4000_211c as *mut u32;
const ENABLE: *mut u32 = 0x4000_2500 as *mut u32;
const DATA: *mut u32 = 0x4000_251c as *mut u32;

/// Sends a byte over the serial line.
pub fn send(byte: u8) {
    // SAFETY: the device's registers.
    unsafe {
        if read_volatile(ENABLE) == 0 {
            write_volatile(ENABLE, 4);
            write_volatile(START, 1);
        }
        write_volatile(READY, 0);
        write_volatile(DATA, u32::from(byte));
        while read_volatile(READY) == 0 {}
    }
}
