//! The amalgamated source of SQLite, for tests on a program of real size: the crate
//! `libsqlite3-sys`, of which cargo fetches the sources and builds nothing.

use std::path::{Path, PathBuf};

use super::command::{quiet, text_of};

/// The folder that holds `sqlite3.c` and `sqlite3.h`.
///
/// # Panics
///
/// If cargo does not know the crate.
pub(crate) fn source_folder() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut cargo = quiet(env!("CARGO"));
    cargo.args(["metadata", "--quiet", "--format-version=1", "--manifest-path"]).arg(manifest);
    let metadata: serde_json::Value =
        serde_json::from_str(&text_of(&mut cargo)).expect("metadata in JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let package = packages.iter().find(|package| package["name"] == "libsqlite3-sys");
    let path = package.and_then(|package| package["manifest_path"].as_str());
    Path::new(path.expect("the package libsqlite3-sys")).with_file_name("sqlite3")
}
