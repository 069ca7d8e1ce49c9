//! The options of `gmon export`, and what they ask for.

use std::path::PathBuf;

use anyhow::{Error, anyhow, bail};
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::export::{Choice, FORMATS, Format, TABLES, Threads, View};

use crate::command_line::{flag, option, path_option};
use crate::open::{check_output, is_standard_output};
use crate::text::percent;

/// Wishes for the export.
pub(super) struct Wanted {
    pub(super) format: &'static Format,
    pub(super) view: View,
    /// Leaves out what tells where and by whom the program was run.
    pub(super) anonymous: bool,
    /// Path; the standard output if `None`.
    pub(super) output: Option<PathBuf>,
}

/// The options.
pub(super) fn arguments() -> [Arg; 8] {
    [
        option("format", "FORMAT", "The format; without it, the name of FILE decides")
            .value_parser(FORMATS.iter().map(|format| format.name).collect::<Vec<_>>())
            .hide_possible_values(true),
        path_option(
            "output",
            "FILE",
            "The file to write, compressed if its name ends in .gz; for jsonl also FOLDER/, for many processes [default: standard output]",
        )
        .short('o'),
        option(
            "threads",
            "HOW",
            "merge: add threads up; split: keep them apart, for callgrind in FILE-01, FILE-02 [default: merge]",
        )
        .value_parser(["merge", "split"]),
        option("table", "TABLE", "The table to write as csv, tsv, markdown, text or json [default: functions; for json everything]")
            .value_parser(TABLES.iter().map(|table| table.name).collect::<Vec<_>>()),
        option("top", "N", "Write at most N rows of a table, or N functions of a graph")
            .value_parser(value_parser!(usize)),
        option("min-share", "PERCENT", "Leave out rows and functions that take less than this share of the time")
            .value_parser(percent),
        option("run", "NAME", "The name of the run in the rows of jsonl"),
        flag(
            "anonymous",
            "Leave out the command, the host, the process, the time and the folders of all paths",
        ),
    ]
}

impl Wanted {
    /// Wishes in the options.
    ///
    /// # Errors
    ///
    /// They contradict each other, or do not say which format.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Result<Self, Error> {
        let output = arguments.get_one::<PathBuf>("output").cloned();
        let output = output.filter(|path| !is_standard_output(path));
        output.as_deref().map_or(Ok(()), check_output)?;
        let format = format(arguments, output.as_ref())?;
        let word = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
        let given = [
            (Choice::Threads, "threads"),
            (Choice::Table, "table"),
            (Choice::Part, "top"),
            (Choice::Part, "min-share"),
            (Choice::Run, "run"),
        ];
        for (choice, name) in given {
            let is_of_table = choice == Choice::Part && arguments.contains_id("table");
            let offered = if is_of_table { Choice::Table } else { choice };
            if arguments.contains_id(name) && !format.choices.contains(&offered) {
                let others = FORMATS.iter().filter(|it| it.choices.contains(&choice));
                let others: Vec<_> = others.map(|it| it.name).collect();
                let has_tables = format.choices.contains(&Choice::Table);
                let without = if has_tables { " without --table" } else { "" };
                bail!("--{name} is for {}, not for {}{without}", others.join(", "), format.name);
            }
        }
        let view = View {
            threads: match word("threads") {
                Some("split") => Threads::Split,
                _ => Threads::Merge,
            },
            thread: None,
            table: word("table").and_then(|word| TABLES.iter().find(|it| it.name == word)),
            top: arguments.get_one("top").copied(),
            min_share: arguments.get_one::<f64>("min-share").map(|percent| percent / 100.0),
            run: word("run").map(str::to_owned),
        };
        Ok(Self { format, view, anonymous: arguments.get_flag("anonymous"), output })
    }
}

/// The format that the options name, or else the name of the file.
fn format(arguments: &ArgMatches, output: Option<&PathBuf>) -> Result<&'static Format, Error> {
    if let Some(name) = arguments.get_one::<String>("format") {
        let format = FORMATS.iter().find(|format| format.name == name);
        return format.ok_or_else(|| anyhow!("{name}: an unknown format"));
    }
    let name = output.and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    let of_name = name.and_then(|name| FORMATS.iter().find(|format| format.is_of(&name)));
    of_name.ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        match output {
            Some(path) => anyhow!(
                "{}: the name does not tell the format; say --format with one of {}",
                path.display(),
                names.join(", ")
            ),
            None => anyhow!("say --format with one of {}", names.join(", ")),
        }
    })
}
