//! 64-bit SPARC, V9.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc64", $suffix))
    };
}

/// The hooks see addresses of calls.
pub(crate) const CALL_OFFSET: usize = 0;
