//! The `gmon` command.
fn main() {}
