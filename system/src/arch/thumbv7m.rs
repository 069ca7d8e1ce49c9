//! Cortex-M from V7-M on, AAPCS.

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;
