//! C sources of well-known programs, for tests on programs of real size: crates that carry them, of
//! which cargo fetches the sources and builds nothing.

use std::path::{Path, PathBuf};

use super::command::{quiet, text_of};

/// The folder of a crate on which this package depends.
///
/// # Panics
///
/// If cargo does not know the crate.
pub(crate) fn folder_of(name: &str) -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut cargo = quiet(env!("CARGO"));
    cargo.args(["metadata", "--quiet", "--format-version=1", "--manifest-path"]).arg(manifest);
    let metadata: serde_json::Value =
        serde_json::from_str(&text_of(&mut cargo)).expect("metadata in JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let package = packages.iter().find(|package| package["name"] == name);
    let path = package.and_then(|package| package["manifest_path"].as_str());
    let path = path.unwrap_or_else(|| panic!("no package {name}"));
    Path::new(path).parent().expect("a folder").to_owned()
}
