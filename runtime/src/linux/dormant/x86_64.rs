//! Hooks that sleep, on x86-64.
//!
//! *Context:* any.

use gmon_format::dormant::{ASLEEP, AWAKE, DISTANCE_AT, LANDING_PAD, LEN, NOTE_LEN, is_hook};

use crate::linux::program::Program;

unsafe extern "C" {
    /// The contents of the note, which `gmon cc --dormant` changes when it has linked the program.
    safe static __gmon_dormant: [u32; NOTE_LEN / 4];
}

/// Whether the program has hooks that sleep.
pub(super) fn has_dormant_hooks() -> bool {
    // The compiler must not reckon with what it sees: the linked file is changed afterwards.
    // SAFETY: a word of the note.
    unsafe { (&raw const __gmon_dormant[0]).read_volatile() != 0 }
}

/// What the hooks call, by the note.
fn fentry() -> usize {
    let place = (&raw const __gmon_dormant as usize).wrapping_add(DISTANCE_AT);
    let [_, distance] = __gmon_dormant;
    place.wrapping_add_signed(distance as i32 as isize)
}

/// The address of a function's hook, and whether it is awake; `None` if it has none.
pub(super) fn hook_of(function: usize) -> Option<(usize, bool)> {
    let is_tracked = code_at(function)? == LANDING_PAD;
    let address = if is_tracked { function.checked_add(LANDING_PAD.len())? } else { function };
    let bytes: [u8; LEN] = code_at(address)?;
    let [first, ..] = bytes;
    is_hook(bytes, address as u64, fentry() as u64).then_some((address, first == AWAKE))
}

/// The first byte of a hook.
pub(super) fn first(is_awake: bool) -> u8 {
    if is_awake { AWAKE } else { ASLEEP }
}

/// Bytes of the program's code.
fn code_at<const N: usize>(address: usize) -> Option<[u8; N]> {
    let end = address.checked_add(N)?;
    let is_code = Program::get()?.code().any(|code| code.start <= address && end <= code.end);
    // SAFETY: inside of a segment with code, which stays mapped. One byte of it may be another one a moment later.
    is_code.then(|| unsafe { (address as *const [u8; N]).read_volatile() })
}
