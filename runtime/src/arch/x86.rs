//! 32-bit x86, System V ABI.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/x86", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// `push %ecx`.
pub(super) const PUSH_CHAIN: &[u8] = &[0x51];
