//! What cargo knows about the project.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The folder that cargo builds the project in.
///
/// # Errors
///
/// There is no project, or cargo cannot read it.
pub(super) fn target_folder(
    cargo: &OsStr,
    manifest: Option<&OsString>,
    config: &[OsString],
) -> Result<PathBuf> {
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version=1"]);
    command.args(manifest.into_iter().flat_map(|path| [OsStr::new("--manifest-path"), path]));
    command.args(config.iter().flat_map(|option| [OsStr::new("--config"), option]));
    let output = command.output().context("cannot run cargo; install Rust (https://rustup.rs)")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.trim().trim_start_matches("error: ").replace('\n', " ");
        if text.starts_with("could not find `Cargo.toml`") {
            bail!("{text}; go to a cargo project, or name one with --manifest-path");
        }
        bail!("cargo cannot read the project: {text}");
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .context("cargo metadata does not print what it should")?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo metadata does not tell the target directory")?.into())
}
