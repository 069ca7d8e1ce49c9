//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::files::OutputPipe;

/// Writes a file that `fill` fills: under another name first, so that nobody ever sees half of it and
/// that a failure leaves the old one as it was.
///
/// Things other than ordinary files are written directly, a pipe only if somebody reads from it; so is a file
/// in a directory that takes no other.
///
/// # Errors
/// Errors of the system and of `fill`.
pub fn replace_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, SHARED, fill)
}

/// Like [`replace_file`], but nobody else can read a file that is new.
///
/// # Errors
/// Errors of the system and of `fill`.
pub fn replace_private_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, PRIVATE, fill)
}

/// Modes of new files. Whoever could write a profile could have its reader see anything.
pub const SHARED: u32 = 0o644;
const PRIVATE: u32 = 0o600;

fn replace(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = &*behind_links(path);
    let old = fs::symlink_metadata(path).ok().filter(|old| !old.is_symlink());
    if old.as_ref().is_some_and(|old| old.file_type().is_fifo()) {
        return fill(&mut OutputPipe::open(path)?);
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(&mut OpenOptions::new().write(true).open(path)?);
    }
    // At no time can anybody read more than they could read before.
    let mode = old.as_ref().map_or(mode, |old| mode & old.permissions().mode());
    let mut temporary = match temporary(path, mode) {
        Ok(temporary) => temporary,
        Err(error) if old.is_some() && is_denied(&error) => {
            let mut file = File::create(path)?;
            fill(&mut file)?;
            return file.sync_all();
        }
        Err(error) => return Err(error),
    };
    fill(&mut temporary)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    // Only now is it certain that there was room for everything.
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// Like [`replace_file`], but makes a new file, with rights of `mode`, and fails where there is something of that name, be it a link.
///
/// # Errors
/// Errors of the system and of `fill`; [`io::ErrorKind::AlreadyExists`] if there is a file.
pub fn create_file(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match filled(path, mode, fill)?.persist_noclobber(path) {
        Ok(_) => Ok(()),
        // Some file systems cannot do that.
        Err(refused) if path.symlink_metadata().is_err() => {
            refused.file.persist(path)?;
            Ok(())
        }
        Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

/// The file that is written by a name. What a link leads to is written, and the link stays, unless another user could choose by it
/// what is written.
#[must_use]
pub fn behind_links(path: &Path) -> PathBuf {
    let resolved = if is_foreign_link(path) { None } else { fs::canonicalize(path).ok() };
    resolved.unwrap_or_else(|| path.to_owned())
}

/// Opens a file to write all of it, as it is filled. A link is followed unless another user could choose by it what is written: that
/// one is replaced.
///
/// # Errors
/// Errors of the system.
pub fn open_output(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    match options.clone().custom_flags(libc::O_NOFOLLOW).open(path) {
        Err(_) if is_foreign_link(path) => {
            fs::remove_file(path)?;
            File::create_new(path)
        }
        Err(_) if path.is_symlink() => options.open(path),
        opened => opened,
    }
}

/// True for a symbolic link by which another user could choose the file that we write: any that is not ours if we are root, and
/// one in a folder of all users, such as /tmp. The system does not follow the latter either (`fs.protected_symlinks`).
fn is_foreign_link(path: &Path) -> bool {
    /// Anybody makes files there, and nobody removes those of others.
    const OF_ALL: u32 = 0o1002;
    let Ok(link) = fs::symlink_metadata(path) else { return false };
    let folder = fs::metadata(folder_of(path)).ok();
    let ours = fs::metadata("/proc/self").map(|process| process.uid()).ok();
    let is_of_all =
        || folder.is_some_and(|it| it.mode() & OF_ALL == OF_ALL && it.uid() != link.uid());
    link.is_symlink() && Some(link.uid()) != ours && (ours == Some(0) || is_of_all())
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// A file as [`temporary`] makes it that `fill` has filled and that the disk has.
fn filled(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut temporary = temporary(path, mode)?;
    fill(&mut temporary)?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// A file under a name that nobody uses, in the folder of `path`. It is removed unless it gets another one.
fn temporary(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut reason = None;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode);
    let file = Builder::new().make_in(folder_of(path), |path| {
        options.open(path).inspect_err(|error| reason = error.raw_os_error())
    });
    // The error of the crate names the file that nobody knows.
    file.map_err(|error| reason.map_or(error, io::Error::from_raw_os_error))
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn a_pipe_is_written_to_if_somebody_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        // More than a pipe holds.
        let bytes = vec![b'x'; 1 << 20];
        let write = || replace_file(&path, |out| out.write_all(&bytes));
        assert_eq!(write().unwrap_err().to_string(), "a pipe that nobody reads from");
        let copy = folder.path().join("copy");
        let copied = File::create(&copy).unwrap();
        let mut reader = Command::new("cat").arg(&path).stdout(copied).spawn().unwrap();
        while write().is_err() {
            thread::yield_now();
        }
        assert!(reader.wait().unwrap().success());
        assert!(fs::read(&copy).unwrap() == bytes);
    }

    #[test]
    fn what_replaces_a_private_file_is_private_from_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let modes = || -> Vec<u32> {
            let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().metadata());
            files.map(|file| file.unwrap().permissions().mode() & 0o777).collect()
        };
        let mut during = Vec::new();
        replace_file(&path, |out| {
            during = modes();
            out.write_all(b"after")
        })
        .unwrap();
        assert_eq!((during, modes()), (vec![0o600; 2], vec![0o600]));
        assert_eq!(fs::read(&path).unwrap(), b"after");
    }
}
