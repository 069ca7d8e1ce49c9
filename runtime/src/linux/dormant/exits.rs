//! The exits of the program's functions, where a processor has exits that sleep.
//!
//! *Context:* any.

use gmon_format::dormant::{EXIT_DISTANCE_AT, Sleeper};

use super::Code;
use super::hooks::{__gmon_dormant, PROCESSOR, code_at, fentry, is_awake, switch_at};

/// Function that exits jump to, by the note; `None` if exits do not sleep.
pub(crate) fn exit_target() -> Option<usize> {
    let place = (&raw const __gmon_dormant as usize).wrapping_add(EXIT_DISTANCE_AT);
    let [_, _, distance] = __gmon_dormant;
    (distance != 0 && PROCESSOR.exits.is_some())
        .then(|| place.wrapping_add_signed(distance as i32 as isize))
}

/// An exit of the processor, and what it leads to.
fn exit_and_target() -> Option<(&'static Sleeper, usize)> {
    Some((&PROCESSOR.exits.as_ref()?.exit, exit_target()?))
}

/// Returns `true` if an exit is at an address.
pub(crate) fn is_exit(address: usize) -> bool {
    exit_and_target().is_some_and(|(exit, target)| is_awake(exit, address, target).is_some())
}

/// Address behind the hook of the function at an address, which the hook gets as selfpc; `None` if it has none.
pub(crate) fn hook_of(function: usize) -> Option<usize> {
    let hook = PROCESSOR.hook_of(function as u64, code_at(function)?) as usize;
    is_awake(&PROCESSOR.hook, hook, fentry())?;
    hook.checked_add(PROCESSOR.hook.len)
}

impl Code {
    /// Wakes the exit at an address, or puts it to sleep, if there is one.
    pub(crate) fn switch_exit(&mut self, address: usize, wake: bool) {
        let Some((exit, target)) = exit_and_target() else { return };
        let Some((place, bytes)) = switch_at(exit, address, target, wake) else { return };
        // SAFETY: of an exit, in which this may change under running processors, and lies as it has to for that.
        self.parts.iter().for_each(|part| unsafe { part.store(place, bytes) });
    }
}
