//! `--color`: whether output is coloured.

use anstream::ColorChoice;
use clap::{Arg, ArgMatches};

use crate::command_line::option;

const CHOICES: [(&str, ColorChoice); 3] =
    [("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];

/// The option, of every command.
pub(crate) fn argument() -> Arg {
    option(
        "color",
        "WHEN",
        "Colour the output: auto (on a terminal), always or never [default: auto]",
    )
    .global(true)
    // Beside --help, behind what a command has of its own.
    .display_order(900)
    .value_parser(CHOICES.map(|(word, _)| word))
    .hide_possible_values(true)
}

/// Makes all output follow the option.
pub(crate) fn obey(arguments: &ArgMatches) {
    if let Some(word) = arguments.get_one::<String>("color") {
        obey_word(word);
    }
}

/// Makes all output follow a value of the option; others change nothing.
pub(crate) fn obey_word(word: &str) {
    if let Some((_, choice)) = CHOICES.iter().find(|(name, _)| *name == word) {
        choice.write_global();
    }
}
