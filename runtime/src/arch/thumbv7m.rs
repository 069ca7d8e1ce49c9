//! Cortex-M from V7-M on, AAPCS.

// 32-bit ARM shares some macros.
macro_rules! assembly {
    (".S") => {
        concat!(
            shared_assembly!(".v7.S"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/thumbv7m.S"))
        )
    };
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/thumbv7m", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;
