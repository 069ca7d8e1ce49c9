//! The file that a page goes to: `--html FILE`, and whether the browser shows it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches};
use gmon_analyzer::sum::replace_file;
use serde::{Deserialize, Serialize};

use super::browser;
use super::page::Page;
use crate::command_line::{flag, option, path_option};
use crate::open::check_output;
use crate::processes::{Files, part_of_name};
use crate::text::quoted;

/// A file for a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageFile {
    /// The path of the file, which need not be UTF-8, as JSON wants it of a `PathBuf`.
    path: OsString,
    opens: bool,
    title: Option<String>,
}

impl PageFile {
    /// The options. `title` is what the page is called without one.
    pub(crate) fn arguments(help: &'static str, title: &'static str) -> [Arg; 3] {
        [
            path_option("html", "FILE", help),
            flag("open", "Open the report in $BROWSER, or in the browser of the desktop")
                .requires("html"),
            option("title", "TITLE", &format!("Title of the report [default: {title}]"))
                .requires("html"),
        ]
    }

    /// The file that these options ask for, if they do.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        Some(Self {
            path: arguments.get_one::<PathBuf>("html")?.clone().into_os_string(),
            opens: arguments.get_flag("open"),
            title: arguments.get_one::<String>("title").cloned(),
        })
    }

    /// Page of another program of the same run: beside this one, with the program's name, and a number behind it
    /// if other programs have these.
    pub(super) fn of_other(&self, program: &Path, files: &mut Files) -> Self {
        let name = part_of_name(program).to_string_lossy().into_owned();
        let stem = self.path().file_stem().unwrap_or_default().to_string_lossy();
        let end = self.path().extension().map(|end| format!(".{}", end.to_string_lossy()));
        let end = end.unwrap_or_default();
        let named = |number| match number {
            1 => self.path().with_file_name(format!("{stem}-{name}{end}")),
            _ => self.path().with_file_name(format!("{stem}-{name}-{number}{end}")),
        };
        let path = files.give(program, named).into_os_string();
        Self { path, opens: false, ..self.clone() }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Title of the page, if the user gives one.
    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Writes a page, and shows it if that is asked for.
    ///
    /// # Errors
    ///
    /// The page cannot be written or shown.
    pub(crate) fn write(&self, page: &Page) -> Result<()> {
        check_output(self.path())?;
        replace_file(self.path(), |out| page.write(out))
            .with_context(|| format!("cannot write the report {}", self.path().display()))?;
        if self.opens {
            browser::open(self.path()).with_context(|| quoted(self.path()))?;
        }
        Ok(())
    }
}
