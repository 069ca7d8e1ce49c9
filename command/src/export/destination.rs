//! Destination of an export: the standard output, or a file that appears whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use gmon_analyzer::export::{Compressed, Contents, Format};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::sum::behind_links;

use crate::temporary;

/// The rights of new files, but for what the user's mask takes away.
const RIGHTS: u32 = 0o666;

/// Destination of an export, and whether it is compressed.
pub(super) struct Destination<'a> {
    path: Option<PathBuf>,
    format: &'a Format,
}

impl<'a> Destination<'a> {
    /// A file, or the standard output if there is none.
    pub(super) fn new(path: Option<PathBuf>, format: &'a Format) -> Self {
        Self { path, format }
    }

    /// The file with a number behind its name, before the ending of compressed ones.
    pub(super) fn numbered(&self, number: u32) -> Self {
        let path = self.path.as_ref().map(|path| {
            let name = path.to_string_lossy();
            match name.strip_suffix(".gz") {
                Some(name) => format!("{name}-{number:02}.gz"),
                None => format!("{name}-{number:02}"),
            }
            .into()
        });
        Self { path, ..*self }
    }

    /// Why this cannot be meant.
    pub(super) fn unsuitable(&self) -> Option<Error> {
        let is_terminal = self.path.is_none() && io::stdout().is_terminal();
        (is_terminal && self.format.files.contents != Contents::Text).then(|| {
            anyhow!("{} is not for a terminal; say -o FILE, or redirect it", self.format.name)
        })
    }

    /// Writes what `write` writes.
    ///
    /// # Errors
    ///
    /// The file cannot be written. Then it is what it was before.
    pub(super) fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let Some(path) = &self.path else { return Ok(self.send(io::stdout().lock(), write)?) };
        self.write_file(path, write).with_context(|| path.display().to_string())
    }

    fn write_file(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = behind_links(path);
        let known = fs::symlink_metadata(&path).ok().filter(|known| !known.is_symlink());
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            return self.send(File::options().write(true).open(&path)?, write);
        }
        let rights = known.as_ref().map_or(Permissions::from_mode(RIGHTS), Metadata::permissions);
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let unfinished =
            tempfile::Builder::new().prefix(".gmon-").permissions(rights).tempfile_in(folder);
        let unfinished = unfinished.map_err(temporary::without_its_name)?;
        if let Some(known) = known {
            // The user's mask may have taken rights away that the file has.
            unfinished.as_file().set_permissions(known.permissions())?;
        }
        self.send(unfinished.as_file(), write)?;
        unfinished.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    fn send(
        &self,
        out: impl Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let name =
            self.path.as_ref().map_or_else(String::new, |path| path.to_string_lossy().into_owned());
        let progress = ProgressLine::new(format!("gmon: writing {name}"));
        let mut out = BufWriter::with_capacity(1 << 16, Watched { out, written: 0, progress });
        if self.format.files.contents == Contents::Compressed || name.ends_with(".gz") {
            let mut compressed = Compressed::new(&mut out);
            write(&mut compressed)?;
            compressed.finish()?;
        } else {
            write(&mut out)?;
        }
        out.flush()
    }
}

/// Tells on a terminal how much is written.
struct Watched<W> {
    out: W,
    written: u64,
    progress: ProgressLine,
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written as u64;
        self.progress.update_bytes(self.written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
