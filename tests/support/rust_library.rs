//! The part of Rust's library that programs for another machine need.

use std::{env, path::Path, process::Command};

use super::{
    command::{output_of, quiet},
    tools,
};

/// Has a command of cargo's compile for a target: with the library that the compiler has for it, or with
/// `crates` of it compiled by a compiler that has their source. False if there is neither; in CI there has to
/// be.
///
/// # Panics
///
/// If there is neither in CI.
pub fn compile_for(command: &mut Command, target: &str, crates: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = output_of(quiet(rustc).args(["--print=target-libdir", "--target", target]));
    let libraries = String::from_utf8_lossy(&libraries.stdout).into_owned();
    if Path::new(libraries.trim_end()).exists() {
        return true;
    }
    let Some(rustc) = env::var_os("GMON_RUSTC") else {
        tools::skip(format!("no library of Rust's; `rustup target add {target}`"));
        return false;
    };
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.args(["-Z", &format!("build-std={crates}")]);
    true
}
