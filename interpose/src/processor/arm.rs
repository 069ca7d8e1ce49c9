//! ARM, 32 bits.

use libc::c_ulong;

use super::{Entry, Processor};

/// ARM, 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm;

impl Processor for Arm {
    type Stub = [u8; 16];

    /// `R_ARM_JUMP_SLOT` and `R_ARM_GLOB_DAT`.
    const JUMP_SLOT: usize = 22;
    const GLOB_DAT: usize = 21;
    /// Addresses of functions in Thumb code are odd.
    const NO_ADDRESS: usize = 1;

    /// ```text
    /// ldr   ip, 1f
    /// ldr   pc, 2f
    /// 1: .word record
    /// 2: .word __gmon_library_call
    /// ```
    fn stub(_at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        /// Both words lie eight bytes behind their instructions, which is what a pc is ahead.
        const LDR_IP: u32 = 0xe59f_c000;
        const LDR_PC: u32 = 0xe59f_f000;
        let [record, function] = [record, entry.function].map(u32::try_from);
        let words = [LDR_IP, LDR_PC, record.ok()?, function.ok()?];
        let mut stub = [0; 16];
        let places = stub.chunks_exact_mut(4);
        places.zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_ne_bytes()));
        Some(stub)
    }

    unsafe fn resolve(
        resolver: usize,
        auxiliary: &dyn Fn(c_ulong) -> Option<c_ulong>,
    ) -> Option<usize> {
        // SAFETY: such a function has this type on this processor, as the caller promises.
        let resolver: extern "C" fn(usize) -> usize = unsafe { core::mem::transmute(resolver) };
        let hardware = auxiliary(libc::AT_HWCAP).unwrap_or(0);
        Some(resolver(hardware as usize)).filter(|target| *target != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        let entry = Entry { word: 0x51000, function: 0x1234_5678 };
        let words = [0xe59f_c000_u32, 0xe59f_f000, 0x51018, 0x1234_5678];
        let stub = Arm::stub(0x50000, 0x51018, &entry).unwrap();
        assert!(stub.chunks(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).eq(words));
    }
}
