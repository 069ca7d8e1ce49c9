//! The directory that the profile started in, opened then: a program may change its directory, its
//! root or its rights before it ends.
//!
//! *Context:* `begin` startup or hook; the rest exit.

use core::ffi::CStr;
use core::sync::atomic::{AtomicI32, Ordering};

use once_cell::race::OnceRef;

use crate::linux::path::PATH_LEN;
use crate::linux::platform::{self, Directory, Identity, Status};
use crate::linux::region::Region;

/// What the file is called if nobody says otherwise.
pub(super) const NAME: &CStr = c"gmon.out";

struct Start {
    path: Option<&'static CStr>,
    identity: Option<Identity>,
    /// The `gmon.out` that lay there.
    found: Option<Status>,
}

static START: OnceRef<'static, Start> = OnceRef::new();

/// The open directory, which the program may close behind our back.
static DIRECTORY: AtomicI32 = AtomicI32::new(Directory::NONE.0);

/// Opens the directory that the file will be written to. Once is enough.
pub(crate) fn begin() {
    if START.get().is_some() {
        return;
    }
    let Some(region) = Region::map(size_of::<Start>()) else { return };
    let directory = Directory::open(c".").unwrap_or(Directory::NONE);
    DIRECTORY.store(directory.0, Ordering::Release);
    let start = region.place(Start {
        path: current_path(),
        identity: directory.identity().ok(),
        found: platform::status(directory, NAME).ok(),
    });
    _ = START.set(start);
}

/// The path of the current directory. Most are short.
fn current_path() -> Option<&'static CStr> {
    const SHORT: usize = 256;
    [SHORT, PATH_LEN].into_iter().find_map(|len| {
        let place = Region::map(len)?.into_bytes();
        platform::current_directory(place).ok()?;
        CStr::from_bytes_until_nul(place).ok()
    })
}

/// The directory that the profile started in, or, if it cannot be reached any more, the current.
pub(crate) fn directory() -> Directory {
    let Some(start) = START.get() else { return Directory::CURRENT };
    let opened = Directory(DIRECTORY.load(Ordering::Acquire));
    // A program that closes all descriptors closes ours too, and may have got its number again for
    // something else.
    if opened.identity().ok().is_some_and(|identity| Some(identity) == start.identity) {
        return opened;
    }
    let again = start.path.and_then(|path| Directory::open(path).ok());
    if let Some(again) = again {
        DIRECTORY.store(again.0, Ordering::Release);
    }
    again.unwrap_or(Directory::CURRENT)
}

/// The path of the directory, as it was then.
pub(super) fn path() -> Option<&'static CStr> {
    START.get()?.path
}

/// Whether a file of that name is the one that lay there then.
pub(super) fn was_there(file: &Status) -> bool {
    START.get().is_some_and(|start| start.found.as_ref() == Some(file))
}
