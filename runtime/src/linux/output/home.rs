//! The directory that the profile started in: remembered, not held open. An open directory would be a way out
//! for a program that shuts itself in by `chroot`, and programs count their descriptors.
//!
//! It is the current directory as long as the program stays there, whatever it is called by then. Else its path
//! leads there, unless it was moved, or the program has changed its root or given up the rights for the way.
//!
//! *Context:* `begin` startup or hook; the rest exit.

use core::ffi::CStr;

use gmon_system::path::{PATH_LEN, Path};
use gmon_system::platform::{self, Directory, Errno, Identity, Status};
use gmon_system::region::Region;
use once_cell::race::OnceRef;

use super::place::Shared;

struct Start {
    path: Option<&'static CStr>,
    identity: Option<Identity>,
    /// The files that lay there under the names in question.
    found: [Option<Status>; Shared::ALL.len()],
}

static START: OnceRef<'static, Start> = OnceRef::new();

/// Remembers the directory that the file will be written to. Once is enough.
pub(crate) fn begin() {
    if START.get().is_some() {
        return;
    }
    let Some(region) = Region::map(size_of::<Start>()) else { return };
    let start = region.place(Start {
        path: current_path(),
        identity: Directory::CURRENT.identity().ok(),
        found: Shared::ALL
            .map(|shared| platform::status(Directory::CURRENT, shared.name()?.as_c_str()).ok()),
    });
    _ = START.set(start);
}

/// The path of the current directory. Most are short.
fn current_path() -> Option<&'static CStr> {
    const SHORT: usize = 256;
    [SHORT, PATH_LEN].into_iter().find_map(|len| {
        let place = Region::map(len)?.into_bytes();
        platform::current_directory(place).ok()?;
        // Linux says so in words if the directory lies outside the process's root.
        CStr::from_bytes_until_nul(place).ok().filter(|path| path.to_bytes().starts_with(b"/"))
    })
}

/// The directory that the profile started in, while something is done there.
pub(crate) struct Home(Result<Directory, Errno>);

impl Home {
    /// Finds the directory.
    pub(crate) fn find() -> Self {
        let Some(start) = START.get() else { return Self(Ok(Directory::CURRENT)) };
        let is_it = |directory: Directory| directory.identity().ok() == start.identity;
        if is_it(Directory::CURRENT) {
            return Self(Ok(Directory::CURRENT));
        }
        let found = start.path.ok_or(Errno(libc::ENOENT)).and_then(Directory::open);
        Self(found.and_then(|directory| {
            if is_it(directory) {
                return Ok(directory);
            }
            directory.close();
            Err(Errno(libc::ENOENT))
        }))
    }

    /// Directory to which a path from there is relative; an error if the directory cannot be reached any
    /// more and the path matters.
    pub(crate) fn base(&self, path: &Path) -> Result<Directory, Errno> {
        if path.bytes().starts_with(b"/") { Ok(Directory::CURRENT) } else { self.0 }
    }

    /// Returns `true` if it is the current directory.
    pub(super) fn is_current(&self) -> bool {
        self.0 == Ok(Directory::CURRENT)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        match self.0 {
            Ok(Directory::CURRENT) | Err(_) => {}
            Ok(opened) => opened.close(),
        }
    }
}

/// The path of the directory, as it was then.
pub(crate) fn path() -> Option<&'static CStr> {
    START.get()?.path
}

/// Returns `true` if a file that is found now lay there then, under one of the names in question.
pub(super) fn was_there(file: &Status) -> bool {
    START.get().is_some_and(|start| start.found.iter().flatten().any(|found| found == file))
}
