//! 32-bit ARM, AAPCS.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/arm", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;
