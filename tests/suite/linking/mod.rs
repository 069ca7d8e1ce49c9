//! Linking: by every compiler, linker and C library, in every form, next to other libraries and
//! without any, the counts are exact; and build systems find what they need.

mod bare;
mod first_pages;
mod linkers;
mod musl;
mod older_systems;
mod packages;
mod rust_libraries;
mod start_files;
mod static_programs;

use support::suite::Suite;

const SUITE: Suite = Suite("linking");
