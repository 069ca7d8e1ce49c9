//! 32-bit SPARC, V8+: 32-bit addresses on a V9 processor.

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc", $suffix))
    };
}

/// The hooks see addresses of calls.
pub(crate) const CALL_OFFSET: usize = 0;
