//! The hooks of the program, where a processor has hooks that sleep.
//!
//! *Context:* any.

use gmon_format::dormant::{Code, DISTANCE_AT, LONGEST, NOTE_LEN, Processor, Sleeper};
use gmon_system::program::Program;
use gmon_system::writable_code::Bytes;

#[cfg(target_arch = "aarch64")]
pub(super) const PROCESSOR: &Processor = &Processor::AARCH64;
#[cfg(target_arch = "riscv64")]
pub(super) const PROCESSOR: &Processor = &Processor::RISCV64;
#[cfg(target_arch = "x86_64")]
pub(super) const PROCESSOR: &Processor = &Processor::X86_64;

unsafe extern "C" {
    /// The contents of the note, which `gmon cc --dormant` changes when it has linked the program.
    pub(super) safe static __gmon_dormant: [u32; NOTE_LEN / 4];
}

/// Returns `true` if the program has hooks that sleep.
pub(crate) fn are_there() -> bool {
    // The compiler must not reckon with what it sees: the linked file is changed afterwards.
    // SAFETY: a word of the note.
    unsafe { (&raw const __gmon_dormant[0]).read_volatile() != 0 }
}

/// Function that the hooks call, by the note.
pub(super) fn fentry() -> usize {
    let place = (&raw const __gmon_dormant as usize).wrapping_add(DISTANCE_AT);
    let [_, distance, _] = __gmon_dormant;
    place.wrapping_add_signed(distance as i32 as isize)
}

/// Place of the store that wakes the hook of the function at an address, or puts it to sleep, and its bytes; `None` if
/// the function has no hook, or one that is as it should be.
pub(super) fn switch(function: usize, wake: bool) -> Option<(usize, Bytes)> {
    let hook = PROCESSOR.hook_of(function as u64, code_at(function)?) as usize;
    switch_at(&PROCESSOR.hook, hook, fentry(), wake)
}

/// Tells whether what sleeps or leads to a target at an address is awake; `None` if it is something else.
pub(super) fn is_awake(sleeper: &Sleeper, address: usize, target: usize) -> Option<bool> {
    let mut code: Code = [0; LONGEST];
    code_into(address, code.get_mut(..sleeper.len)?)?;
    sleeper.is_awake(&code, address as u64, target as u64)
}

/// As [`switch`], of what is at an address and leads to a target.
pub(super) fn switch_at(
    sleeper: &Sleeper,
    address: usize,
    target: usize,
    wake: bool,
) -> Option<(usize, Bytes)> {
    if is_awake(sleeper, address, target)? == wake {
        return None;
    }
    let code = sleeper.code(address as u64, target as u64, wake)?;
    let bytes = match *code.get(sleeper.switched.clone())? {
        [byte] => Bytes::One(byte),
        [a, b, c, d] => Bytes::Four([a, b, c, d]),
        _ => return None,
    };
    Some((address.checked_add(sleeper.switched.start)?, bytes))
}

/// Bytes of the program's code.
pub(crate) fn code_at<const N: usize>(address: usize) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    code_into(address, &mut bytes).map(|()| bytes)
}

/// Copies bytes of the program's code.
fn code_into(address: usize, bytes: &mut [u8]) -> Option<()> {
    let end = address.checked_add(bytes.len())?;
    let is_code = Program::get()?.code().any(|code| code.start <= address && end <= code.end);
    for (byte, place) in bytes.iter_mut().zip(address..end).filter(|_| is_code) {
        // SAFETY: inside of a segment with code, which stays mapped. What a switch changes of it may be another one a moment
        // later.
        *byte = unsafe { (place as *const u8).read_volatile() };
    }
    is_code.then_some(())
}
