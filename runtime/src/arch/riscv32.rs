//! 32-bit RISC-V, ILP32.

pub(crate) use super::riscv::without_signature;
pub(super) use super::riscv::{FRAME_RETURN, follows_call, is_frame_set_up};

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;
