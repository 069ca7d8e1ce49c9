//! A line for the user, without formatting or allocation.
//!
//! *Context:* any but a hook.

use crate::bare::board;

/// Shows `gmon: `, the parts and a line end.
pub fn say(parts: &[&[u8]]) {
    board::say(b"gmon: ");
    parts.iter().for_each(|part| board::say(part));
    board::say(b"\n");
}
