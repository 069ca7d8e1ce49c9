//! Entries of the program into the runtime, beside what it calls on every system.
//!
//! *Context:* as each says.

use gmon_system::charge::charged_pc;

use crate::bare::life;
use crate::histogram;
use crate::state::{self, State};

/// Starts profiling, sampling addresses from `low_pc` up to `high_pc` instead of all of the board's code.
/// Ignored while a profile is being taken. *Context:* startup.
#[unsafe(no_mangle)]
pub extern "C" fn monstartup(low_pc: usize, high_pc: usize) {
    life::start(Some(low_pc..high_pc));
}

/// Counts one tick: the code at `pc` was interrupted by it. *Context:* an interrupt handler.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_tick(pc: usize) {
    if state::get() == State::On {
        histogram::add(charged_pc(pc), 1);
    }
}
