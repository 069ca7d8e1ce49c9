//! The standard input of several runs: each is to read all of it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;

use anyhow::{Context, Result, bail};
use rustix::io::ioctl_fionread;

/// The standard input and the place in it at which each run begins; none of a terminal, or a pipe without data.
pub(crate) struct Input(Option<(File, u64)>);

impl Input {
    /// Notes the place in the standard input.
    ///
    /// # Errors
    ///
    /// A pipe with data, which only one run could read.
    pub(crate) fn here() -> Result<Self> {
        // Somebody may have closed it, and then nobody reads it.
        let Ok(descriptor) = io::stdin().as_fd().try_clone_to_owned() else {
            return Ok(Self(None));
        };
        let mut file = File::from(descriptor);
        let kind = file.metadata().context("the standard input")?.file_type();
        // In jobs and over ssh it is often a pipe that nobody writes to.
        if (kind.is_fifo() || kind.is_socket()) && ioctl_fionread(&file).is_ok_and(|it| it > 0) {
            bail!(
                "the standard input is a pipe, which only the first of several runs could read; give a file (< FILE), or \
                 < /dev/null if no run reads it"
            );
        }
        let start = file.stream_position().ok();
        Ok(Self(start.map(|start| (file, start))))
    }

    /// Goes back to that place, for the next run.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(crate) fn rewind(&mut self) -> Result<()> {
        if let Some((file, start)) = &mut self.0 {
            file.seek(SeekFrom::Start(*start)).context("cannot rewind the standard input")?;
        }
        Ok(())
    }
}
