//! `--format`: the formats of tables, as an option of the commands that print any.

use clap::{Arg, ArgMatches};
use gmon_analyzer::table::{TABLE_FORMATS, TableFormat};

use crate::command_line::option;

/// The option, whose words are those of all formats and these.
pub(crate) fn argument(help: &'static str, more: &[&'static str]) -> Arg {
    let names = TABLE_FORMATS.iter().map(|format| format.name);
    option("format", "FORMAT", help)
        .hide_possible_values(true)
        .default_value(TableFormat::TEXT.name)
        .value_parser(names.chain(more.iter().copied()).collect::<Vec<_>>())
}

/// The word that the user chose.
pub(crate) fn word(arguments: &ArgMatches) -> &str {
    arguments.get_one::<String>("format").map_or(TableFormat::TEXT.name, String::as_str)
}

/// The format of tables that the user chose; text for a word that is none of them.
pub(crate) fn format(arguments: &ArgMatches) -> &'static TableFormat {
    TableFormat::of(word(arguments)).unwrap_or(&TableFormat::TEXT)
}
