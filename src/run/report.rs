//! Where the summary goes.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result};

use crate::summary::Summary;

/// The standard error stream, coloured if it is a terminal, or a file.
pub(crate) struct Report {
    out: Box<dyn Write>,
    name: String,
}

impl Report {
    /// Opens it before the program runs, so that a wrong path does not cost a run.
    pub(crate) fn open(path: Option<&PathBuf>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self { out: Box::new(anstream::stderr()), name: "standard error".into() });
        };
        let name = path.display().to_string();
        let file = File::create(path).with_context(|| format!("cannot write the report {name}"))?;
        Ok(Self { out: Box::new(AutoStream::new(file, ColorChoice::Never)), name })
    }

    pub(super) fn show(&mut self, summary: &Summary) -> Result<()> {
        write!(self.out, "{summary}")
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write the report to {}", self.name))
    }
}
