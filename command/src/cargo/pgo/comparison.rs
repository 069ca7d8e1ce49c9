//! Shows what a profile has brought: programs of both builds by turns, compared by `gmon diff`.

use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use super::programs::Program;
use super::{ourselves, tell};
use crate::cargo::COMPARISON;
use crate::diff;
use crate::run::Input;

/// Compares the programs of two builds. Why one cannot be compared, the command for it says; others may take more time.
pub(super) fn show(
    plain: &[Program],
    guided: &[Program],
    runs: u32,
    rate: Option<u32>,
    input: &mut Input,
) -> Result<()> {
    if plain.len() != guided.len() {
        bail!(
            "cargo runs {} programs without the profile and {} with it, so they are not compared",
            plain.len(),
            guided.len()
        );
    }
    for (plain, guided) in plain.iter().zip(guided) {
        tell(&format!("{} without the profile and with it:", name(guided)))?;
        let mut command = Command::new(ourselves()?);
        command.args([COMPARISON, "--top", "10"]).args(["--runs", &runs.to_string()]);
        command.arg("--base-run").arg(line(plain)?).arg("--new-run").arg(line(guided)?);
        command.args(rate.into_iter().flat_map(|rate| ["--rate".to_owned(), rate.to_string()]));
        // The programs' output is dropped; what is said of them is none of theirs.
        command.current_dir(&guided.folder).envs(guided.variables.iter().cloned());
        command.stdout(Stdio::from(io::stderr()));
        input.rewind()?;
        command.status().context("cannot compare the builds")?;
    }
    Ok(())
}

/// Compares by the words of `gmon diff`.
pub(in crate::cargo) fn compare(words: &[OsString]) -> Result<ExitCode> {
    let words = [OsString::from("gmon diff")].into_iter().chain(words.iter().cloned());
    diff::run(&diff::command().get_matches_from(words))
}

fn name(program: &Program) -> String {
    let path = program.path();
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The command in a line, as a shell reads it.
fn line(program: &Program) -> Result<String> {
    let quoted = |word: &OsString| {
        let text = word.to_str().with_context(|| format!("{word:?} is no text in UTF-8"))?;
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@".contains(c);
        let needs_none = !text.is_empty() && text.chars().all(is_plain);
        Ok(if needs_none { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) })
    };
    let words = program.runner.iter().map(OsString::from).chain(program.words.iter().cloned());
    let words = words.map(|word| quoted(&word)).collect::<Result<Vec<String>>>()?.join(" ");
    // A shell that a quote calls for is no process of its own.
    Ok(if words.contains('\'') { format!("exec {words}") } else { words })
}
