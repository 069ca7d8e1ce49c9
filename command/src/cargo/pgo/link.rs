//! The order of functions, as the linker of a program takes it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::cargo::compilation;
use crate::temporary;

/// The formats of `gmon export` that give a linker the order, each with what its option begins with.
pub(in crate::cargo) const ORDERS: [(&str, &str); 3] = [
    ("symbol-order", "-Clink-arg=-Wl,--no-warn-symbol-ordering,--symbol-ordering-file="),
    ("section-order", "-Clink-arg=-Wl,--section-ordering-file="),
    ("script-order", "-Clink-arg=-Wl,-T,"),
];

/// The file of a format, of those that begin so.
pub(in crate::cargo) fn file(start: &OsStr, format: &str) -> OsString {
    let mut file = start.to_owned();
    file.push(".");
    file.push(format);
    file
}

/// The option by which the linker of this call of rustc takes an order; none if it takes none.
///
/// # Errors
///
/// The compiler cannot be tried.
pub(in crate::cargo) fn option(
    rustc: &OsStr,
    arguments: &[OsString],
    start: &OsStr,
) -> Result<Option<OsString>> {
    let folder = temporary::folder()?;
    let source = folder.path().join("empty.rs");
    fs::write(&source, "fn main() {}").with_context(|| source.display().to_string())?;
    for (format, option) in ORDERS {
        let mut option = OsString::from(option);
        option.push(file(start, format));
        let mut command = Command::new(rustc);
        command.args(compilation::about_linking(arguments)).arg(&option);
        command.arg("-o").arg(folder.path().join("empty")).arg(&source);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status();
        let status =
            status.with_context(|| format!("cannot run {}", Path::new(rustc).display()))?;
        if status.success() {
            return Ok(Some(option));
        }
    }
    Ok(None)
}
