//! 32-bit RISC-V, ILP32.

pub use super::riscv::without_signature;
pub use super::riscv::{FRAME_RETURN, follows_call, is_frame_set_up};

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;
