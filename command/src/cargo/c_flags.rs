//! Has the C code that build scripts compile instrumented as well.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use super::config::Config;

/// Adds a flag to what build scripts compile C and C++ with for a target.
///
/// The `cc` crate, and crates that build on it, take the first of several variables that is set.
pub(super) fn add(cargo: &mut Command, target: &str, flag: &str, config: &Config) {
    for variable in ["CFLAGS", "CXXFLAGS"] {
        let names = [
            format!("{variable}_{target}"),
            format!("{variable}_{}", target.replace('-', "_")),
            format!("TARGET_{variable}"),
            variable.to_owned(),
        ];
        let value = |name: &str| env::var_os(name).or_else(|| config.variable(name));
        let found = names.iter().find_map(|name| Some((name, value(name)?)));
        // If no variable is set, we set the one for this target only.
        let (name, mut flags) = found.unwrap_or((&names[1], OsString::new()));
        if !flags.is_empty() {
            flags.push(" ");
        }
        flags.push(flag);
        cargo.env(name, flags);
    }
}
