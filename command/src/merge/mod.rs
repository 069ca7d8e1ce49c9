//! `gmon merge`: adds up data files as they are, without the program that wrote them; full profiles into a
//! full profile, exported profiles into an exported one, which also takes full profiles, all others into a `gmon.out`.

mod by_name;
mod folder;
mod for_compilers;
mod full;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgMatches, Command};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::records::{self, FullRecords};
use gmon_analyzer::sum::{Sum, replace_file};

use crate::command_line::{path_operand, path_option};
use crate::guided;
use crate::open::{self, Sources, full_of};
use crate::say;
use crate::text::quoted;

pub(crate) use full::sum as full_sum;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("merge")
        .display_name("gmon merge")
        .about("Adds up data files into one, without their program")
        .args([
            path_option("output", "OUT", "The file to write; it may be one of the input files")
                .short('o')
                .required(true),
            open::like("from the data"),
            path_operand(
                "file",
                "FILE",
                "A data file of any format, or an exported profile; - is the standard input; of a folder, all profiles in it and below",
            )
            .required(true)
            .num_args(1..),
        ])
        .after_help(
            "Unlike gprof -s, gmon merge keeps call sites apart. It writes the GNU format, and\n\
             splits counts too large for a record over several, which every gprof adds up.\n\
             \n\
             Full profiles (gmon.out.full) add up to a full profile, and data files with those beside them to OUT\n\
             and OUT.full. They may be of different builds of a\n\
             program, whose functions stay apart unless OUT ends in .json or .jsonl. Those of one\n\
             run keep their threads; of several runs, threads of one name become one.\n\
             \n\
             Profiles in JSON and rows (gmon export, .json and .jsonl) add up to OUT.json or OUT.jsonl, by the\n\
             names of functions, so they may be of any builds and machines: gmon merge -o sum.json fleet/\n\
             So do full profiles whose programs are still there.\n\
             \n\
             Profiles for clang and rustc (gmon export --format llvm-prof) add up to one, of any builds and machines.",
        )
}

/// Reads the files and writes their sum.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let named: Vec<&PathBuf> = arguments.get_many("file").into_iter().flatten().collect();
    let output = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    open::check_output(&output)?;
    let files = folder::expanded(&named, &output)?;
    if files.iter().any(|file| guided::is_text(file)) {
        for_compilers::merge(&files, &output, &mut progress())?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_by_name = by_name::is_named(&output);
    let once: Vec<PathBuf> = records::once_each(&files).into_iter().map(Path::to_owned).collect();
    let has_pairs = once.len() < files.len();
    let files: Vec<PathBuf> = match is_by_name {
        true => once.into_iter().map(|file| full_of(&file).unwrap_or(file)).collect(),
        false => once,
    };
    let files: Vec<&PathBuf> = files.iter().collect();
    let (named, others): (Vec<&PathBuf>, Vec<&PathBuf>) = files
        .iter()
        .partition(|file| by_name::is_exported(file) || is_by_name && records::is_full(file));
    if !named.is_empty() {
        for file in &others {
            fs::metadata(file).with_context(|| file.display().to_string())?;
        }
    }
    match (named.as_slice(), others.as_slice()) {
        ([], [data, ..]) if is_by_name => bail!(
            "{output} would hold functions by their names, which are not in {data}; export it: gmon export PROGRAM {data} -o {output}, or name the sum otherwise, as gmon.sum",
            data = quoted(data),
            output = quoted(&output)
        ),
        ([exported, ..], [other, ..]) if !is_by_name => bail!(
            "{} is an exported profile and {} is none; write the sum of both to a file that ends in .json, by the names of functions",
            exported.display(),
            other.display()
        ),
        ([named, ..], []) if open::encoding_like(arguments)?.is_some() => bail!(
            "--like is for data files that do not tell their encoding, and {} does",
            named.display()
        ),
        ([_, ..], _) => {
            by_name::merge(&named, &others, &output, &mut progress())?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    if let [full, ..] = full_files(&files)?.as_slice() {
        if open::encoding_like(arguments)?.is_some() {
            bail!(
                "--like is for files that do not tell their encoding, which {} does",
                full.display()
            );
        }
        full::merge(&files, &output, &mut progress())?;
        return Ok(ExitCode::SUCCESS);
    }
    let encoding = open::encoding_like(arguments)?;
    let (records, encoding) = records::load_raw(&files, encoding, &mut progress())?;
    for (file, miscount) in records.miscounts() {
        say(&anyhow!("warning: {}: {miscount}", file.display()));
    }
    // OUT may be one of the files.
    let sources = has_pairs.then(|| {
        let files: Vec<PathBuf> = files.into_iter().cloned().collect();
        summed(Sources::of(&files))
    });
    let full = sources.transpose()?.flatten();
    let sum = Sum::raw(&records);
    replace_file(&output, |out| sum.write_gnu(encoding, out))
        .with_context(|| output.display().to_string())?;
    full.map_or(Ok(()), |sum| full::write(&sum, &open::full_beside(&output)))?;
    Ok(ExitCode::SUCCESS)
}

/// The sum of the full profiles of data files, if all have one.
fn summed(sources: Sources) -> Result<Option<FullRecords>> {
    match sources {
        Sources::Full { full, counts } => full::sum(&full, &counts, &mut progress()).map(Some),
        Sources::Counts(none) => {
            say(&anyhow!("warning: {}; so the sum has no call stacks", none.why));
            Ok(None)
        }
    }
}

/// The full profiles among files, which are all of them or none.
fn full_files<'a>(files: &[&'a PathBuf]) -> Result<Vec<&'a Path>> {
    let (full, others): (Vec<_>, Vec<_>) =
        files.iter().map(|file| file.as_path()).partition(|file| records::is_full(file));
    if let ([full, ..], [other, ..]) = (full.as_slice(), others.as_slice()) {
        bail!(
            "{} has call stacks and {} has not; merge full profiles with each other, and the gmon.out files \
             beside them with each other",
            full.display(),
            other.display()
        );
    }
    Ok(full)
}

fn progress() -> ProgressLine {
    ProgressLine::new("gmon: merging")
}
