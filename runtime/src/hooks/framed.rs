//! The caller of a function by its frame, where compilers differ in what they pass to the hook.
//!
//! gcc and LLVM since 20 pass the return address into the caller. LLVM before that passes nothing, so
//! that the register holds whatever the function was called with, but sets up a frame with a pointer to
//! it, which gcc may not.
//!
//! *Context:* hook.

use gmon_system::arch::{FRAME_RETURN, follows_call, is_frame_set_up, without_signature};
use gmon_system::program::Program;

use crate::system::life;

/// The slow path of the hook: `passed` is what the caller may have passed, `frame` and `stack` what the
/// frame pointer and the stack pointer were.
#[unsafe(no_mangle)]
extern "C" fn __gmon_framed_miss(passed: usize, self_pc: usize, frame: usize, stack: usize) {
    let passed = without_signature(passed);
    // SAFETY: code before a return address; `self_pc` is one.
    let is_framed = unsafe { is_frame_set_up(self_pc, frame, stack) };
    let framed = if is_framed { return_address(frame, stack) } else { None };
    let from_pc = match framed {
        Some(framed) if framed != passed => the_caller([framed, passed]),
        None if !follows_call_in_program(passed) => 0,
        _ => passed,
    };
    life::count_call(from_pc, self_pc);
}

/// Return address of a frame, if it is one.
fn return_address(frame: usize, stack: usize) -> Option<usize> {
    /// Size of the frame of one function, at most.
    const LARGEST: usize = 1 << 24;
    let is_frame = frame % size_of::<usize>() == 0 && frame.wrapping_sub(stack) < LARGEST;
    let place = frame.wrapping_add_signed(FRAME_RETURN) as *const usize;
    // SAFETY: an aligned word on this stack, in a frame that is in use.
    is_frame.then(|| without_signature(unsafe { *place }))
}

/// The first of the addresses that a call in the program returns to; if there is none, the caller is
/// outside.
fn the_caller(candidates: [usize; 2]) -> usize {
    candidates.into_iter().find(|pc| follows_call_in_program(*pc)).unwrap_or(0)
}

fn follows_call_in_program(pc: usize) -> bool {
    let Some(program) = Program::get() else { return false };
    // The longest call has four bytes.
    let can_follow = program.text.contains(&pc.wrapping_sub(4)) && program.text.contains(&pc);
    // SAFETY: both are in the program's text.
    can_follow && unsafe { follows_call(pc) }
}
