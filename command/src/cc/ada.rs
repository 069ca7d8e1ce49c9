//! The arguments of `gnatmake`, which calls compiler, binder and linker of Ada and hands each of them what follows
//! `-cargs`, `-bargs` or `-largs`.

use std::ffi::OsString;
use std::path::Path;

/// Options that profiling needs, behind the user's arguments: code that was compiled with other options is
/// compiled anew (`-s`). Options behind these are the linker's.
pub(crate) const OPTIONS: &[&str] = &["-margs", "-s", "-cargs", "-pg", "-largs", "-pg"];

/// The arguments with what profiling needs, and `option` and `archive` for the linker unless they are there already.
pub(super) fn complete(
    mut arguments: Vec<OsString>,
    option: Option<&str>,
    archive: Option<&Path>,
) -> Vec<OsString> {
    arguments.extend(OPTIONS.iter().copied().chain(option).map(OsString::from));
    if let Some(archive) = archive {
        arguments.push("-Xlinker".into());
        arguments.push(archive.into());
    }
    arguments
}
