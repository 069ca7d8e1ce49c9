//! The board: qemu's `virt` machine for RISC-V, and what the profiling runtime has to know of it.

use core::arch::{asm, global_asm};
use core::ffi::{c_char, c_int};
use core::panic::PanicInfo;
use core::ptr::{read_volatile, write_volatile};

use gmon_control::Board;

global_asm!(include_str!("../../start.S"), include_str!("interrupt.S"));

const UART: *mut u8 = 0x1000_0000 as *mut u8;
const TEST_DEVICE: *mut u32 = 0x10_0000 as *mut u32;
const TIME: *const u64 = 0x0200_bff8 as *const u64;
const TIME_COMPARE: *mut u64 = 0x0200_4000 as *mut u64;
const TIME_PER_SECOND: u64 = 10_000_000;

const TICKS_PER_SECOND: u32 = 1000;
const PERIOD: u64 = TIME_PER_SECOND / TICKS_PER_SECOND as u64;

/// 64 KiB for the profile.
static mut MEMORY: [u64; 8192] = [0; 8192];

unsafe extern "C" {
    static __text_start: u8;
    static __text_end: u8;
}

#[unsafe(no_mangle)]
static gmon_board: Board = Board {
    memory: (&raw mut MEMORY).cast(),
    memory_end: (&raw mut MEMORY).wrapping_add(1).cast(),
    text: &raw const __text_start,
    text_end: &raw const __text_end,
    ticks_per_second: TICKS_PER_SECOND,
    write: write_file,
    say: Some(say),
};

extern "C" fn say(text: *const c_char, length: usize) {
    for i in 0..length {
        // SAFETY: the runtime lends so many bytes; the device sends what is written there.
        unsafe { write_volatile(UART, *text.cast::<u8>().add(i)) };
    }
}

/// Prints text.
pub fn print(text: &str) {
    say(text.as_ptr().cast(), text.len());
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

/// Writes the profile to the file `gmon.out` of the computer that runs the debugger or qemu.
pub fn write_profile() -> bool {
    const WRITE_BINARY: usize = 5;
    const NAME: &str = "gmon.out\0";
    let file = ask_debugger(1, &[NAME.as_ptr() as usize, WRITE_BINARY, NAME.len() - 1]);
    // SAFETY: only this hart looks at it, and only below.
    unsafe { FILE = file as usize };
    let is_written = gmon_control::snapshot();
    ask_debugger(2, &[file as usize]);
    is_written
}

static mut FILE: usize = 0;

extern "C" fn write_file(bytes: *const u8, count: usize) -> c_int {
    // SAFETY: this hart has set it, and calls us from `write_profile`.
    let file = unsafe { FILE };
    // The debugger answers how many bytes it has not written.
    c_int::from(ask_debugger(5, &[file, bytes as usize, count]) != 0)
}

/// "RISC-V Semihosting", 2.
#[inline(never)]
fn ask_debugger(what: usize, arguments: &[usize]) -> isize {
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

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    print("panic\n");
    power_off()
}

/// Stops the machine.
#[unsafe(no_mangle)]
pub extern "C" fn power_off() -> ! {
    loop {
        // SAFETY: the device that does so.
        unsafe { write_volatile(TEST_DEVICE, 0x5555) };
    }
}
