//! The functions of a crate, as rustc hands them to LLVM.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::compilation;
use crate::temporary;

/// The functions that a call of `rustc` would compile.
///
/// # Errors
///
/// Cargo does not succeed. Why, it will say when it is called for good.
pub(super) fn list(rustc: &OsStr, arguments: &[OsString]) -> Result<BTreeSet<String>> {
    let folder = temporary::folder()?;
    let status = Command::new(rustc)
        .args(compilation::for_listing(arguments, folder.path()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {}", Path::new(rustc).display()))?;
    if !status.success() {
        bail!("rustc does not list its functions ({status})");
    }
    take_from(folder.path())
}

/// Reads and removes all files of a folder that are in LLVM's language: they are large.
///
/// # Errors
///
/// Errors of the system, and if there are none.
pub(super) fn take_from(folder: &Path) -> Result<BTreeSet<String>> {
    let mut functions = BTreeSet::new();
    let mut found = false;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ll") {
            read(BufReader::new(File::open(&path)?), &mut functions)?;
            fs::remove_file(&path)?;
            found = true;
        }
    }
    if !found {
        bail!("rustc does not list its functions");
    }
    Ok(functions)
}

/// Adds the functions in a file of LLVM's language.
fn read(mut file: impl BufRead, functions: &mut BTreeSet<String>) -> io::Result<()> {
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line).unwrap_or_default();
        if text.starts_with("define ") {
            functions.extend(name(text).map(str::to_owned));
        }
        line.clear();
    }
    Ok(())
}

/// The name of the function in a line that begins its definition. One that cannot be written in a
/// list is none.
fn name(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('@')?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.0,
        None => rest.split_once('(')?.0,
    };
    (!name.is_empty() && !name.contains([',', '\\'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read() {
        let text = "; comment @x(\n\
                    @g = global i32 0\n\
                    define internal fastcc void @_RNvC1a1f(ptr %x) unnamed_addr #0 {\n\
                    define i32 @main(i32 %0, ptr %1) #1 {\n\
                    define void @\"_ZN3a$LT$b$GT$17hE\"() {\n\
                    define void @\"a,b\"() {\n\
                    declare void @other()\n";
        let mut functions = BTreeSet::new();
        read(text.as_bytes(), &mut functions).expect("text");
        let expected = ["_RNvC1a1f", "_ZN3a$LT$b$GT$17hE", "main"];
        assert_eq!(functions.into_iter().collect::<Vec<_>>(), expected);
    }
}
