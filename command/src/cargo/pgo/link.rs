//! The order of functions, as the linker of a program takes it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::cargo::compilation;
use crate::guided::ORDERS;
use crate::temporary;
use crate::text::joined;

/// The file of a format, of those that begin so.
pub(in crate::cargo) fn file(start: &OsStr, format: &str) -> OsString {
    joined(start, format!(".{format}"))
}

/// The options by which the linker of this call of rustc takes an order; none if it takes none.
///
/// # Errors
///
/// The compiler cannot be tried.
pub(in crate::cargo) fn options(
    rustc: &OsStr,
    arguments: &[OsString],
    start: &OsStr,
) -> Result<Vec<OsString>> {
    let folder = temporary::folder()?;
    let source = folder.path().join("empty.rs");
    fs::write(&source, "fn main() {}").with_context(|| source.display().to_string())?;
    for order in ORDERS {
        let options = order.options("-Clink-arg=", &file(start, order.format));
        let mut command = Command::new(rustc);
        command.args(compilation::about_linking(arguments)).args(&options);
        command.arg("-o").arg(folder.path().join("empty")).arg(&source);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status();
        let status =
            status.with_context(|| format!("cannot run {}", Path::new(rustc).display()))?;
        if status.success() {
            return Ok(options);
        }
    }
    Ok(Vec::new())
}
