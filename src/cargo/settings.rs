//! What the wrapper and the runner are told by the command, in variables of the environment.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use super::way::Way;
use crate::naming::Naming;
use crate::summary::View;

const WAY: &str = "GMON_CARGO_HOOKS";
const TARGET: &str = "GMON_CARGO_TARGET";
const ONLY: &str = "GMON_CARGO_ONLY";
const EXCLUDE: &str = "GMON_CARGO_EXCLUDE";
const ARCHIVE: &str = "GMON_CARGO_ARCHIVE";
const RUSTC_WRAPPER: &str = "GMON_CARGO_RUSTC_WRAPPER";
const RUNNER: &str = "GMON_CARGO_RUNNER";
const TOP: &str = "GMON_CARGO_TOP";
const NAMES: &str = "GMON_CARGO_NAMES";
/// What all that the command changes in the environment was before.
const BEFORE: &str = "GMON_CARGO_BEFORE";

/// The variable in which cargo looks for a wrapper.
const OF_CARGO: &str = "RUSTC_WRAPPER";

/// What is to be done to crates and programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) way: Way,
    /// What the program is for, by rustc's name.
    pub(super) target: String,
    /// The crates that get hooks; all, if none is named.
    pub(super) only: Vec<String>,
    /// The crates that get none.
    pub(super) exclude: Vec<String>,
    /// `libgmon.a` for the target.
    pub(super) archive: PathBuf,
    /// The user's own wrapper of rustc.
    pub(super) rustc_wrapper: Option<OsString>,
    /// The user's own runner of programs for the target, in words.
    pub(super) runner: Vec<String>,
    /// What the summaries show.
    pub(super) view: View,
}

impl Settings {
    /// Those that this process was started with, if cargo started it for us.
    pub(super) fn from_environment() -> Option<Self> {
        let text = |name| env::var(name).ok();
        let words = |name| -> Vec<String> {
            let text = text(name).unwrap_or_default();
            text.split_whitespace().map(str::to_owned).collect()
        };
        Some(Self {
            way: Way::named(&text(WAY)?)?,
            target: text(TARGET)?,
            only: words(ONLY),
            exclude: words(EXCLUDE),
            archive: env::var_os(ARCHIVE)?.into(),
            rustc_wrapper: env::var_os(RUSTC_WRAPPER),
            runner: words(RUNNER),
            view: View { top: text(TOP)?.parse().ok()?, naming: Naming::of_word(&text(NAMES)?)? },
        })
    }

    /// Hands them to the processes that a cargo will start, with the program that wraps rustc.
    pub(super) fn hand_to(&self, cargo: &mut Command, wrapper: &OsString) {
        cargo
            .env(WAY, self.way.name())
            .env(TARGET, &self.target)
            .env(ONLY, self.only.join(" "))
            .env(EXCLUDE, self.exclude.join(" "))
            .env(ARCHIVE, &self.archive)
            .env(RUNNER, self.runner.join(" "))
            .env(TOP, self.view.top.to_string())
            .env(NAMES, self.view.naming.word())
            .env(OF_CARGO, wrapper);
        if let Some(own) = &self.rustc_wrapper {
            cargo.env(RUSTC_WRAPPER, own);
        }
    }

    /// Whether a crate gets hooks.
    pub(super) fn wants(&self, name: &str) -> bool {
        /// What the runtime is controlled by, and what compilers call as if it were instructions.
        const NEVER: &[&str] = &["gmon_runtime", "compiler_builtins"];
        let is_named = |patterns: &[String]| {
            patterns.iter().any(|pattern| matches(pattern.as_bytes(), name.as_bytes()))
        };
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
        serde_json::from_str(&before).unwrap_or_default();
    for (name, value) in before {
        match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        };
    }
    program.env_remove(BEFORE);
}

/// Whether a crate's name is like a pattern, in which `*` stands for anything. A package's name has
/// hyphens where that of its crate has underscores.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|at| matches(rest, &name[at..])),
        ([b'-', pattern @ ..], [b'_', name @ ..]) => matches(pattern, name),
        ([first, pattern @ ..], [letter, name @ ..]) => first == letter && matches(pattern, name),
        ([], []) => true,
        _ => false,
    }
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
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), is_match, "{pattern} {name}");
        }
    }
}
