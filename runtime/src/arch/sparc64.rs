//! 64-bit SPARC, V9.

// What differs between the widths comes first; the source for both widths is made of it.
macro_rules! assembly {
    ($suffix:literal) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc64", $suffix)),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc.both", $suffix))
        )
    };
}

/// The hooks see addresses of calls.
pub(crate) const CALL_OFFSET: usize = 0;
