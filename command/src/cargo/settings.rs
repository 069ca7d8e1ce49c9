//! Messages of the command to the wrapper and the runner, in the environment.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::process::Command;

use anyhow::{Context, Result};
use gmon_format::glob;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::instrumentation::Instrumentation;
use super::pgo::Guidance;
use crate::report::{Html, View};
use crate::run::Sampling;

/// The variable that has them, in JSON.
const SETTINGS: &str = "GMON_CARGO_SETTINGS";

/// Former values of all that the command changes in the environment.
const BEFORE: &str = "GMON_CARGO_BEFORE";

/// The variable in which cargo looks for a wrapper.
const RUSTC_WRAPPER: &str = "RUSTC_WRAPPER";

/// Work on crates and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) instrumentation: Instrumentation,
    /// Target of the program, by rustc's name.
    pub(super) target: String,
    /// The crates to instrument; all, if the list is empty.
    pub(super) only: Vec<String>,
    /// The crates that get none.
    pub(super) exclude: Vec<String>,
    /// The path of `libgmon.a` for the target. Like all paths here it need not be UTF-8, which JSON wants of a
    /// `PathBuf`.
    pub(super) archive: OsString,
    /// The user's own wrapper of rustc.
    pub(super) rustc_wrapper: Option<OsString>,
    /// The user's own runner of programs for the target, in words.
    pub(super) runner: Vec<String>,
    /// The folder for the profiles of programs, if they are to be added up there.
    pub(super) profiles: Option<OsString>,
    /// View of the summaries.
    pub(super) view: View,
    /// A page for the browser.
    pub(super) html: Option<Html>,
    /// Cargo's option about colour.
    pub(super) color: Option<String>,
    /// Sampling of programs.
    pub(super) sampling: Sampling,
    /// The build, if it is one of `cargo gmon pgo`.
    pub(super) guidance: Option<Guidance>,
}

impl Settings {
    /// Settings that this process was started with, if cargo started it for us.
    pub(super) fn from_environment() -> Option<Self> {
        serde_json::from_slice(env::var(SETTINGS).ok()?.as_bytes()).ok()
    }

    /// Hands them to the processes that a cargo will start, with the program that wraps rustc.
    ///
    /// # Errors
    ///
    /// They cannot be written as JSON.
    pub(super) fn hand_to(&self, cargo: &mut Command, wrapper: &str) -> Result<()> {
        let settings = serde_json::to_string(self).context("cannot hand settings to cargo")?;
        cargo.env(SETTINGS, settings).env(RUSTC_WRAPPER, wrapper);
        Ok(())
    }

    /// Returns `true` if a crate gets hooks.
    pub(super) fn wants(&self, name: &str) -> bool {
        /// Crates that control the runtime, and those that compilers call as if they were
        /// instructions.
        const NEVER: &[&str] = &["gmon_control", "compiler_builtins"];
        let is_named = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
        !NEVER.contains(&name)
            && (self.only.is_empty() || is_named(&self.only))
            && !is_named(&self.exclude)
    }
}

/// Notes for a call of cargo what the environment was before all that it changes there, so that the
/// programs that cargo runs can have it back.
pub(super) fn note_changes(cargo: &mut Command) {
    let was = |name: &OsStr| env::var_os(name).map(OsString::into_string).transpose().ok();
    let before: BTreeMap<String, Option<String>> = cargo
        .get_envs()
        .filter_map(|(name, _)| Some((name.to_str()?.to_owned(), was(name)?)))
        .collect();
    cargo.env(BEFORE, json!(before).to_string());
}

/// Lets a program see the environment that its user made.
pub(super) fn undo_changes(program: &mut Command) {
    let before = env::var(BEFORE).unwrap_or_default();
    let before: BTreeMap<String, Option<String>> =
        serde_json::from_slice(before.as_bytes()).unwrap_or_default();
    for (name, value) in before {
        match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        };
    }
    program.env_remove(BEFORE);
}

/// Returns `true` if a crate's name fits a pattern. A package's name has hyphens where that of its crate has
/// underscores.
fn matches(pattern: &str, name: &str) -> bool {
    glob::fits(&*pattern.replace('-', "_"), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_crates() {
        for (pattern, name, is_match) in [
            ("serde", "serde", true),
            ("serde", "serde_json", false),
            ("serde-json", "serde_json", true),
            ("serde*", "serde_json", true),
            ("*json", "serde_json", true),
            ("s*_j*n", "serde_json", true),
            ("*", "serde", true),
            ("", "serde", false),
            ("serde*x", "serde_json", false),
        ] {
            assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
        }
    }
}
