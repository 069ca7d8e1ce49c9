//! The end of a program by a defect of the runtime.

use gmon_system::message;

use crate::state::{self, State};

/// Says that the runtime is at fault, and stays there: without a system nobody can end a program, and with
/// unknown state behind it it should not go on.
///
/// For the panic handler of the library. Nothing in it is meant to panic. *Context:* any.
pub fn abort() -> ! {
    state::set(State::Off);
    message::say(&[b"internal error in the profiling runtime, stopped"]);
    loop {
        core::hint::spin_loop();
    }
}
