//! `gmon completions`, and what packages ship beside the command: completions and pages of the manual, all
//! made of the same descriptions of the commands as `--help`.
//!
//! `packaging/share` has them in the repository, though they are made: who builds a package for another machine cannot run
//! the command to make them, and reviewers see what a change does to every page. A test tells when they are old.

mod completions;
mod pages;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, value_parser};

pub(crate) use completions::{command, run};

/// A file that is installed beside the command: its path below `share`, and what is in it.
pub(crate) struct Shipped {
    pub(crate) path: PathBuf,
    pub(crate) content: Vec<u8>,
}

/// All pages and completions.
pub(crate) fn files() -> Vec<Shipped> {
    pages::files().into_iter().chain(completions::files()).collect()
}

/// The hidden subcommand by which the checked-in pages and completions are made.
pub(crate) fn generate_command() -> Command {
    Command::new("generate")
        .about("Writes the pages of the manual and the completions below a folder")
        .hide(true)
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
}

/// Writes them and prints their paths.
pub(crate) fn generate(arguments: &ArgMatches) -> Result<ExitCode> {
    let folder = arguments.get_one::<PathBuf>("folder").map_or(Path::new("."), PathBuf::as_path);
    let mut out = io::stdout().lock();
    for Shipped { path, content } in files() {
        let path = folder.join(path);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, content)
        };
        write().with_context(|| path.display().to_string())?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
