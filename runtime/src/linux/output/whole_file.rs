//! Files that are there whole or not at all.
//!
//! *Context:* exit.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::home::Home;
use crate::atomic::AtomicU64;
use crate::decimal::Decimal;
use crate::linux::path::Path;
use crate::linux::platform::{self, Directory, Errno, File, Identity, Kind};
use crate::linux::region::Region;

/// What writes the contents of a file; it may be called again for another.
pub(super) type Fill<'a> = dyn FnMut(&mut File) -> Result<(), Errno> + 'a;

/// Inode of the file that this process wrote last; 0 before it did.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Whether a file is the one that this process wrote last.
pub(super) fn is_ours(identity: Identity) -> bool {
    identity.inode == WRITTEN.load(Ordering::Acquire)
}

/// Writes the file under a temporary name and renames it, so that no reader ever sees half of it
/// and a symbolic link is replaced, not followed. `kind` is what the name stands for until now. Where the
/// directory takes no new file, an existing file is written in place; so is a device, and what else is no
/// file is let be.
pub(super) fn replace(
    directory: Directory,
    path: &Path,
    kind: Kind,
    fill: &mut Fill<'_>,
) -> Result<(), Errno> {
    match kind {
        Kind::CharacterDevice => {
            let how = libc::O_NONBLOCK | libc::O_NOCTTY;
            return write(platform::create(directory, path.as_c_str(), how)?, fill);
        }
        Kind::Other => return Err(Errno(libc::EEXIST)),
        Kind::Plain => {}
    }
    match Temporary::write(directory, path, fill) {
        Ok(mut temporary) => temporary.publish(path, platform::replace),
        Err(error @ Errno(libc::EACCES | libc::EROFS | libc::EPERM)) => {
            let file = platform::create(directory, path.as_c_str(), libc::O_TRUNC);
            write(file.map_err(|_| error)?, fill)
        }
        Err(error) => Err(error),
    }
}

fn write(mut file: File, fill: &mut Fill<'_>) -> Result<(), Errno> {
    fill(&mut file)?;
    file.close()
}

/// Like [`replace`], but fails if there is a file of that name by now.
pub(super) fn create(directory: Directory, path: &Path, fill: &mut Fill<'_>) -> Result<(), Errno> {
    Temporary::write(directory, path, fill)?.publish(path, platform::rename)
}

/// Writes the file under the first of the names `path.exec1`, `path.exec2`… that is free, and returns that.
pub(super) fn add(directory: Directory, path: &Path, fill: &mut Fill<'_>) -> Result<Path, Errno> {
    const TRIES: u64 = 1000;
    let mut temporary = Temporary::write(directory, path, fill)?;
    for n in 1..=TRIES {
        let name = Path::new(&[path.bytes(), b".exec", Decimal::new(n).as_bytes()])?;
        match temporary.publish(&name, platform::rename) {
            Ok(()) => {
                let shown = name.copy();
                remember(directory, name);
                return shown;
            }
            Err(Errno(libc::EEXIST)) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Errno(libc::EEXIST))
}

/// The file that [`add`] wrote last, and whether it lies in the current directory.
static ADDED: AtomicPtr<(Path, bool)> = AtomicPtr::new(null_mut());

fn remember(directory: Directory, name: Path) {
    if let Some(region) = Region::map(size_of::<(Path, bool)>()) {
        let is_here = directory == Directory::CURRENT;
        let added = core::ptr::from_ref(region.place((name, is_here))).cast_mut();
        ADDED.store(added, Ordering::Release);
    }
}

/// Removes the file that was written for [`Occasion::Exec`](super::Occasion::Exec): the program was not replaced.
pub(crate) fn withdraw() {
    let added = ADDED.swap(null_mut(), Ordering::AcqRel);
    // SAFETY: null, or what `remember` placed in memory that is never unmapped.
    if let Some((name, is_here)) = unsafe { added.as_ref() } {
        let home = Home::find();
        let directory = if *is_here { Ok(Directory::CURRENT) } else { home.base(name) };
        _ = directory.and_then(|directory| platform::unlink(directory, name.as_c_str()));
    }
}

/// A whole file whose name is not its last. Without [`publish`](Self::publish) it is removed.
struct Temporary {
    directory: Directory,
    name: Path,
    is_published: bool,
}

impl Temporary {
    fn write(directory: Directory, path: &Path, fill: &mut Fill<'_>) -> Result<Self, Errno> {
        let pid = Decimal::new(platform::process_id().unsigned_abs().into());
        let name = Path::new(&[path.bytes(), b".", pid.as_bytes(), b".tmp"])?;
        let file = match platform::create(directory, name.as_c_str(), libc::O_EXCL) {
            Err(Errno(libc::EEXIST)) => {
                // A leftover of an earlier process of this number.
                _ = platform::unlink(directory, name.as_c_str());
                platform::create(directory, name.as_c_str(), libc::O_EXCL)?
            }
            result => result?,
        };
        let temporary = Self { directory, name, is_published: false };
        write(file, fill)?;
        Ok(temporary)
    }

    /// Gives the file its last name, by `rename`.
    fn publish(
        &mut self,
        path: &Path,
        rename: fn(Directory, &CStr, &CStr) -> Result<(), Errno>,
    ) -> Result<(), Errno> {
        let status = platform::status(self.directory, self.name.as_c_str())?;
        rename(self.directory, self.name.as_c_str(), path.as_c_str())?;
        self.is_published = true;
        WRITTEN.store(status.identity.inode, Ordering::Release);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_published {
            _ = platform::unlink(self.directory, self.name.as_c_str());
        }
    }
}
