//! Sources of well-known programs, for tests on programs of real size, which cargo fetches from its
//! registry: C that crates carry, and programs in Rust.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{
    command::{output_of, quiet, text_of},
    root, tools,
};

/// The folder of a crate on which this package depends.
///
/// # Panics
///
/// If cargo does not know the crate.
pub fn folder_of(name: &str) -> PathBuf {
    let manifest = root().join("Cargo.toml");
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

/// A copy of a program of the registry in a folder, to be built there with the versions that it was
/// published with; none without the registry.
///
/// # Panics
///
/// If the registry cannot be reached and the tests run in CI.
pub fn program(name: &str, version: &str, folder: &Path) -> Option<PathBuf> {
    let copy = folder.join(format!("{name}-{version}"));
    if copy.exists() {
        return Some(copy);
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let manifest = place.path().join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [lib]\npath = \"lib.rs\"\n[dependencies]\n{name} = \"={version}\"\n"
    );
    fs::write(&manifest, text).expect("a manifest");
    fs::write(place.path().join("lib.rs"), "").expect("a source");
    let mut fetch = quiet(env!("CARGO"));
    let fetched = output_of(fetch.args(["fetch", "--manifest-path"]).arg(&manifest));
    if !fetched.status.success() {
        let reason = String::from_utf8_lossy(&fetched.stderr).into_owned();
        tools::skip(format!("no {name} from the registry: {reason}"));
        return None;
    }
    fs::create_dir_all(folder).expect("a folder");
    // Cargo tells the folders of libraries only, but all are in one.
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let sources = home.expect("a home").join("registry/src");
    let registries = fs::read_dir(sources).expect("sources").map(|found| found.expect("a folder"));
    let mut folders = registries.map(|registry| registry.path().join(format!("{name}-{version}")));
    let from = folders.find(|folder| folder.exists()).expect("what was fetched");
    let unfinished = tempfile::tempdir_in(folder).expect("a temporary folder");
    let unfinished = unfinished.path().join("copy");
    text_of(quiet("cp").arg("-R").args([&from, &unfinished]));
    // It is none of the packages of the workspace around.
    let manifest = unfinished.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text + "\n[workspace]\n").expect("a manifest");
    fs::rename(unfinished, &copy).expect("a copy");
    Some(copy)
}
