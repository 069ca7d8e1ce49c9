//! The carried files, unpacked when they are needed.
//!
//! They go to a folder of the user's cache that is named after their content, so that versions do
//! not disturb each other and a link line stays valid. Root's is the machine's, which everybody can read:
//! daemons that root starts become other users and load the runtime again. A file found there is used only if it
//! belongs to this user and holds exactly what it should: what gets linked into programs must not
//! come from anybody else. Nor may anybody else be able to exchange a folder on the way there after that was
//! checked, so each is checked as ssh checks the way to its keys.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use nix::libc;
use nix::unistd::geteuid;
use tempfile::NamedTempFile;

use super::given::given;
use super::layout::{CarriedFile, Layout};
use super::packed::Content;
use super::port::Port;
use crate::temporary;

/// Unpacks the files for a port, or finds them unpacked.
///
/// # Errors
///
/// No folder could be written and trusted; the message tells each and why.
pub(crate) fn unpack(port: &'static Port) -> Result<Layout> {
    let mut refusals = Vec::new();
    for folder in folders() {
        match unpack_into(port, &folder) {
            Ok(layout) => return Ok(layout),
            Err(error) => refusals.push(format!("{}: {error}", folder.display())),
        }
    }
    Err(anyhow!(
        "cannot unpack the runtime libraries ({}); set XDG_CACHE_HOME to a folder of yours",
        refusals.join("; ")
    ))
}

/// The folders to try: the cache that the user names, root's or the one at home, then one of the user's own
/// among the temporary files.
fn folders() -> impl Iterator<Item = PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let at_home = || Some(absolute("HOME")?.join(".cache"));
    let caches = match absolute("XDG_CACHE_HOME") {
        Some(cache) => [Some(cache), None],
        None => {
            let of_machine = Path::new("/var/cache");
            let is_for_us = geteuid().is_root() && of_machine.is_dir();
            [is_for_us.then(|| of_machine.to_owned()), at_home()]
        }
    };
    // Root with another user's HOME (sudo) must not leave folders there that lock its owner out,
    // and nobody should make a home that is not there.
    let caches = caches.into_iter().flatten().filter(|cache| {
        let nearest = cache.ancestors().take(2).find_map(|path| fs::metadata(path).ok());
        nearest.is_some_and(|folder| folder.uid() == geteuid().as_raw())
    });
    let temporary = env::temp_dir().join(format!("gmon-{}", geteuid()));
    caches.map(|cache| cache.join("gmon")).chain([temporary])
}

fn unpack_into(port: &'static Port, folder: &Path) -> Result<Layout> {
    let (Some(cache), Some(own)) = (folder.parent(), folder.file_name()) else {
        bail!("not a folder of a cache");
    };
    // Who names a folder for temporary files that is not there does not want one.
    if cache != env::temp_dir() {
        make_folder(cache, 0o700)?;
    }
    // Links are followed once, here: each could be exchanged as well.
    let cache = cache.canonicalize()?;
    cache.ancestors().try_for_each(check_ancestor)?;
    let folder = cache.join(own);
    make_private(&folder)?;
    let name = format!("{}-{}-{}", env!("CARGO_PKG_VERSION"), given().hash, port.target);
    let layout = Layout::new(port, folder.join(name), "lib".into());
    make_private(layout.prefix())?;
    for CarriedFile { path, content, .. } in layout.files() {
        let mut parent = layout.prefix().to_owned();
        for folder in path.parent().into_iter().flatten() {
            parent.push(folder);
            make_private(&parent)?;
        }
        let path = layout.prefix().join(path);
        if !holds(&path, &content) {
            let mut file = NamedTempFile::new_in(parent).map_err(temporary::without_its_name)?;
            file.write_all(&content.bytes()?)?;
            file.as_file().set_permissions(Permissions::from_mode(for_readers(0o644)))?;
            file.persist(path)?;
        }
    }
    Ok(layout)
}

/// Makes sure that a folder for carried files is there and only this user can write to it.
fn make_private(folder: &Path) -> Result<()> {
    make_folder(folder, for_readers(0o755))?;
    check_private(folder)
}

/// Makes a folder with these permissions, whatever the user's mask, unless there is one already.
fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(mode)),
    }
}

/// These permissions, as far as they are for those who read what is unpacked: everybody reads what is root's.
fn for_readers(mode: u32) -> u32 {
    if geteuid().is_root() { mode } else { mode & 0o700 }
}

/// Checks that nobody else but root can rename what this user has in a folder.
fn check_ancestor(folder: &Path) -> Result<()> {
    let metadata = fs::symlink_metadata(folder)?;
    if ![0, geteuid().as_raw()].contains(&metadata.uid()) {
        bail!("{} belongs to another user", folder.display());
    }
    // In a sticky folder, such as that of temporary files, everybody can only rename what is theirs.
    let (is_shared, is_sticky) = (metadata.mode() & 0o022 != 0, metadata.mode() & 0o1000 != 0);
    if is_shared && !is_sticky {
        bail!("{} can be written by other users", folder.display());
    }
    Ok(())
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

/// Returns `true` if a regular file of this user, and not a link to one, holds this content.
fn holds(path: &Path, content: &Content) -> bool {
    let open = || -> io::Result<(fs::Metadata, File)> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        Ok((file.metadata()?, file))
    };
    open().is_ok_and(|(metadata, mut file)| {
        let is_ours = metadata.is_file() && metadata.uid() == geteuid().as_raw();
        let mut found = Vec::with_capacity(content.size());
        is_ours
            && metadata.len() == content.size() as u64
            && file.read_to_end(&mut found).is_ok()
            && content.is(&found)
    })
}
