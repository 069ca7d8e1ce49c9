//! x86-64, System V ABI.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/x86_64", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// `push %r10`.
pub(super) const PUSH_CHAIN: &[u8] = &[0x41, 0x52];
