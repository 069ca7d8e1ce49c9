//! What the profiling runtime has to know of the board, and what the program asks of it. Each machine has its own part.

use core::ffi::{c_char, c_int};
use core::panic::PanicInfo;

use gmon_control::Board;

#[cfg_attr(target_arch = "arm", path = "cortex_m.rs")]
#[cfg_attr(not(target_arch = "arm"), path = "riscv.rs")]
mod machine;

pub use machine::start_timer;
use machine::{ask_debugger, power_off, send};

const TICKS_PER_SECOND: u32 = 1000;

/// 64 KiB for the profile, on the small board 8.
const WORDS: usize = if cfg!(machine = "microbit") { 1024 } else { 8192 };
static mut MEMORY: [u64; WORDS] = [0; WORDS];

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
        // SAFETY: the runtime lends so many bytes.
        send(unsafe { *text.cast::<u8>().add(i) });
    }
}

/// Prints text.
pub fn print(text: &str) {
    say(text.as_ptr().cast(), text.len());
}

/// Writes the profile to the file `gmon.out` of the computer that runs the debugger or qemu.
pub fn write_profile() -> bool {
    const WRITE_BINARY: usize = 5;
    const NAME: &str = "gmon.out\0";
    let file = ask_debugger(1, &[NAME.as_ptr() as usize, WRITE_BINARY, NAME.len() - 1]);
    // SAFETY: only this processor looks at it, and only below.
    unsafe { FILE = file as usize };
    let is_written = gmon_control::snapshot();
    ask_debugger(2, &[file as usize]);
    is_written
}

static mut FILE: usize = 0;

extern "C" fn write_file(bytes: *const u8, count: usize) -> c_int {
    // SAFETY: this processor has set it, and calls us from `write_profile`.
    let file = unsafe { FILE };
    // The debugger answers how many bytes it has not written.
    c_int::from(ask_debugger(5, &[file, bytes as usize, count]) != 0)
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    print("panic\n");
    power_off()
}
