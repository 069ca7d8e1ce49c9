//! `--inlines`: whether inlined code is a function of its own in a report.

use clap::{Arg, ArgMatches};
use gmon_analyzer::model::Fold;

use crate::command_line::option;

/// Words for the functions that have rows of their own: all, those with more code than a screen of instructions, or none.
const CHOICES: [(&str, Fold); 3] =
    [("show", Fold::Nothing), ("large", Fold::Small), ("fold", Fold::All)];

/// The option.
pub(crate) fn argument() -> Arg {
    option(
        "inlines",
        "WHICH",
        "Show inlined functions apart, only large ones, or fold all into those that have their code [default: large]",
    )
    .value_parser(CHOICES.map(|(word, _)| word))
}

/// The value of the option, if it is given.
pub(crate) fn if_asked_for(arguments: &ArgMatches) -> Option<Fold> {
    let word = arguments.get_one::<String>("inlines")?;
    CHOICES.into_iter().find(|(known, _)| word == known).map(|(_, fold)| fold)
}
