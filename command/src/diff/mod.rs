//! `gmon diff`: what differs between two sides of one run or several, and whether it may.
//!
//! ```text
//! files ─────→ sides ─┬→ comparison ─┬→ changes ─→ text, markdown, csv, tsv, json
//! commands ─→ turns ──┘              ├→ folded, page
//! --fail-on ─→ gate ─────────────────┴→ exit status
//! ```

mod changes;
mod folded;
mod gate;
mod json;
mod markdown;
mod page;
mod sides;
mod text;
mod turns;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::Model;
use gmon_analyzer::diff::{Comparison, Design};

use crate::command_line::{flag, option};
use crate::naming::Naming;
use crate::report::{Output, PageFile};
use crate::{is_seen_enough, say, tables};
use gate::{Gate, Outcome};
use markdown::Markdown;
use text::Text;
use turns::Turns;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("diff")
        .display_name("gmon diff")
        .about("Shows what changed between profiles, and fails if it must not")
        .override_usage(
            "gmon diff [OPTIONS] BASE NEW\n       gmon diff [OPTIONS] --base FILE... --new FILE...\n       \
             gmon diff [OPTIONS] --base-run COMMAND --new-run COMMAND --runs N",
        )
        .args(sides::arguments())
        .args(turns::arguments())
        .args(Gate::arguments())
        .arg(tables::argument(
            "text, markdown, csv, tsv, json, or folded: call stacks with the samples of both sides",
            &["folded"],
        ))
        .args(design_arguments())
        .arg(
            option("top", "N", "How many rows a table has at most")
                .default_value("20")
                .value_parser(value_parser!(usize)),
        )
        .args(PageFile::arguments(
            "Write a page for the browser as well: flame graph of the difference, functions, calls",
            "the names of the programs",
        ))
        .arg(Naming::argument("plain"))
        .after_help(
            "FILE is a profile in JSON (gmon export -o FILE.json), a data file or full profile, or a folder of \
             gmon run --runs, which holds several runs. Keep a profile in JSON: it needs no program any more \
             when that is built anew.\n\
             \n\
             Calls are exact. Times have an interval, and count as changed if chance is no explanation; for that \
             take several runs of each side.\n\
             \n\
             LIMIT is METRIC:CHANGE or METRIC(GLOB):CHANGE. METRIC is calls, self, total or samples; or, of times of calls \
             (gmon run --times), mean, p50, p90, p99, p99.9 or max. CHANGE is +0 (any growth), +5%, +0.05s, -1% (shrinks), ~2% (either). calls(CALLER>CALLEE) limits the calls of one \
             function by another.\n\
             \n\
             Exit status: 0 if all limits hold, 3 if one does not, 1 if there was nothing to judge or an input is bad, 2 for \
             bad usage.",
        )
}

/// Compares, shows, and judges.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let gate = match Gate::asked_for(arguments) {
        Ok(gate) => gate,
        Err(error) => return Ok(usage(&error)),
    };
    let files = match sides::Files::asked_for(arguments) {
        Ok(files) => files,
        Err(error) => return Ok(usage(&error)),
    };
    if let (Some(file), false) = (files.on_both_sides(), gate.is_open()) {
        bail!(
            "{} is on both sides, so no limit can be exceeded; name the profile of the other build",
            file.display()
        );
    }
    let [base, new] = match Turns::asked_for(arguments) {
        Some(turns) => turns.take()?,
        None => files.read(Naming::asked_for(arguments))?,
    };
    let compared = Compared::new(base, new, files.stretches(), design(arguments))?;
    let outcome = gate.judge(&compared.comparison);
    let shown = compared.show(arguments, &outcome);
    let is_seen = shown.is_ok();
    // Limits hold or not, whoever reads how little of it.
    shown.or_else(|error| if is_seen_enough(&error) { Ok(()) } else { Err(error) })?;
    outcome.complain(&compared, is_seen && tables::word(arguments) == "text");
    Ok(outcome.exit_code())
}

fn design_arguments() -> [Arg; 2] {
    [
        flag(
            "pairs",
            "The sides' runs were taken by turns: compare the first with the first if that shows more",
        )
        .conflicts_with("base-run"),
        flag("shares", "Compare parts of a run's total, whatever the speed of the machine"),
    ]
}

/// Common ground of the runs of both sides.
fn design(arguments: &ArgMatches) -> Design {
    Design {
        turns: arguments.get_flag("pairs") || arguments.contains_id("base-run"),
        shares: arguments.get_flag("shares"),
    }
}

/// Says why the options make no sense.
fn usage(error: &anyhow::Error) -> ExitCode {
    say(error);
    ExitCode::from(2)
}

/// Two sides, and what differs between them.
struct Compared {
    base: Vec<Model>,
    new: Vec<Model>,
    comparison: Comparison,
    /// The stretch of its runs that each side is, in words, if they are not whole.
    stretches: [Option<String>; 2],
}

impl Compared {
    fn new(
        base: Vec<Model>,
        new: Vec<Model>,
        stretches: [Option<String>; 2],
        design: Design,
    ) -> Result<Self> {
        let comparison =
            Comparison::by(design, &base, &new).map_err(|why| anyhow!("cannot compare: {why}"))?;
        Ok(Self { base, new, comparison, stretches })
    }

    fn show(&self, arguments: &ArgMatches, outcome: &Outcome<'_>) -> Result<()> {
        let top = arguments.get_one("top").copied().unwrap_or_default();
        let format = tables::word(arguments);
        if let Some(file) = PageFile::asked_for(arguments) {
            file.write(&page::page(self, outcome, file.title(), top)?)?;
        }
        let mut output = Output::standard();
        match format {
            "markdown" => output.show(&Markdown { compared: self, outcome, top })?,
            "json" => self.write(|out| json::write(self, outcome, top, out))?,
            "folded" => {
                if self.comparison.has_stacks != [true; 2] {
                    bail!(
                        "not all profiles have call stacks, which folded needs; record them with gmon run"
                    );
                }
                self.write(|out| folded::write(self, out))?;
            }
            "text" => {
                let width = output.width();
                output.show(&Text { compared: self, outcome, top, width })?;
            }
            _ => {
                let format = tables::format(arguments);
                self.write(|out| (format.write)(&changes::tables(self, top), None, out))?;
            }
        }
        Ok(())
    }

    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        out.flush().context("cannot write the comparison")
    }
}
