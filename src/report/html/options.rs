//! `--html FILE` and what belongs to it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use gmon_analyzer::Model;
use gmon_analyzer::sum::replace_file;
use serde::{Deserialize, Serialize};

use super::browser;
use super::page::Page;
use super::source::Choice;
use crate::text::quoted;

/// A page that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Html {
    /// The path of the file, which need not be UTF-8, as JSON wants it of a `PathBuf`.
    path: OsString,
    opens: bool,
    source: Choice,
    title: Option<String>,
}

impl Html {
    /// The options.
    pub(crate) fn arguments() -> [Arg; 4] {
        [
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .help("Write a report for the browser: flame graph, functions, callers and callees, source")
                .value_parser(value_parser!(PathBuf)),
            Arg::new("open")
                .long("open")
                .help("Open the report in $BROWSER, or in the browser of the desktop")
                .requires("html")
                .action(ArgAction::SetTrue),
            Arg::new("source")
                .long("source")
                .value_name("WHICH")
                .help("Source text to include in the report: of hot functions, of all files, or none [default: hot]")
                .requires("html")
                .value_parser(Choice::ALL.map(Choice::word)),
            Arg::new("title")
                .long("title")
                .value_name("TITLE")
                .help("Title of the report [default: the name of the program]")
                .requires("html"),
        ]
    }

    /// The page that these options ask for, if they do.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        let word = arguments.get_one::<String>("source");
        let chosen = Choice::ALL.into_iter().find(|it| word.is_some_and(|word| word == it.word()));
        Some(Self {
            path: arguments.get_one::<PathBuf>("html")?.clone().into_os_string(),
            opens: arguments.get_flag("open"),
            source: chosen.unwrap_or(Choice::Hot),
            title: arguments.get_one::<String>("title").cloned(),
        })
    }

    /// That of another program of the same run: beside this one, with the program's name.
    pub(crate) fn of_other(&self, program: &Path) -> Self {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let stem = self.path().file_stem().unwrap_or_default().to_string_lossy();
        let end = self.path().extension().map(|end| format!(".{}", end.to_string_lossy()));
        let name = format!("{stem}-{name}{}", end.unwrap_or_default());
        let path = self.path().with_file_name(name).into_os_string();
        Self { path, opens: false, ..self.clone() }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Writes the page of a profile, with what one must know before one trusts it, and shows it if that is
    /// asked for.
    ///
    /// # Errors
    ///
    /// It cannot be written or shown.
    pub(crate) fn write(&self, model: &Model, warnings: &[String]) -> Result<()> {
        let page = Page::new(model, self.title.as_deref(), self.source, warnings)?;
        replace_file(self.path(), |out| page.write(out))
            .with_context(|| format!("cannot write the report {}", self.path().display()))?;
        if self.opens {
            browser::open(self.path()).with_context(|| quoted(self.path()))?;
        }
        Ok(())
    }
}
