//! The program's account of the board that it runs on, and its services for the runtime there.
//!
//! *Context:* any.

use core::ffi::{c_char, c_int, c_uint};
use core::ops::Range;

use gmon_format::Sink;

/// `struct gmon_board` in `gmon.h`, which says what the fields are.
#[repr(C)]
struct Board {
    memory: *mut u8,
    memory_end: *mut u8,
    text: *const u8,
    text_end: *const u8,
    ticks_per_second: c_uint,
    write: Option<extern "C" fn(*const u8, usize) -> c_int>,
    say: Option<extern "C" fn(*const c_char, usize)>,
}

// SAFETY: addresses that are only taken as numbers, and functions.
unsafe impl Sync for Board {}

unsafe extern "C" {
    safe static gmon_board: Board;
}

/// The addresses of the block of memory, which is the runtime's alone.
pub fn memory() -> Range<usize> {
    gmon_board.memory as usize..gmon_board.memory_end as usize
}

/// The addresses of the code to be profiled.
pub fn text() -> Range<usize> {
    gmon_board.text as usize..gmon_board.text_end as usize
}

/// Ticks in a second. Readers divide by it.
pub fn ticks_per_second() -> u32 {
    gmon_board.ticks_per_second.max(1)
}

/// Shows the user a part of a line, if the board can show anything.
pub fn say(text: &[u8]) {
    if let Some(say) = gmon_board.say {
        say(text.as_ptr().cast(), text.len());
    }
}

/// Receiver of the bytes of `gmon.out`.
pub struct Output;

/// The board did not take them.
pub struct Refused;

impl Sink for Output {
    type Error = Refused;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let write = gmon_board.write.ok_or(Refused)?;
        if write(bytes.as_ptr(), bytes.len()) == 0 { Ok(()) } else { Err(Refused) }
    }
}
