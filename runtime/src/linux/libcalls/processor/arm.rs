//! ARM, 32 bits.

use super::super::stubs::Entry;
use crate::linux::c_library;

/// Calls into libraries can be counted.
pub(in super::super) const IS_SUPPORTED: bool = true;

/// `R_ARM_JUMP_SLOT` and `R_ARM_GLOB_DAT`.
pub(in super::super) const JUMP_SLOT: usize = 22;
pub(in super::super) const GLOB_DAT: usize = 21;

/// No symbol says anything of its function's registers.
pub(in super::super) const OTHER_REGISTERS: Option<u8> = None;

/// Addresses of functions in Thumb code are odd.
pub(in super::super) const NO_ADDRESS: usize = 1;

/// Bytes of a stub.
pub(in super::super) const STUB: usize = 16;

/// The code of the stub at `at`, whose numbers are at `record`.
///
/// ```text
/// ldr   ip, 1f
/// ldr   pc, 2f
/// 1: .word record
/// 2: .word __gmon_library_call
/// ```
pub(in super::super) fn stub(_at: usize, record: usize, entry: &Entry) -> Option<[u8; STUB]> {
    /// Both words lie eight bytes behind their instructions, which is what a pc is ahead.
    const LDR_IP: u32 = 0xe59f_c000;
    const LDR_PC: u32 = 0xe59f_f000;
    let [record, function] = [record, entry.function].map(u32::try_from);
    let words = [LDR_IP, LDR_PC, record.ok()?, function.ok()?];
    let mut stub = [0; STUB];
    let places = stub.chunks_exact_mut(4);
    places.zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_ne_bytes()));
    Some(stub)
}

/// Asks a function which function is to be called.
///
/// # Safety
/// It must be what a symbol of type `STT_GNU_IFUNC` stands for, in a module that the loader is done with.
pub(in super::super) unsafe fn resolve(resolver: usize) -> Option<usize> {
    // SAFETY: such a function has this type on this processor, as the caller promises.
    let resolver: extern "C" fn(usize) -> usize = unsafe { core::mem::transmute(resolver) };
    let hardware = c_library::auxiliary_value(libc::AT_HWCAP).unwrap_or(0);
    Some(resolver(hardware as usize)).filter(|target| *target != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        let entry = Entry { word: 0x51000, function: 0x1234_5678 };
        let words = [0xe59f_c000_u32, 0xe59f_f000, 0x51018, 0x1234_5678];
        let stub = stub(0x50000, 0x51018, &entry).unwrap();
        assert!(stub.chunks(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).eq(words));
    }
}
