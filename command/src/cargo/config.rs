//! Configuration of cargo: by its files and by `--config`.

use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::str::FromStr;

use cargo_platform::{Cfg, CfgExpr};
use serde_json::Value;

/// Settings that cargo would merge of all its sources but the environment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Config(Value);

impl Config {
    /// Asks `cargo`, with the values of `--config` that it will get. An error in them, cargo will tell
    /// when it is called for good.
    pub(super) fn read(cargo: &OsStr, options: &[OsString]) -> Self {
        let mut command = Command::new(cargo);
        // The question is not stable yet, and its answer is what it has been for years.
        command.args(["-Z", "unstable-options", "config", "get", "--format", "json-value"]);
        command.env("RUSTC_BOOTSTRAP", "1");
        command.args(options.iter().flat_map(|option| [OsStr::new("--config"), option]));
        let output = command.output().ok().filter(|output| output.status.success());
        let value = output.and_then(|output| serde_json::from_slice(&output.stdout).ok());
        value.map(Self).unwrap_or_default()
    }

    /// The compiler.
    pub(super) fn rustc(&self) -> Option<OsString> {
        self.build("rustc")
    }

    /// The program that wraps the compiler.
    pub(super) fn rustc_wrapper(&self) -> Option<OsString> {
        self.build("rustc-wrapper")
    }

    /// Target of the build, if there is one.
    pub(super) fn target(&self) -> Option<String> {
        match &self.0["build"]["target"] {
            Value::Array(targets) if targets.len() > 1 => None,
            target => words(target).into_iter().next(),
        }
    }

    /// Returns `true` if the standard library is to be compiled too.
    pub(super) fn builds_std(&self) -> bool {
        !self.0["unstable"]["build-std"].is_null()
    }

    /// A variable of the environment that cargo is to set, unless it is set.
    pub(super) fn variable(&self, name: &str) -> Option<OsString> {
        let entry = &self.0["env"][name];
        entry.as_str().or_else(|| entry["value"].as_str()).map(OsString::from)
    }

    /// The words that come before a program for a target, of which `cfg` is what rustc says.
    pub(super) fn runner(&self, target: &str, cfg: impl FnOnce() -> Vec<Cfg>) -> Vec<String> {
        let named = words(&self.of_target(target)["runner"]);
        let mut of_kinds = self.0["target"].as_object().into_iter().flatten();
        let has_runner = |(name, settings): &(&String, &Value)| {
            name.starts_with("cfg(") && !words(&settings["runner"]).is_empty()
        };
        if !named.is_empty() || !of_kinds.clone().any(|kind| has_runner(&kind)) {
            return named;
        }
        let cfg = cfg();
        let suits = |kind: &(&String, &Value)| {
            let condition = kind.0.strip_prefix("cfg(").and_then(|text| text.strip_suffix(')'));
            let condition = condition.and_then(|text| CfgExpr::from_str(text).ok());
            has_runner(kind) && condition.is_some_and(|condition| condition.matches(&cfg))
        };
        of_kinds.find(suits).map(|(_, settings)| words(&settings["runner"])).unwrap_or_default()
    }

    /// The user's setting of how to run programs for a target, if there is one: a string or a list of words.
    pub(super) fn form_of_runner(&self, target: &str) -> Option<&Value> {
        self.of_target(target).get("runner")
    }

    /// The settings for a target. Cargo takes the parts of `thumbv8m.main-none-eabi` for tables in tables.
    fn of_target(&self, target: &str) -> &Value {
        target.split('.').fold(&self.0["target"], |table, part| &table[part])
    }

    fn build(&self, name: &str) -> Option<OsString> {
        self.0["build"][name].as_str().filter(|path| !path.is_empty()).map(OsString::from)
    }
}

/// A string's words, or a list's.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::String(words) => words.split_whitespace().map(str::to_owned).collect(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn runners_of_targets_with_a_dot_are_found() {
        let tables = json!({"thumbv8m": {"main-none-eabi": {"runner": "qemu -kernel"}}});
        let config = Config(json!({ "target": tables }));
        assert_eq!(config.runner("thumbv8m.main-none-eabi", Vec::new), ["qemu", "-kernel"]);
        assert!(config.form_of_runner("thumbv8m.main-none-eabi").is_some_and(Value::is_string));
        assert!(config.runner("thumbv8m.base-none-eabi", Vec::new).is_empty());
    }
}
