//! Cortex-M of V6-M, AAPCS.

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;
