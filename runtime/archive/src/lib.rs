//! `libgmon.a` and `libgmon.so`: the gmon runtime for programs that are not built by cargo.
//!
//! This crate has two lives. Compiled as a static library with `panic = "abort"` (see
//! [`MANIFEST_DIR`]) it is the runtime plus the panic handler that a `no_std` library needs, and
//! nothing more. Compiled in any other way, which is how the build script of the `gmon` command
//! sees it, it only says where its sources lie and which names the libraries define; the runtime is
//! then not linked, so no program profiles itself by accident.

#![no_std]

/// The folder of this crate's sources: the workspace's, or the one that cargo unpacked.
pub const MANIFEST_DIR: &str = env!("CARGO_MANIFEST_DIR");

/// The C names that the finished libraries define, one on each line; `#` starts a comment. A name that
/// a member of its own defines, assembled from `asm/members/MEMBER.S`, stands behind `MEMBER: `, and
/// one that only one architecture has before ` on ARCHITECTURE`.
pub const EXPORTS: &str = include_str!("../exports.txt");

/// The machines that programs can be profiled on; the table says how to read it.
pub const PORTS: &str = include_str!("../ports.txt");

/// The C header that declares what programs may call.
pub const HEADER: &str = include_str!("../include/gmon.h");

#[cfg(panic = "abort")]
mod memory;
#[cfg(panic = "abort")]
mod panic;
