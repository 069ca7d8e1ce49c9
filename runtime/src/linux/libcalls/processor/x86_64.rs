//! x86-64.

use super::super::stubs::Entry;

/// Calls into libraries can be counted.
pub(in super::super) const IS_SUPPORTED: bool = true;

/// `R_X86_64_JUMP_SLOT` and `R_X86_64_GLOB_DAT`.
pub(in super::super) const JUMP_SLOT: usize = 7;
pub(in super::super) const GLOB_DAT: usize = 6;

/// No symbol says anything of its function's registers.
pub(in super::super) const OTHER_REGISTERS: Option<u8> = None;

/// Addresses of functions have no other meaning.
pub(in super::super) const NO_ADDRESS: usize = 0;

/// Bytes of a stub.
pub(in super::super) const STUB: usize = 32;

/// The code of the stub at `at`, whose numbers are at `record`; the word of `entry` has the address of
/// `__gmon_library_call`. `None` if they are too far off.
///
/// ```text
/// endbr64
/// movq %r11, -16(%rsp)
/// leaq record(%rip), %r11
/// jmp *entry(%rip)
/// ```
pub(in super::super) fn stub(at: usize, record: usize, entry: &Entry) -> Option<[u8; STUB]> {
    const CODE: [&[u8]; 3] = [
        &[0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x89, 0x5c, 0x24, 0xf0],
        &[0x4c, 0x8d, 0x1d],
        &[0xff, 0x25],
    ];
    /// Where the two instructions with a distance end.
    const ENDS: [usize; 2] = [16, 22];
    let distance = |to: usize, end: usize| {
        let distance = to.wrapping_sub(at.wrapping_add(end)) as isize;
        i32::try_from(distance).ok().map(i32::to_ne_bytes)
    };
    let [record, entry] = [distance(record, ENDS[0])?, distance(entry.word, ENDS[1])?];
    let code = [CODE[0], CODE[1], &record, CODE[2], &entry];
    // What nobody comes to is a breakpoint.
    let mut stub = [0xcc; STUB];
    stub.iter_mut().zip(code.into_iter().flatten()).for_each(|(place, byte)| *place = *byte);
    Some(stub)
}

/// Asks a function which function is to be called.
///
/// # Safety
/// It must be what a symbol of type `STT_GNU_IFUNC` stands for, in a module that the loader is done with.
pub(in super::super) unsafe fn resolve(resolver: usize) -> Option<usize> {
    // SAFETY: such a function has this type on this processor, as the caller promises.
    let resolver: extern "C" fn() -> usize = unsafe { core::mem::transmute(resolver) };
    Some(resolver()).filter(|target| *target != 0)
}
