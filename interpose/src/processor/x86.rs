//! x86, 32 bits.

use libc::c_ulong;

use super::{Entry, Processor};

/// x86, 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X86;

impl Processor for X86 {
    type Stub = [u8; 16];

    /// `R_386_JMP_SLOT` and `R_386_GLOB_DAT`.
    const JUMP_SLOT: usize = 7;
    const GLOB_DAT: usize = 6;

    /// ```text
    /// endbr32
    /// call *entry
    /// jmp  *record.target
    /// ```
    ///
    /// Functions may get arguments in all registers that a call need not keep, and signal handlers write below the stack
    /// pointer: so there is no place but memory for where to go on, and the jump's own word tells where the record is.
    fn stub(_at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        let target = u32::try_from(record.checked_add(size_of::<u32>())?).ok()?;
        let entry = u32::try_from(entry.word).ok()?;
        let mut stub = [0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x15, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0];
        stub[6..10].copy_from_slice(&entry.to_le_bytes());
        stub[12..16].copy_from_slice(&target.to_le_bytes());
        Some(stub)
    }

    unsafe fn resolve(
        resolver: usize,
        _auxiliary: &dyn Fn(c_ulong) -> Option<c_ulong>,
    ) -> Option<usize> {
        // SAFETY: such a function has this type on this processor, as the caller promises.
        let resolver: extern "C" fn() -> usize = unsafe { core::mem::transmute(resolver) };
        Some(resolver()).filter(|target| *target != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // endbr32; call *0x51000; jmp *0x5101c
        let code =
            [0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x15, 0, 0x10, 5, 0, 0xff, 0x25, 0x1c, 0x10, 5, 0];
        assert_eq!(X86::stub(0x50000, 0x51018, &Entry { word: 0x51000, function: 0 }), Some(code));
    }
}
