//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;

/// Writes a file that `fill` fills: under another name first, so that nobody ever sees half of it and
/// that a failure leaves the old one as it was.
///
/// What is not an ordinary file, such as a pipe, is written directly; so is a file in a directory
/// that takes no other.
///
/// # Errors
/// Those of the system and of `fill`.
pub fn replace_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, SHARED, fill)
}

/// Like [`replace_file`], but nobody else can read a file that is new.
///
/// # Errors
/// Those of the system and of `fill`.
pub fn replace_private_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, PRIVATE, fill)
}

/// Modes of new files. Whoever could write a profile could have its reader see anything.
const SHARED: u32 = 0o644;
const PRIVATE: u32 = 0o600;

fn replace(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // A link stays, and what it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(&mut OpenOptions::new().write(true).open(path)?);
    }
    let mut temporary = match Temporary::create(path, mode) {
        Ok(temporary) => temporary,
        Err(error) if old.is_some() && is_denied(&error) => {
            let mut file = File::create(path)?;
            fill(&mut file)?;
            return file.sync_all();
        }
        Err(error) => return Err(error),
    };
    fill(&mut temporary.file)?;
    if let Some(old) = old {
        temporary.file.set_permissions(old.permissions())?;
    }
    // Only now is it certain that there was room for everything.
    temporary.file.sync_all()?;
    temporary.rename(path)
}

/// Like [`replace_file`], but makes a new file, and fails where there is one of that name.
///
/// # Errors
/// Those of the system and of `fill`; [`io::ErrorKind::AlreadyExists`] if there is a file.
pub fn create_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = Temporary::create(path, SHARED)?;
    fill(&mut temporary.file)?;
    temporary.file.sync_all()?;
    match fs::hard_link(&temporary.name, path) {
        // Some file systems have no second names.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            if path.symlink_metadata().is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            temporary.rename(path)
        }
        result => result,
    }
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// A file under a name that is not its last. Unless it is renamed, it is removed.
struct Temporary {
    file: File,
    name: PathBuf,
    is_renamed: bool,
}

impl Temporary {
    fn create(path: &Path, mode: u32) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", process::id()));
        let name = path.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode);
        let create = || options.open(&name);
        let file = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // A leftover of an earlier process of this number.
                fs::remove_file(&name)?;
                create()?
            }
            result => result?,
        };
        Ok(Self { file, name, is_renamed: false })
    }

    fn rename(&mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.name, path)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            // It stays behind, at worst.
            _ = fs::remove_file(&self.name);
        }
    }
}
