//! The caller of a function by its frame, where compilers differ in what they pass to the hook.
//!
//! gcc and LLVM since 20 pass the return address into the caller. LLVM before that passes nothing, so
//! that the register holds whatever the function was called with, but sets up a frame record.
//!
//! *Context:* hook.

use super::{FRAME_RETURN, follows_call, without_signature};
use crate::life;
use crate::program::Program;

/// The slow path of the hook: `passed` is what the caller may have passed, `frame` what the frame
/// pointer was.
#[unsafe(no_mangle)]
extern "C" fn __gmon_framed_miss(passed: usize, self_pc: usize, frame: usize) {
    let passed = without_signature(passed);
    let from_pc = match return_address(frame) {
        Some(framed) if framed != passed => the_caller(framed, passed),
        _ => passed,
    };
    life::count_call(from_pc, self_pc);
}

/// What the frame says, if it is a frame.
fn return_address(frame: usize) -> Option<usize> {
    /// How large the frame of one function can be.
    const LARGEST: usize = 1 << 24;
    let here = (&raw const frame) as usize;
    let is_frame = frame % size_of::<usize>() == 0 && frame.wrapping_sub(here) < LARGEST;
    // SAFETY: an aligned word on this stack, above the frames that are in use by the runtime.
    is_frame.then(|| {
        without_signature(unsafe { *(frame.wrapping_add_signed(FRAME_RETURN) as *const usize) })
    })
}

/// The one of two addresses that a call in the program returns to; if neither, the caller is outside.
fn the_caller(framed: usize, passed: usize) -> usize {
    let Some(program) = Program::get() else { return framed };
    let is_call = |pc: &usize| {
        // The longest call has four bytes.
        let can_follow = program.text.contains(&pc.wrapping_sub(4)) && program.text.contains(pc);
        // SAFETY: both are in the program's text.
        can_follow && unsafe { follows_call(*pc) }
    };
    [framed, passed].into_iter().find(is_call).unwrap_or(0)
}
