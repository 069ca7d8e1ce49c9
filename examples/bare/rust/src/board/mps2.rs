//! MPS2 with AN385, a Cortex-M3, or with AN505, a Cortex-M33 in the secure state.

use core::ptr::{read_volatile, write_volatile};

const IS_AN505: bool = cfg!(machine = "mps2-an505");

/// The clock of the processor, in Hz.
pub const CLOCK: u32 = if IS_AN505 { 20_000_000 } else { 25_000_000 };

const UART: usize = if IS_AN505 { 0x5020_0000 } else { 0x4000_4000 };
const DATA: *mut u32 = UART as *mut u32;
const STATE: *mut u32 = (UART + 4) as *mut u32;
const CONTROL: *mut u32 = (UART + 8) as *mut u32;
const DIVIDER: *mut u32 = (UART + 16) as *mut u32;

/// Sends a byte over the serial line.
pub fn send(byte: u8) {
    // SAFETY: the device's registers.
    unsafe {
        if read_volatile(CONTROL) == 0 {
            write_volatile(DIVIDER, 16);
            write_volatile(CONTROL, 1);
        }
        while read_volatile(STATE) & 1 != 0 {}
        write_volatile(DATA, u32::from(byte));
    }
}
