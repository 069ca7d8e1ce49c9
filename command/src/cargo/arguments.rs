//! The command line of `cargo gmon`: a few options of ours among cargo's own.

use std::ffi::{OsStr, OsString};

use anyhow::{Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::instrumentation::Instrumentation;
use crate::command_line::{self, flag, option};
use crate::report::{Html, View};
use crate::run::Sampling;

/// A command line, with the options of both sorted out.
pub(super) struct Arguments {
    /// Verb for cargo: `run`, `test`, `bench` or `build`.
    pub(super) verb: String,
    /// True if it is built again with the profile (`pgo`).
    pub(super) is_guided: bool,
    pub(super) own: ArgMatches,
    /// The rest, for cargo.
    pub(super) rest: Vec<OsString>,
}

/// The subcommand that builds again with the profile.
const PGO: &str = "pgo";

/// The subcommands, each with its help.
const VERBS: &[(&str, &str)] = &[
    ("run", "Builds a program, runs it and shows where its time went, with exact counts of calls"),
    ("test", "Builds the tests, runs them and shows the same for each test program"),
    ("bench", "Builds the benchmarks, runs them and shows the same for each of their programs"),
    ("build", "Builds programs that write gmon.out whenever they run"),
];

/// Describes our part of the command.
pub(crate) fn command() -> Command {
    Command::new("cargo gmon")
        .bin_name("cargo gmon")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Profiles Rust programs: exact call counts, and where the time goes")
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(80)
        .subcommands(VERBS.iter().map(|(name, about)| subcommand(name, about)))
        .subcommand(pgo())
}

/// The subcommand that builds again with the profile, and its own.
fn pgo() -> Command {
    const GUIDED: &[(&str, &str)] = &[
        ("run", "Builds a program, runs it, builds it again with its profile, and compares"),
        ("test", "Does the same with test programs"),
        ("bench", "Does the same with benchmarks"),
    ];
    let verbs = GUIDED.iter().map(|(name, about)| {
        Command::new(*name)
            .about(*about)
            .max_term_width(80)
            .override_usage(format!(
                "cargo gmon pgo {name} [OPTIONS] [OPTIONS OF CARGO {}]",
                name.to_uppercase()
            ))
            .arg(
                option("runs", "N", "Compare N runs of each side; with 0 there is no build to compare with")
                    .value_parser(value_parser!(u32).range(0..=10_000))
                    .default_value("5"),
            )
            .args(Sampling::arguments().into_iter().filter(|arg| arg.get_id() == "rate"))
            .mut_arg("rate", |rate| {
                rate.help(
                    "Take N samples in each second of CPU time, and do not follow the program step by step",
                )
            })
            .arg(no_c())
    });
    Command::new(PGO)
        .about("Builds again with the profile: what was measured makes the next build faster")
        .max_term_width(80)
        .override_usage("cargo gmon pgo run|test|bench [OPTIONS] [OPTIONS OF CARGO]")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(verbs)
        .after_help(
            "It builds the program with hooks, runs it, and builds it again with how often its code ran \
             (for rustc) and the order in which its functions ran first (for the linker). It says how many \
             functions of the profile the second build has, and compares it by turns with one that rustc makes \
             without a profile. All of it is in target/gmon/pgo. A stable rustc will do.",
        )
}

fn subcommand(name: &'static str, about: &'static str) -> Command {
    Command::new(name)
        .about(about)
        .max_term_width(80)
        .override_usage(format!(
            "cargo gmon {name} [OPTIONS] [OPTIONS OF CARGO {}]",
            name.to_uppercase()
        ))
        .args([
            option(
                "only",
                "CRATE",
                "Count only the functions of this crate; repeat it, or use *, for several crates",
            )
            .action(ArgAction::Append),
            option(
                "exclude",
                "PATTERN",
                "Do not count the functions of crates whose names match, for example 'serde*'",
            )
            .action(ArgAction::Append),
            no_c(),
            flag(
                "dormant",
                "Count nothing until asked: wake functions with gmon ctl PID on --hooks 'CRATE::*' or \
                 GMON_OPTIONS='hooks=CRATE::*'",
            ),
            option(
                "hooks",
                "WAY",
                "How rustc instruments functions [default: the first way that works]",
            )
            .conflicts_with("dormant")
            .value_parser(Instrumentation::ALL.map(Instrumentation::name)),
        ])
        .args(View::arguments())
        .args(Html::arguments().into_iter().filter(|_| name == "run"))
        .args(Sampling::arguments())
        .after_help(
            "All other options are cargo's: --bin, --example, --features, -p, --profile, ...\n\
             The program's arguments come after --. cargo gmon builds the release profile,\n\
             unless you name another, in target/gmon, so your other builds stay as they are.",
        )
}

fn no_c() -> Arg {
    flag("no-c", "Do not count calls in C code that build scripts compile")
}

impl Arguments {
    /// Reads a command line.
    ///
    /// # Errors
    ///
    /// An option of ours lacks its value. Help, versions and bad values are clap's to tell.
    pub(super) fn read(words: Vec<OsString>) -> Result<Self> {
        let command = command();
        let word = |at: usize| words.get(at).and_then(|word| word.to_str());
        let find = |command: &Command, at| {
            word(at).and_then(|verb| command.find_subcommand(verb).cloned())
        };
        let is_guided = word(0) == Some(PGO);
        let (verb, at) = match find(&command, 0) {
            Some(pgo) if is_guided => (find(&pgo, 1), 2),
            verb => (verb, 1),
        };
        let Some(subcommand) = &verb else {
            let all = [OsString::from("cargo gmon")].into_iter().chain(words);
            command_line::matches(command.clone(), all)?;
            bail!("name one of run, test, bench, build and pgo");
        };
        let (mut own, mut rest) = (vec![OsString::from("cargo gmon")], Vec::new());
        own.extend_from_slice(&words[..at]);
        let mut words = words[at..].iter();
        while let Some(word) = words.next() {
            if word == "--" {
                rest.push(word.clone());
                rest.extend(words.cloned());
                break;
            }
            match kind(subcommand, word) {
                Kind::Cargo => rest.push(word.clone()),
                Kind::Whole => own.push(word.clone()),
                Kind::WithNext => {
                    own.extend([word.clone()].into_iter().chain(words.next().cloned()))
                }
            }
        }
        let verb = subcommand.get_name().to_owned();
        let matches = command_line::matches(command, own)?;
        let of_pgo = matches.subcommand_matches(PGO);
        let own = of_pgo.unwrap_or(&matches).subcommand_matches(&verb).cloned().unwrap_or_default();
        Ok(Self { verb, is_guided, own, rest })
    }

    /// The values of an option of ours.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        let values = self.own.get_many::<String>(name).into_iter().flatten();
        values.flat_map(|value| value.split([',', ' ']).map(str::to_owned)).collect()
    }

    /// The values of an option of cargo's.
    pub(super) fn of_cargo(&self, name: &str) -> Vec<OsString> {
        values_and_rest(&self.rest, name).0
    }

    /// The values of an option of cargo's, which is taken out.
    pub(super) fn take(&mut self, name: &str) -> Vec<OsString> {
        let (values, rest) = values_and_rest(&self.rest, name);
        self.rest = rest;
        values
    }

    /// Returns `true` if an option of cargo's is given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        let is_one = |word: &OsStr| {
            let text = word.to_str().unwrap_or_default();
            names.iter().any(|name| text.split('=').next() == Some(name))
        };
        self.rest.iter().take_while(|word| *word != "--").any(|word| is_one(word))
    }

    /// Returns `true` if the standard library is to be compiled too (`-Z build-std`).
    pub(super) fn builds_std(&self) -> bool {
        let is_it = |word: &OsString| {
            let word = word.to_str().unwrap_or_default();
            word.strip_prefix("-Z").unwrap_or(word).starts_with("build-std")
        };
        self.rest.iter().take_while(|word| *word != "--").any(is_it)
    }

    /// Returns `true` if what is built is named: a profile of cargo's, or `--release`.
    pub(super) fn names_profile(&self) -> bool {
        // Letters without values can share a dash, with one that has its value behind it.
        let has_letter = |word: &OsString| {
            let letters = word.to_str().and_then(|word| word.strip_prefix('-')).unwrap_or_default();
            letters.bytes().take_while(|letter| b"rqv".contains(letter)).any(|it| it == b'r')
        };
        let mut words = self.rest.iter().take_while(|word| *word != "--");
        self.has(&["--profile", "--release"]) || words.any(has_letter)
    }
}

/// The values of an option, and the words without it.
fn values_and_rest(words: &[OsString], name: &str) -> (Vec<OsString>, Vec<OsString>) {
    let (mut values, mut rest) = (Vec::new(), Vec::new());
    let mut words = words.iter().cloned();
    while let Some(word) = words.next() {
        let value = word.to_str().and_then(|word| word.strip_prefix(name)?.strip_prefix('='));
        if word == "--" {
            rest.push(word);
            rest.extend(words.by_ref());
        } else if word == name {
            values.extend(words.next());
        } else if let Some(value) = value {
            values.push(value.into());
        } else {
            rest.push(word);
        }
    }
    (values, rest)
}

/// Whose an option is.
enum Kind {
    Cargo,
    /// Ours, complete.
    Whole,
    /// Ours, with its value in the next word.
    WithNext,
}

fn kind(subcommand: &Command, word: &OsStr) -> Kind {
    let text = word.to_str().unwrap_or_default();
    if ["-h", "--help", "-V", "--version"].contains(&text) {
        return Kind::Whole;
    }
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let is_it =
        |arg: &&Arg| name.strip_prefix("--").is_some_and(|name| arg.get_long() == Some(name));
    match subcommand.get_arguments().find(is_it) {
        None => Kind::Cargo,
        Some(arg) if arg.get_action().takes_values() && value.is_none() => Kind::WithNext,
        Some(_) => Kind::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_named_among_other_letters() {
        for (line, names_one) in [
            ("run -r", true),
            ("run -vr -j 1", true),
            ("run -rj1", true),
            ("run -qrFfast", true),
            ("run --profile=dev", true),
            ("run -j1 -Frust", false),
            ("run -pr", false),
            ("run --ribbon -- -r", false),
        ] {
            let words = line.split(' ').map(OsString::from).collect();
            let arguments = Arguments::read(words).expect("arguments");
            assert_eq!(arguments.names_profile(), names_one, "{line}");
        }
    }
}
