//! What the wrapper and the runner are told by the command, in variables of the environment.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::way::Way;

const WAY: &str = "GMON_CARGO_HOOKS";
const TARGET: &str = "GMON_CARGO_TARGET";
const ONLY: &str = "GMON_CARGO_ONLY";
const EXCLUDE: &str = "GMON_CARGO_EXCLUDE";
const ARCHIVE: &str = "GMON_CARGO_ARCHIVE";
const RUSTC_WRAPPER: &str = "GMON_CARGO_RUSTC_WRAPPER";
const RUNNER: &str = "GMON_CARGO_RUNNER";
const TOP: &str = "GMON_CARGO_TOP";

const ALL: [&str; 8] = [WAY, TARGET, ONLY, EXCLUDE, ARCHIVE, RUSTC_WRAPPER, RUNNER, TOP];

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
    /// How many functions the summary lists.
    pub(super) top: usize,
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
            top: text(TOP)?.parse().ok()?,
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
            .env(TOP, self.top.to_string())
            .env(OF_CARGO, wrapper);
        if let Some(own) = &self.rustc_wrapper {
            cargo.env(RUSTC_WRAPPER, own);
        }
    }

    /// Lets a program see the environment that its user made.
    pub(super) fn hide_from(&self, program: &mut Command) {
        for name in ALL {
            program.env_remove(name);
        }
        match &self.rustc_wrapper {
            Some(own) => program.env(OF_CARGO, own),
            None => program.env_remove(OF_CARGO),
        };
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
