//! `--html FILE` of a profile, and what belongs to it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches};
use gmon_analyzer::Model;
use serde::{Deserialize, Serialize};

use super::file::PageFile;
use super::profile::page;
use super::source::Choice;
use crate::command_line::option;
use crate::open::check_output;
use crate::processes::Files;

/// A page that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Html {
    file: PageFile,
    source: Choice,
}

impl Html {
    /// The options.
    pub(crate) fn arguments() -> [Arg; 4] {
        let [html, open, title] = PageFile::arguments(
            "Write a report for the browser: flame graph, functions, callers and callees, source",
            "the name of the program",
        );
        let source = option(
            "source",
            "WHICH",
            "Source text to include in the report: of hot functions, of all files, or none [default: hot]",
        )
        .requires("html")
        .value_parser(Choice::ALL.map(Choice::word));
        [html, open, source, title]
    }

    /// The page that these options ask for, if they do.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        let word = arguments.get_one::<String>("source");
        let chosen = Choice::ALL.into_iter().find(|it| word.is_some_and(|word| word == it.word()));
        let file = PageFile::asked_for(arguments)?;
        Some(Self { file, source: chosen.unwrap_or(Choice::Hot) })
    }

    /// Page of another program of the same run: beside this one, with the program's name.
    pub(crate) fn of_other(&self, program: &Path, files: &mut Files) -> Self {
        Self { file: self.file.of_other(program, files), source: self.source }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Tries whether the file can be written, before something runs for long.
    ///
    /// # Errors
    ///
    /// The place cannot be written.
    pub(crate) fn try_place(&self) -> Result<()> {
        let path = self.path();
        check_output(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let tried = match fs::metadata(path) {
            Ok(old) if old.is_file() => OpenOptions::new().append(true).open(path).map(drop),
            Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => Ok(()),
            Err(_) => tempfile::tempfile_in(folder.unwrap_or(Path::new("."))).map(drop),
        };
        tried.with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes the page of a profile, with what one must know before one trusts it, and shows it if that is
    /// asked for.
    ///
    /// # Errors
    ///
    /// The page cannot be written or shown.
    pub(crate) fn write(&self, model: &Model, warnings: &[String]) -> Result<()> {
        self.file.write(&page(model, self.file.title(), self.source, warnings)?)
    }
}
