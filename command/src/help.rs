//! Texts of `gmon --help` and of the help of each command, and answers to people who know other profilers.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Command;

use crate::{COMMANDS, Subcommand, examples, run, say, text};

/// The columns that help fills at most.
const WIDTH: usize = 80;

/// The option that shows all others of a command.
const ALL: &str = "--help-all";

/// Options that few people need: the help of a command leaves them to `--help-all` and the manual.
const RARE: &[(&str, &[&str])] = &[
    ("run", &["source", "title", "warmup", "program", "no-children"]),
    ("report", &["source", "title", "cut", "any-build", "no-children"]),
    ("export", &["min-share", "run", "anonymous"]),
    ("diff", &["base-program", "new-program", "warmup", "alpha", "title"]),
    ("top", &["program"]),
    ("ctl", &["wait"]),
];

/// Commands of other profilers, and ours for the same.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "record",
        "gmon run COMMAND measures a command and keeps its profile; gmon report shows it again",
    ),
    ("stat", "gmon run COMMAND measures a command; with --runs N it says how much the runs differ"),
];

/// The whole screen of `gmon --help`: commands by what one wants to do.
pub(crate) fn screen() -> String {
    let mut text = String::new();
    let mut group = "";
    for Subcommand { group: next, describe, .. } in COMMANDS {
        let command = describe();
        if command.is_hide_set() || next.is_empty() {
            continue;
        }
        let heading = if *next == group { "" } else { next };
        group = next;
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("{heading:<8} {:<9}{about}\n", command.get_name()));
    }
    text.push_str(
        "\ngmon ./prog means gmon run ./prog. Help on a command: gmon COMMAND --help\n\
         Options: --color <WHEN> (auto, always or never), -h, --help, -V, --version",
    );
    text
}

/// The description of a command as its help shows it: first an example, then what most people need.
pub(crate) fn described(command: Command) -> Command {
    let rare = RARE.iter().find(|(name, _)| *name == command.get_name());
    let command = rare
        .map_or(&[][..], |(_, rare)| rare)
        .iter()
        .fold(command, |command, option| command.mut_arg(option, |option| option.hide(true)));
    let more = rare.map(|(name, _)| format!("gmon {name} {ALL} shows all options."));
    with_text(command, more)
}

/// The description of a command with all options.
fn described_in_full(command: Command) -> Command {
    with_text(command, None)
}

fn with_text(command: Command, more: Option<String>) -> Command {
    let name = command.get_name();
    let text = command.get_after_help().map(|help| text::flowing(&help.to_string()));
    let examples = Some(examples::help(name)).filter(|examples| !examples.is_empty());
    let first = examples::of(name).first().map(|(line, _)| format!("Example: {line}"));
    let parts: Vec<_> = text.into_iter().chain(more).chain(examples).collect();
    let command = command.max_term_width(WIDTH).after_help(parts.join("\n\n"));
    match first {
        Some(first) => command.before_help(first),
        None => command,
    }
}

/// The answer to `gmon COMMAND --help-all`, and to commands of other profilers; `None` for all others.
pub(crate) fn answer(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    let (word, rest) = arguments.get(1..)?.split_first()?;
    if let Some((_, advice)) = ELSEWHERE.iter().find(|(name, _)| word == name) {
        say(&anyhow!("there is no command {}: {advice}", Path::new(word).display()));
        return Some(Ok(ExitCode::from(2)));
    }
    (rest == [ALL]).then(|| in_full(word))
}

fn in_full(word: &OsString) -> Result<ExitCode> {
    let commands = COMMANDS.iter().map(|command| (command.describe)());
    let Some(command) = commands.into_iter().find(|command| *word == *command.get_name()) else {
        bail!("there is no command {}; see gmon --help", Path::new(word).display());
    };
    let name = format!("gmon {}", command.get_name());
    let mut command = described_in_full(command).bin_name(name);
    write!(io::stdout(), "{}", command.render_help())?;
    Ok(ExitCode::SUCCESS)
}

/// The command line with the word `run` where the first one is a path, or a source, and so no command.
pub(crate) fn with_run(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_to_run = |word: &OsString| word.as_bytes().contains(&b'/') || run::is_source(word);
    if arguments.get(1).is_some_and(is_to_run) {
        arguments.insert(1, "run".into());
    }
    arguments
}
