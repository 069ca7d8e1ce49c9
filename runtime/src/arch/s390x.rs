//! IBM Z in 64 bits.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/s390x", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;
