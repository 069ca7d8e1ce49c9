//! `gmon report`: the summary of a profile that is already there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::Model;
use gmon_format::names::DATA_FILE as DATA;

use super::part::Part;
use super::show::{Shown, show_exported, show_samples, write_page, write_page_of, write_pages};
use super::{Html, Output, ProcessList, View};
use crate::command_line::flag;
use crate::open::{Samples, any_build, is_program, program_of, unknown};
use crate::processes::{Narrowing, Profiled, of_folder as processes_of};
use crate::tables;
use crate::text::quoted;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("report")
        .display_name("gmon report")
        .about("Shows where the time went, from existing profiles")
        .override_usage(
            "gmon report [OPTIONS] [PROGRAM] [DATA]...\n       gmon report [OPTIONS] PROFILE.json",
        )
        .args(View::arguments())
        .args(Part::arguments())
        .arg(tables::argument("text, or its tables alone as markdown, csv, tsv or json", &[]))
        .group(Part::group())
        .group(Part::branches())
        .args(Html::arguments())
        .args(Samples::arguments())
        .mut_arg("html", |html| html.conflicts_with_all(["part", "by", "format"]))
        .args(Narrowing::arguments())
        .arg(any_build())
        .arg(flag(
            "debuginfod",
            "Let debuginfod-find fetch names that are missing, from the servers in DEBUGINFOD_URLS",
        ))
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .num_args(0..)
                .hide(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .after_help(
            "DATA is gmon.out unless you name others, and PROGRAM what its full profile names, or a.out. Several data files add up. A \
             folder made by gmon run -d records its programs itself. PROFILE.json is what gmon export --format \
             json has written; it needs no program.\n\
             \n\
             gmon run, or a program started with GMON_OPTIONS=stacks, leaves call stacks in DATA.full beside DATA. \
             With them all times are measured. --tree, --threads, --modules, --by, --only and --without need them.\n\
             \n\
             SYMSPEC is a function as for --calls, or one as for gmon gprof: FILE, FILE:FUNCTION, FILE:LINE, or \
             CALLER/CALLEE for a call.",
        )
}

/// Prints the summary.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let files: Vec<PathBuf> = arguments.get_many("files").into_iter().flatten().cloned().collect();
    let html = Html::asked_for(arguments);
    if let ([profile], Some(html)) = (files.as_slice(), &html) {
        if Model::is_in(profile) {
            let samples = Samples::asked_for(arguments);
            let (model, _) = samples.read(profile)?;
            write_page_of(model, None, (View::asked_for(arguments), &samples), html)?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    let any_build = arguments.get_flag("any-build");
    let asks_debuginfod = arguments.get_flag("debuginfod");
    let view = View { any_build, asks_debuginfod, ..View::asked_for(arguments) };
    let part = Part::asked_for(arguments);
    let samples = Samples::asked_for(arguments);
    let mut output = Output::standard().of_tables(tables::format(arguments));
    let mut is_shown = true;
    match files.as_slice() {
        [folder] if folder.is_dir() => {
            let narrowing = Narrowing::asked_for(arguments);
            let asked = (view, &part, &samples);
            is_shown = of_folder(folder, &narrowing, asked, html.as_ref(), &mut output)?;
        }
        _ if Narrowing::asked_for(arguments) != Narrowing::Everything => {
            bail!("--child and --no-children need a folder that gmon run -d has made")
        }
        [file] if Model::is_in(file) => {
            show_exported(file, (view, &part, &samples), &mut output)?;
        }
        [_, .., file] | [file, _, ..] if Model::is_in(file) => {
            bail!("{}: an exported profile stands alone; name no other files", file.display())
        }
        files => {
            let (program, data) = sort(files)?;
            if let Some(html) = &html {
                write_page(&program, &data, (view, &samples), html)?;
                return Ok(ExitCode::SUCCESS);
            }
            let (program, data) = (&program, data.as_slice());
            let shown = Shown { program, data, processes: None, view, part: &part };
            show_samples(&shown, &samples, &mut output)?;
        }
    }
    output.finish()?;
    Ok(if is_shown { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program and its data files among the files named, in place of which the usual ones are taken.
fn sort(files: &[PathBuf]) -> Result<(PathBuf, Vec<PathBuf>)> {
    let (program, data) = match files {
        [program, data @ ..] if is_program(program) => (Some(program.clone()), data.to_vec()),
        data => (None, data.to_vec()),
    };
    let data = if data.is_empty() { vec![DATA.into()] } else { data };
    if let [first, ..] = data.as_slice() {
        if data.len() == 1 && first == Path::new(DATA) && !first.exists() {
            bail!(
                "there is no {DATA} here; run the program first (gmon run PROGRAM), or name its data \
                 (gmon doctor PROGRAM tells what is wrong)"
            );
        }
        let program = program.or_else(|| program_of(first));
        if let Some(program) = program {
            return Ok((program, data));
        }
    }
    for file in &data {
        fs::metadata(file).with_context(|| file.display().to_string())?;
    }
    let shown = data.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(" ");
    Err(unknown(&data[0], &shown, &format!("gmon report PROGRAM {shown}")))
}

/// Shows what all processes of a run reported, as far as it can be shown. Returns `false` if nothing can, and has said why.
fn of_folder(
    folder: &Path,
    narrowing: &Narrowing,
    (view, part, samples): (View, &Part, &Samples),
    html: Option<&Html>,
    output: &mut Output,
) -> Result<bool> {
    let name = folder.display();
    let Some(mut processes) = processes_of(folder) else {
        bail!("gmon run -d did not make {name}; name the program and its data files");
    };
    for process in &mut processes {
        // The folder may have been moved.
        let moved =
            process.file.as_ref().and_then(|file| file.file_name()).map(|name| folder.join(name));
        process.file = moved.filter(|file| file.exists()).or(process.file.take());
    }
    let all_data = processes.iter().filter_map(|process| process.file.as_deref());
    let samples = &samples.of_run(all_data);
    let first = processes.first().map_or(0, |process| process.id);
    let called = narrowing.narrow(&mut processes, first);
    let mut list = ProcessList::new(processes.iter());
    let mut programs = Profiled::group(processes);
    programs.retain(|program| !program.data.is_empty());
    if *narrowing == Narrowing::Everything {
        Profiled::take_idle(&mut programs).iter().for_each(|it| list.idle(&it.processes));
    }
    if programs.is_empty() {
        bail!("{name} has no profile of such a process{called}");
    }
    if let Some(html) = html {
        return write_pages(&programs, (view, samples), html, output);
    }
    if list.is_long() {
        output.present(None, list.sheet())?;
    }
    let mut is_shown = false;
    for program in programs {
        let usage = program.usage();
        let Profiled { program, data, processes } = &program;
        let processes = Some((processes.len(), usage));
        let shown = Shown { program, data, processes, view, part };
        match show_samples(&shown, samples, output) {
            Err(error) if crate::is_seen_enough(&error) => return Err(error),
            Err(error) => match narrowing.option() {
                Some(option) => crate::say(&error.context(option)),
                None => crate::say(&error),
            },
            Ok(()) => is_shown = true,
        }
    }
    Ok(is_shown)
}
