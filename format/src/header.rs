//! The 20 bytes that a GNU `gmon.out` begins with: `gmon`, a 32-bit version, 12 spare bytes.

/// The first four bytes of the file.
pub const MAGIC: [u8; 4] = *b"gmon";

/// The version this crate writes.
pub const VERSION: u32 = 1;

/// Size of the header in bytes.
pub const LEN: usize = 20;
