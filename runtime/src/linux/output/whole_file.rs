//! Files that are there whole or not at all.
//!
//! *Context:* exit.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use gmon_format::names;
use gmon_system::atomic::AtomicU64;
use gmon_system::decimal::Decimal;
use gmon_system::path::Path;
use gmon_system::platform::{self, Directory, Errno, File, Kind, Status};
use gmon_system::region::Region;

use super::Occasion;
use super::home::Home;
use crate::linux::naming;

/// Writer of the contents of a file; it may be called again for another.
pub(super) type Fill<'a> = dyn FnMut(&mut File) -> Result<(), Errno> + 'a;

/// The file that this process wrote last: its inode, and when it was written, in nanoseconds. 0 before it
/// did.
static WRITTEN: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Returns `true` if a file is the one that this process wrote last. The inode alone could be that of
/// another by now.
pub(super) fn is_ours(file: &Status) -> bool {
    let written = WRITTEN.each_ref().map(|number| number.load(Ordering::Acquire));
    written == mark_of(file)
}

fn note_written(file: &Status) {
    for (place, number) in WRITTEN.iter().zip(mark_of(file)) {
        place.store(number, Ordering::Release);
    }
}

fn mark_of(file: &Status) -> [u64; 2] {
    let (seconds, nanoseconds) = file.written;
    let time = seconds.unsigned_abs().wrapping_mul(1_000_000_000);
    [file.identity.inode, time.wrapping_add(nanoseconds.into())]
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
        Err(error) if is_denied(error) => write_in_place(directory, path, error, fill),
        Err(error) => Err(error),
    }
}

/// Like [`replace`], for a name that other processes write too: false if one of them has it, whose file is not
/// what `may_replace` tells.
pub(super) fn share(
    directory: Directory,
    path: &Path,
    may_replace: impl Fn(&Status) -> bool,
    fill: &mut Fill<'_>,
) -> Result<bool, Errno> {
    match Temporary::write(directory, path, fill) {
        Ok(mut temporary) => temporary.publish_if(path, may_replace),
        Err(error) if is_denied(error) => {
            write_in_place(directory, path, error, fill).map(|()| true)
        }
        Err(error) => Err(error),
    }
}

/// Returns `true` if the directory takes no new file.
fn is_denied(error: Errno) -> bool {
    matches!(error.0, libc::EACCES | libc::EROFS | libc::EPERM)
}

/// Writes an existing file; `denied` is why it cannot be replaced.
fn write_in_place(
    directory: Directory,
    path: &Path,
    denied: Errno,
    fill: &mut Fill<'_>,
) -> Result<(), Errno> {
    let file = platform::create(directory, path.as_c_str(), libc::O_TRUNC);
    write(file.map_err(|_| denied)?, fill)?;
    note_written(&platform::status(directory, path.as_c_str())?);
    Ok(())
}

/// True if a file was written beside the one that [`add`] wrote last.
static HAS_BESIDE: AtomicBool = AtomicBool::new(false);

/// Ending of the name of a file beside another.
pub(crate) const BESIDE: &[u8] = names::FULL.as_bytes();

/// Writes a file beside `first`, which was written just before and remains the one that [`is_ours`]. A device
/// has nothing beside it.
pub(super) fn replace_beside(
    directory: Directory,
    first: &Path,
    path: &Path,
    occasion: Occasion,
    fill: &mut Fill<'_>,
) -> Result<(), Errno> {
    if !platform::status(directory, first.as_c_str()).is_ok_and(|first| first.kind == Kind::Plain) {
        return Ok(());
    }
    let ours = WRITTEN.each_ref().map(|number| number.load(Ordering::Acquire));
    let old = platform::status(directory, path.as_c_str());
    let result = replace(directory, path, old.map_or(Kind::Plain, |old| old.kind), fill);
    WRITTEN.iter().zip(ours).for_each(|(place, number)| place.store(number, Ordering::Release));
    HAS_BESIDE.store(occasion == Occasion::Exec && result.is_ok(), Ordering::Release);
    result
}

/// Removes a file, but nothing else of that name.
pub(super) fn remove(directory: Directory, path: &Path) {
    if platform::status(directory, path.as_c_str()).is_ok_and(|old| old.kind == Kind::Plain) {
        _ = platform::unlink(directory, path.as_c_str());
    }
}

fn write(mut file: File, fill: &mut Fill<'_>) -> Result<(), Errno> {
    fill(&mut file)?;
    file.close()
}

/// Writes the file under the first of the names `path.exec1`, `path.exec2`… that is free, which `path`
/// becomes.
pub(super) fn add(directory: Directory, path: &mut Path, fill: &mut Fill<'_>) -> Result<(), Errno> {
    let mut temporary = Temporary::write(directory, path, fill)?;
    for n in 1..=TRIES {
        let name = Path::new(&names::replaced(path.bytes(), Decimal::new(n).as_bytes()))?;
        match temporary.publish(&name, platform::rename) {
            Err(Errno(libc::EEXIST)) => {}
            Err(error) => return Err(error),
            Ok(()) => {
                *path = name.copy()?;
                remember(directory, name);
                return Ok(());
            }
        }
    }
    Err(Errno(libc::EEXIST))
}

/// Tries of things that other processes can thwart.
const TRIES: u64 = 1000;

/// The file that [`add`] wrote last, and whether it lies in the current directory.
static ADDED: AtomicPtr<(Path, bool)> = AtomicPtr::new(null_mut());

fn remember(directory: Directory, name: Path) {
    if let Some(region) = Region::map(size_of::<(Path, bool)>()) {
        let is_here = directory == Directory::CURRENT;
        let added = core::ptr::from_ref(region.place((name, is_here))).cast_mut();
        ADDED.store(added, Ordering::Release);
    }
}

/// Removes the file that was written for [`Occasion::Exec`]: the program was not replaced.
pub(crate) fn withdraw() {
    let added = ADDED.swap(null_mut(), Ordering::AcqRel);
    // SAFETY: null, or what `remember` placed in memory that is never unmapped.
    if let Some((name, is_here)) = unsafe { added.as_ref() } {
        let home = Home::find();
        let directory = if *is_here { Ok(Directory::CURRENT) } else { home.base(name) };
        let Ok(directory) = directory else { return };
        _ = platform::unlink(directory, name.as_c_str());
        if HAS_BESIDE.swap(false, Ordering::AcqRel) {
            if let Ok(beside) = Path::new(&[name.bytes(), BESIDE]) {
                _ = platform::unlink(directory, beside.as_c_str());
            }
        }
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
        let name = Path::new(&names::temporary(path.bytes(), naming::process().as_bytes()))?;
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
        let status = self.status()?;
        rename(self.directory, self.name.as_c_str(), path.as_c_str())?;
        self.is_published = true;
        note_written(&status);
        Ok(())
    }

    /// Gives the file its last name if no file has that which [`share`] may not replace. Other processes may be
    /// about to do the same: none of their files is lost.
    fn publish_if(
        &mut self,
        path: &Path,
        may_replace: impl Fn(&Status) -> bool,
    ) -> Result<bool, Errno> {
        for _ in 0..TRIES {
            let Ok(old) = platform::status(self.directory, path.as_c_str()) else {
                match self.publish(path, platform::rename) {
                    // It has just come to be.
                    Err(Errno(libc::EEXIST)) => continue,
                    result => return result.map(|()| true),
                }
            };
            if !may_replace(&old) {
                break;
            }
            let mine = self.status()?;
            match platform::exchange(self.directory, self.name.as_c_str(), path.as_c_str()) {
                Ok(()) => return self.finish_exchange(path, &mine, &old),
                // It is gone by now.
                Err(Errno(libc::ENOENT)) => {}
                // Not every file system can exchange names.
                Err(_) => return self.publish(path, platform::replace).map(|()| true),
            }
        }
        Ok(false)
    }

    /// After the file has changed names with the one at `path`: if that was the `old` one, removes it. If it was
    /// the file of a process that came between, gives it its name back. Others may do so at the same time,
    /// and each goes on until it has its own file again; the first of all has the old one.
    fn finish_exchange(&mut self, path: &Path, mine: &Status, old: &Status) -> Result<bool, Errno> {
        let exchange = || platform::exchange(self.directory, self.name.as_c_str(), path.as_c_str());
        for _ in 0..TRIES {
            let in_hand = self.status()?;
            if in_hand == *old {
                if let Err(error) = platform::unlink(self.directory, self.name.as_c_str()) {
                    // It was a directory.
                    _ = exchange();
                    return Err(error);
                }
                self.is_published = true;
                note_written(mine);
                return Ok(true);
            }
            if in_hand.identity == mine.identity {
                return Ok(false);
            }
            if exchange().is_err() {
                break;
            }
        }
        // Somebody removes files meanwhile. What is in hand is another process's, and to be kept.
        self.publish(&naming::own(path.bytes())?, platform::replace)?;
        Ok(true)
    }

    fn status(&self) -> Result<Status, Errno> {
        platform::status(self.directory, self.name.as_c_str())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_published {
            _ = platform::unlink(self.directory, self.name.as_c_str());
        }
    }
}
