//! 64-bit PowerPC, little-endian, ELFv2.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/powerpc64", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;
