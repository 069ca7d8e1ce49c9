//! 32-bit SPARC, V8+: 32-bit addresses on a V9 processor.

// What differs between the widths comes first; the source for both widths is made of it.
macro_rules! assembly {
    ($suffix:literal) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc", $suffix)),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/sparc.both", $suffix))
        )
    };
}

/// The hooks see addresses of calls.
pub(crate) const CALL_OFFSET: usize = 0;
