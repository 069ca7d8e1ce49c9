//! Linking: by every compiler, linker and C library, in every form, next to other libraries and
//! without any, the counts are exact; and build systems find what they need.

#[path = "../support/mod.rs"]
mod support;

mod bare;
mod linkers;
mod musl;
mod older_systems;
mod packages;
mod rust_libraries;
mod start_files;
mod static_programs;

use support::{
    modes::{Mode, Runtime},
    suite::Suite,
};

const SUITE: Suite = Suite("linking");

/// A way to link with `libgmon.a`.
const fn linked(
    name: &'static str,
    compile: &'static [&'static str],
    link: &'static [&'static str],
) -> Mode {
    Mode { name, hooks: &["-pg"], compile, link, runtime: Runtime::Linked, not_with: &[] }
}
