//! A profile told by source lines, as several subcommands want it: read, joined, computed.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::analysis::SourceCosts;
use gmon_analyzer::image::{Dialect, FunctionTable, Lines};
use gmon_analyzer::profile::Executions;
use gmon_analyzer::records::Sampling;
use gmon_analyzer::symbols::Admission;
use gmon_analyzer::{Image, SymbolTable, records};

use crate::say;

/// All that is known of a program's lines.
pub(crate) struct SourceProfile<'a> {
    pub(crate) image: &'a Image,
    pub(crate) symbols: &'a SymbolTable<'a>,
    pub(crate) lines: Lines<'a>,
    pub(crate) functions: &'a FunctionTable,
    pub(crate) costs: SourceCosts<'a>,
    /// What the samples count, if there are any.
    pub(crate) sampling: Option<&'a Sampling>,
}

/// The arguments that name a program and its data files.
pub(crate) fn inputs() -> [Arg; 2] {
    let program = Arg::new("program")
        .value_name("PROGRAM")
        .help("The program")
        .default_value("a.out")
        .value_parser(value_parser!(PathBuf));
    let data = Arg::new("data")
        .value_name("DATA")
        .help("Its data files, which are added up")
        .default_value("gmon.out")
        .num_args(0..)
        .value_parser(value_parser!(PathBuf));
    [program, data]
}

impl SourceProfile<'_> {
    /// Reads what the arguments name, and hands it to `action`.
    pub(crate) fn with<T>(
        arguments: &ArgMatches,
        action: impl FnOnce(&SourceProfile<'_>) -> Result<T>,
    ) -> Result<T> {
        let program = arguments.get_one::<PathBuf>("program").cloned().unwrap_or_default();
        let data: Vec<&PathBuf> = arguments.get_many("data").into_iter().flatten().collect();
        let image = Image::open(&program)?;
        let symbols = SymbolTable::admitting(&image, Admission::with_odd_functions())?;
        let records = records::load(&data, &image)?;
        for file in records.foreign_files() {
            let (file, program) = (file.display(), program.display());
            say(&anyhow::anyhow!("warning: {file} seems to be of another program than {program}"));
        }
        let lines = image.lines(Dialect::Standard);
        let executions = Executions::new(&image, &symbols, &records)?;
        action(&SourceProfile {
            image: &image,
            symbols: &symbols,
            lines,
            functions: image.functions(Dialect::Standard),
            costs: SourceCosts::new(&image, &symbols, &records, &executions),
            sampling: records.histograms().sampling(),
        })
    }

    /// Whether there is a line whose executions are known.
    pub(crate) fn counts_blocks(&self) -> bool {
        self.costs.files().values().any(|file| file.executed_of().0 != 0)
    }
}
