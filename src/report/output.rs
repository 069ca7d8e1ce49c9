//! Where summaries go.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result};

/// A stream, coloured if it is a terminal, or a file.
pub(crate) struct Output {
    out: Box<dyn Write>,
    name: String,
    is_used: bool,
}

impl Output {
    /// The standard error stream, or a file. It is opened before the program runs, so that a wrong path
    /// does not cost a run.
    pub(crate) fn open(path: Option<&PathBuf>) -> Result<Self> {
        let Some(path) = path else {
            let out = Box::new(anstream::stderr());
            return Ok(Self { out, name: "standard error".into(), is_used: false });
        };
        let name = path.display().to_string();
        let file = File::create(path).with_context(|| format!("cannot write the report {name}"))?;
        let out = Box::new(AutoStream::new(file, ColorChoice::Never));
        Ok(Self { out, name, is_used: false })
    }

    /// The standard output.
    pub(crate) fn standard() -> Self {
        Self { out: Box::new(anstream::stdout()), name: "standard output".into(), is_used: false }
    }

    /// Shows something, behind an empty line if it is not the first.
    pub(crate) fn show(&mut self, what: &impl Display) -> Result<()> {
        let gap = if self.is_used { "\n" } else { "" };
        self.is_used = true;
        write!(self.out, "{gap}{what}")
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write the report to {}", self.name))
    }
}
