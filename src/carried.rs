//! The runtime libraries that the command carries inside itself, unpacked when they are needed.
//!
//! They go to a folder of the user's cache that is named after their content, so that versions do
//! not disturb each other and a link line stays valid. A file found there is used only if it
//! belongs to this user and holds exactly what it should: what gets linked into programs must not
//! come from anybody else.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use nix::libc;
use nix::unistd::geteuid;
use tempfile::NamedTempFile;

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libgmon.a"));
const SHARED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libgmon.so"));
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("GMON_LIBRARIES_HASH"));

/// Where the unpacked libraries lie.
pub(crate) struct Libraries {
    /// `libgmon.a`, to be linked into a program.
    pub(crate) archive: PathBuf,
    /// `libgmon.so`, to be preloaded.
    pub(crate) shared: PathBuf,
}

/// Unpacks the libraries, or finds them unpacked.
///
/// # Errors
///
/// No folder could be written and trusted; the message tells each and why.
pub(crate) fn unpack() -> Result<Libraries> {
    let mut refusals = Vec::new();
    for folder in folders() {
        match unpack_into(&folder) {
            Ok(libraries) => return Ok(libraries),
            Err(error) => refusals.push(format!("{}: {error}", folder.display())),
        }
    }
    Err(anyhow!(
        "cannot unpack the runtime libraries ({}); set XDG_CACHE_HOME to a folder of yours",
        refusals.join("; ")
    ))
}

/// Whether the ELF file that begins with these bytes is for the machine that the libraries are for:
/// word size, byte order and processor.
pub(crate) fn is_for_same_machine(start: &[u8]) -> bool {
    let machine = |file: &'static [u8]| [&file[4..6], &file[18..20]];
    let of_start = || Some([start.get(4..6)?, start.get(18..20)?]);
    of_start() == Some(machine(SHARED))
}

/// The folders to try: the user's cache, then one of the user's own among the temporary files.
fn folders() -> impl Iterator<Item = PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    // Root with another user's HOME (sudo) must not leave folders there that lock its owner out,
    // and nobody should make a home that is not there.
    let cache = cache.filter(|cache| {
        let nearest = cache.ancestors().take(2).find_map(|path| fs::metadata(path).ok());
        nearest.is_some_and(|folder| folder.uid() == geteuid().as_raw())
    });
    let temporary = env::temp_dir().join(format!("gmon-{}", geteuid()));
    cache.map(|cache| cache.join("gmon")).into_iter().chain([temporary])
}

fn unpack_into(folder: &Path) -> Result<Libraries> {
    let versioned = folder.join(VERSION);
    if let Some(cache) = folder.parent() {
        make_folder(cache)?;
    }
    for private in [folder, &versioned] {
        make_folder(private)?;
        check_private(private)?;
    }
    let libraries =
        Libraries { archive: versioned.join("libgmon.a"), shared: versioned.join("libgmon.so") };
    for (path, content) in [(&libraries.archive, ARCHIVE), (&libraries.shared, SHARED)] {
        if !holds(path, content) {
            let mut file = NamedTempFile::new_in(&versioned)?;
            file.write_all(content)?;
            file.persist(path)?;
        }
    }
    Ok(libraries)
}

/// Makes a folder for this user only, unless there is one already.
fn make_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Checks that nobody else can write to a folder.
fn check_private(folder: &Path) -> Result<()> {
    let metadata = fs::symlink_metadata(folder)?;
    let is_ours = metadata.is_dir() && metadata.uid() == geteuid().as_raw();
    if !is_ours || metadata.mode() & 0o022 != 0 {
        bail!("{} can be written by other users", folder.display());
    }
    Ok(())
}

/// Whether a regular file of this user, and not a link to one, holds exactly this content.
fn holds(path: &Path, content: &[u8]) -> bool {
    let open = || -> io::Result<(fs::Metadata, File)> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        Ok((file.metadata()?, file))
    };
    open().is_ok_and(|(metadata, mut file)| {
        let is_ours = metadata.is_file() && metadata.uid() == geteuid().as_raw();
        let mut found = Vec::with_capacity(content.len());
        is_ours
            && metadata.len() == content.len() as u64
            && file.read_to_end(&mut found).is_ok()
            && found == content
    })
}
