//! Cargo's knowledge of the project.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A project, perhaps of several packages.
pub(super) struct Project {
    /// The folder that cargo builds in.
    pub(super) target_folder: PathBuf,
    /// True if there is a program among what it builds, and whether there is an example.
    pub(super) has_program: bool,
    pub(super) has_example: bool,
}

impl Project {
    /// Reads the one that is named, or the one around.
    ///
    /// # Errors
    ///
    /// There is none, or cargo cannot read it.
    pub(super) fn read(
        cargo: &OsStr,
        manifest: Option<&OsString>,
        config: &[OsString],
    ) -> Result<Self> {
        let mut command = Command::new(cargo);
        command.args(["metadata", "--no-deps", "--format-version=1"]);
        command.args(manifest.into_iter().flat_map(|path| [OsStr::new("--manifest-path"), path]));
        command.args(config.iter().flat_map(|option| [OsStr::new("--config"), option]));
        let output =
            command.output().context("cannot run cargo; install Rust (https://rustup.rs)")?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let text = text.trim().trim_start_matches("error: ").replace('\n', " ");
            if text.starts_with("could not find `Cargo.toml`") {
                bail!("{text}; go to a cargo project, or name one with --manifest-path");
            }
            bail!("cargo cannot read the project: {text}");
        }
        let metadata: Value = serde_json::from_slice(&output.stdout)
            .context("cargo metadata does not print JSON; set CARGO to Rust's cargo")?;
        let folder = metadata["target_directory"].as_str();
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let targets =
            packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
        let kinds = targets.flat_map(|target| target["kind"].as_array().into_iter().flatten());
        Ok(Self {
            target_folder: folder
                .context("cargo metadata names no target directory; set CARGO to Rust's cargo")?
                .into(),
            has_program: kinds.clone().any(|kind| kind == "bin"),
            has_example: kinds.clone().any(|kind| kind == "example"),
        })
    }
}
