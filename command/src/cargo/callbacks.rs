//! Has cargo call us back, as the wrapper of rustc and as the runner of programs.
//!
//! We use variables of the environment. `--config` overrides these, so if the user passed it, we append a
//! `--config` of ours.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::RUNNER;
use super::config::Config;
use super::settings::Settings;

/// The variable that tells cargo how to run programs for a target.
pub(super) fn runner_variable(target: &str) -> String {
    format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace(['-', '.'], "_"))
}

/// Prepares a call of cargo whose `--config` options, if there are any, are there already.
///
/// # Errors
///
/// Our path is one that cargo cannot call.
pub(super) fn ask_for(
    cargo: &mut Command,
    settings: &Settings,
    config: &Config,
    has_options: bool,
) -> Result<()> {
    let own_path = env::current_exe().context("cannot find the path of cargo-gmon")?;
    let Some(path) = own_path.to_str() else {
        bail!("{}: cargo cannot call a program with such a path; move it", own_path.display());
    };
    settings.hand_to(cargo, path)?;
    if has_options && config.rustc_wrapper().is_some() {
        set(cargo, "build.rustc-wrapper", &path.into());
    }

    let form = config.form_of_runner(&settings.target);
    // Of one string cargo makes words.
    let is_word = !path.contains(char::is_whitespace);
    if is_word {
        cargo.env(runner_variable(&settings.target), format!("{path} {RUNNER}"));
    } else if form.is_some_and(Value::is_string) {
        bail!(
            "{path} has a space in it, so cargo cannot call it; give target.{}.runner as a list",
            settings.target
        );
    }
    if !is_word || has_options && form.is_some() {
        // One form cannot take the place of the other.
        let runner = match form {
            Some(Value::String(_)) => json!(format!("{path} {RUNNER}")),
            _ => json!([path, RUNNER]),
        };
        // As cargo reads the name.
        let target = settings.target.replace('.', "\".\"");
        set(cargo, &format!("target.\"{target}\".runner"), &runner);
    }
    Ok(())
}

/// Sets a value by `--config`: what is written in JSON, means the same in TOML.
fn set(cargo: &mut Command, name: &str, value: &Value) {
    cargo.arg("--config").arg(format!("{name}={value}"));
}
