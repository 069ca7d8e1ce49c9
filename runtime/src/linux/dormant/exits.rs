//! The exits of the program's functions, where a processor has exits that sleep.
//!
//! *Context:* any.

use gmon_format::dormant::{Code as Bytes, EXIT_DISTANCE_AT, LONGEST};

use super::Code;
use super::hooks::{__gmon_dormant, PROCESSOR, code_at, fentry};
use crate::linux::writable_code;

/// Function that exits jump to, by the note; `None` if exits do not sleep.
pub(crate) fn exit_target() -> Option<usize> {
    let place = (&raw const __gmon_dormant as usize).wrapping_add(EXIT_DISTANCE_AT);
    let [_, _, distance] = __gmon_dormant;
    (distance != 0 && PROCESSOR.exits.is_some())
        .then(|| place.wrapping_add_signed(distance as i32 as isize))
}

/// Tells whether the exit at an address is awake; `None` if there is none.
fn exit_is_awake(exit: usize) -> Option<bool> {
    PROCESSOR.exits?.is_awake(code_at(exit)?, exit as u64, exit_target()? as u64)
}

/// Returns `true` if an exit is at an address.
pub(crate) fn is_exit(exit: usize) -> bool {
    exit_is_awake(exit).is_some()
}

/// The byte that wakes the exit at an address, or puts it to sleep; `None` if there is no exit, or one that is as it should be.
fn switch_of_exit(exit: usize, wake: bool) -> Option<u8> {
    let exits = PROCESSOR.exits?;
    let is_other = exit_is_awake(exit)? != wake;
    is_other.then_some(if wake { exits.awake } else { exits.asleep })
}

/// Address behind the hook of the function at an address, which the hook gets as selfpc; `None` if it has none.
pub(crate) fn hook_of(function: usize) -> Option<usize> {
    let hook = PROCESSOR.hook_of(function as u64, code_at(function)?) as usize;
    let bytes: [u8; PROCESSOR.len] = code_at(hook)?;
    let mut code: Bytes = [0; LONGEST];
    code.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    PROCESSOR.is_awake(&code, hook as u64, fentry() as u64)?;
    hook.checked_add(PROCESSOR.len)
}

impl Code {
    /// Wakes the exit at an address, or puts it to sleep, if there is one.
    pub(crate) fn switch_exit(&mut self, exit: usize, wake: bool) {
        let Some(byte) = switch_of_exit(exit, wake) else { return };
        let byte = writable_code::Bytes::One(byte);
        // SAFETY: of an exit, in which this byte may change under running processors.
        self.parts.iter().for_each(|part| unsafe { part.store(exit, byte) });
    }
}
