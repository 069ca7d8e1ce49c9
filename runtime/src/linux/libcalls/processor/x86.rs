//! x86, 32 bits.

use super::super::stubs::Entry;

/// Calls into libraries can be counted.
pub(in super::super) const IS_SUPPORTED: bool = true;

/// `R_386_JMP_SLOT` and `R_386_GLOB_DAT`.
pub(in super::super) const JUMP_SLOT: usize = 7;
pub(in super::super) const GLOB_DAT: usize = 6;

/// No symbol says anything of its function's registers.
pub(in super::super) const OTHER_REGISTERS: Option<u8> = None;

/// Addresses of functions have no other meaning.
pub(in super::super) const NO_ADDRESS: usize = 0;

/// Bytes of a stub.
pub(in super::super) const STUB: usize = 16;

/// The code of the stub at `at`, whose numbers are at `record`; the word of `entry` has the address of
/// `__gmon_library_call`.
///
/// ```text
/// endbr32
/// call *entry
/// jmp  *record.target
/// ```
///
/// Functions may get arguments in all registers that a call need not keep, and signal handlers write below the stack
/// pointer: so there is no place but memory for where to go on, and the jump's own word tells where the record is.
pub(in super::super) fn stub(_at: usize, record: usize, entry: &Entry) -> Option<[u8; STUB]> {
    let target = u32::try_from(record.checked_add(size_of::<usize>())?).ok()?;
    let entry = u32::try_from(entry.word).ok()?;
    let mut stub = [0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x15, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0];
    stub[6..10].copy_from_slice(&entry.to_le_bytes());
    stub[12..16].copy_from_slice(&target.to_le_bytes());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // endbr32; call *0x51000; jmp *0x5101c
        let code =
            [0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x15, 0, 0x10, 5, 0, 0xff, 0x25, 0x1c, 0x10, 5, 0];
        assert_eq!(stub(0x50000, 0x51018, &Entry { word: 0x51000, function: 0 }), Some(code));
    }
}
