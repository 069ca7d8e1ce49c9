//! The hooks of `-finstrument-functions`. They are ordinary calls, so that this serves all processors but x86-64, whose own
//! hooks find most calls without coming to Rust.
//!
//! The processor's stub counts calls, as in programs that nobody can time: while calls are timed it goes on as ever.
//!
//! *Context:* hook.

use gmon_system::arch;

use super::{instrumented, shadow, switch};
use crate::state::{self, State};

/// Counts a call of the function that calls the hook, and begins its time. `slot` is the stack pointer at the call of the hook,
/// which returns to `hook`; `frame` is what the register has that may point to the function's frame.
#[unsafe(no_mangle)]
extern "C" fn __gmon_enter(from_pc: usize, self_pc: usize, slot: usize, frame: usize, hook: usize) {
    instrumented::note();
    if is_timed() {
        shadow::__gmon_times_open(from_pc, self_pc, slot, frame, hook);
    }
    arch::count(from_pc, self_pc);
}

/// Ends the time of a call that [`__gmon_enter`] has begun.
#[unsafe(no_mangle)]
extern "C" fn __gmon_leave(from_pc: usize, self_pc: usize, slot: usize, frame: usize, hook: usize) {
    if is_timed() {
        shadow::__gmon_times_close(self_pc, from_pc, slot, frame, hook);
    }
}

fn is_timed() -> bool {
    switch::number() != 0 && state::get() == State::On
}
