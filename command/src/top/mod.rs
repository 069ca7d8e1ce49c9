//! `gmon top`: what running programs do just now.
//!
//! ```text
//! live files ─→ reader ─→ picture ─┬→ rows ─→ screen ─→ draw ─→ terminal
//!                                  └→ once
//! ```
//!
//! Reader and terminal are threads of their own, with a `board` between them. Only live files are read: the programs do nothing
//! for it. For those that have none, we write them ourselves by what is sampled from outside.

mod board;
mod draw;
mod hooks;
mod once;
mod pace;
mod picture;
mod reader;
mod rows;
mod screen;
mod strip;
mod subjects;
mod sums;
mod terminal;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc as Shared;
use std::thread;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Result, bail};
use clap::{ArgMatches, Command, value_parser};

use crate::attached;
use crate::command_line::{flag, option, path_operand, path_option};
use crate::naming::Naming;
use crate::report::Output;
use crate::tables;
use crate::text::quoted;
use board::Board;
use reader::Followed;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("top")
        .display_name("gmon top")
        .about("Shows what running programs do just now")
        .args([
            path_operand(
                "target",
                "PID|PROGRAM|LIVEFILE",
                "Processes, programs by their names, or files that GMON_OPTIONS=live=FILE named",
            )
            .required(true)
            .num_args(1..),
            option("interval", "SECONDS", "How often to look")
                .default_value("1")
                .value_parser(seconds),
            flag("once", "Look twice, this long apart, and write what was in between"),
            tables::argument("With --once: text, markdown, csv, tsv, or json with everything", &[])
                .requires("once"),
            option("top", "N", "With --once: how many functions to list")
                .default_value("20")
                .value_parser(value_parser!(usize)),
            path_option("program", "FILE", "The program, for a live file whose process has ended"),
            Naming::argument("plain"),
        ])
        .after_help(
            "Any program that runs can be looked at: gmon samples it from outside, and calls are not counted. \
             A program that was started with GMON_OPTIONS=stacks,live=FILE counts its calls there, \
             and gmon only reads the file; without stacks there are no total times.\n\
             \n\
             ? lists the keys: functions, threads, modules and processes; callers and callees of a \
             function; how long its calls take; its source; search, sort, hold, count from here, write a profile; wake hooks of a program that was \
             built with gmon cc --dormant, and let them sleep again.\n\
             \n\
             gmon top never stops a program. It looks less often than asked for where looking \
             would take more than 2 % of a processor. What a function inlines counts for the function.",
        )
}

/// A number of seconds that one can wait.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.01..=3600.0).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "must be from 0.01 to 3600".to_owned())
}

/// Shows the programs until the user has seen enough.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    if !arguments.get_flag("once") {
        // Whoever is followed from outside has threads of ours.
        terminal::restore_before_signals()?;
    }
    let naming = Naming::asked_for(arguments);
    let program = arguments.get_one::<PathBuf>("program").map(PathBuf::as_path);
    let targets = arguments.get_many::<PathBuf>("target").into_iter().flatten();
    let mut followed = Vec::new();
    for target in targets {
        followed.extend(follow(target, program, naming)?);
    }
    let interval = arguments.get_one::<Duration>("interval").copied().unwrap_or_default();
    if arguments.get_flag("once") {
        let picture = reader::look_twice(&mut followed, interval);
        let mut out = BufWriter::new(anstream::stdout().lock());
        let top = arguments.get_one::<usize>("top").copied().unwrap_or_default();
        let table = once::functions(&picture, top);
        match tables::word(arguments) {
            "json" => once::write_json(&picture, table, &mut out)?,
            word => {
                if word == "text" {
                    once::write_processes(&picture, &mut out)?;
                }
                (tables::format(arguments).write)(&[table], Output::standard().width(), &mut out)?;
            }
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let has_color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let board = Shared::new(Board::default());
    thread::scope(|scope| {
        scope.spawn(|| reader::read(&board, &mut followed, interval));
        let result = terminal::show(&board, has_color);
        board.close();
        result
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The processes that a word names. Those without a live file are sampled from outside.
fn follow(target: &Path, program: Option<&Path>, naming: Naming) -> Result<Vec<Followed>> {
    let found = match attached::by_word(target) {
        Ok(found) => found,
        Err(error) => {
            let unprepared = attached::unprepared(target);
            if unprepared.is_empty() {
                return Err(error);
            }
            let follow = |process| Followed::from_outside(process, naming);
            return unprepared.into_iter().map(follow).collect();
        }
    };
    let is_ended = found.iter().any(|it| it.process.is_none());
    if is_ended && program.is_none() {
        let shown = quoted(target);
        bail!("no running program counts in {shown}; name it: gmon top --program FILE {shown}");
    }
    found.into_iter().map(|attached| Followed::new(attached, program, naming)).collect()
}
