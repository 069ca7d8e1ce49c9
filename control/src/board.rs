//! Boards without a system: what the runtime has to know of them, and what they do for it.

use core::ffi::{c_char, c_int, c_uint};

/// Facts that a program on bare metal tells the runtime. It defines one by the name `gmon_board`:
///
/// ```ignore
/// use core::ffi::c_int;
/// use gmon_control::Board;
///
/// static mut MEMORY: [u64; 8192] = [0; 8192];
///
/// unsafe extern "C" {
///     // From the linker script.
///     static __text_start: u8;
///     static __text_end: u8;
/// }
///
/// #[unsafe(no_mangle)]
/// static gmon_board: Board = Board {
///     memory: (&raw mut MEMORY).cast(),
///     memory_end: (&raw mut MEMORY).wrapping_add(1).cast(),
///     text: &raw const __text_start,
///     text_end: &raw const __text_end,
///     ticks_per_second: 1000,
///     write,
///     say: None,
/// };
///
/// extern "C" fn write(bytes: *const u8, count: usize) -> c_int {
///     // Send them.
///     0
/// }
/// ```
#[repr(C)]
#[derive(Debug)]
pub struct Board {
    /// The first byte of RAM that nobody else uses.
    pub memory: *mut u8,
    /// Behind its last byte.
    pub memory_end: *mut u8,
    /// The first byte of the code to be profiled.
    pub text: *const u8,
    /// Behind its last byte.
    pub text_end: *const u8,
    /// Calls of [`tick`](crate::tick) in a second.
    pub ticks_per_second: c_uint,
    /// Takes the next bytes of `gmon.out`; returns 0, or anything else if they cannot be taken.
    pub write: extern "C" fn(bytes: *const u8, count: usize) -> c_int,
    /// Shows a part of a line to the user.
    pub say: Option<extern "C" fn(text: *const c_char, length: usize)>,
}

// SAFETY: addresses that the runtime takes as numbers, and functions. That nobody else uses the memory is
// what a program says by defining a board.
unsafe impl Sync for Board {}
