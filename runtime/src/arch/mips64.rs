//! 64-bit MIPS, little-endian, n64.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/mips64", $suffix))
    };
}

/// A return address is behind the instruction that follows the call, which belongs to it.
pub(crate) const CALL_OFFSET: usize = 1;
