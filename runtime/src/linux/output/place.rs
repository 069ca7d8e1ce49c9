//! The places for the file, and its name in each.
//!
//! *Context:* exit.

use core::ffi::CStr;
use core::sync::atomic::{AtomicBool, Ordering};

use super::home::{Home, NAME};
use super::whole_file::Fill;
use super::{Occasion, home, whole_file};
use crate::decimal::Decimal;
use crate::linux::environment;
use crate::linux::ledger;
use crate::linux::options::Options;
use crate::linux::path::Path;
use crate::linux::platform::{self, Directory, Errno, Kind};
use crate::linux::process;
use crate::linux::program::Program;

/// The places for a file.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// What the user named: by the option `out`, or by glibc's `GMON_OUT_PREFIX`; else the place of the
    /// [`ledger`] for processes that `gmon run` has not started itself.
    Named,
    /// `gmon.out` in the directory that the profile started in; not for a process whose parent is
    /// profiled too.
    Common,
    /// `gmon.out.PID` in that directory.
    Own,
    /// `gmon.out.PID` in the current directory.
    Current,
    /// `gmon.out.PID` in the directory for temporary files.
    Temporary,
}

impl Place {
    /// All places, in the order in which they are tried.
    pub(super) const ALL: [Self; 5] =
        [Self::Named, Self::Common, Self::Own, Self::Current, Self::Temporary];

    /// The name of the file there; `None` if the place is not for this file.
    pub(super) fn name(self, home: &Home, occasion: Occasion) -> Option<Path> {
        let pid = Decimal::new(platform::process_id().unsigned_abs().into());
        let (name, pid) = (NAME.to_bytes(), pid.as_bytes());
        let is_child = || process::is_child() || process::parent_is_profiled();
        match self {
            Self::Named => {
                let pattern = Options::get().out.bytes();
                if !pattern.is_empty() {
                    return expand(pattern, pid).ok();
                }
                if let Some(prefix) = environment::variable(b"GMON_OUT_PREFIX") {
                    return Path::new(&[prefix, b".", pid]).ok();
                }
                let program = Program::get().map_or(&b""[..], |program| program.name);
                Path::new(&[ledger::folder()?, program, b".", pid]).ok()
            }
            Self::Common if occasion == Occasion::Exec => None,
            Self::Common if TAKEN.load(Ordering::Relaxed) || is_child() => None,
            Self::Common => Path::new(&[name]).ok(),
            Self::Current if home.is_current() => None,
            Self::Own | Self::Current => Path::new(&[name, b".", pid]).ok(),
            Self::Temporary => Path::new(&[b"/tmp/", name, b".", pid]).ok(),
        }
    }

    /// Writes the file there under that name, or, before `exec`, under one that begins with it; and returns
    /// its name.
    pub(super) fn write(
        self,
        home: &Home,
        name: &Path,
        occasion: Occasion,
        fill: &mut Fill<'_>,
    ) -> Result<Path, Errno> {
        let directory = match self {
            Self::Named | Self::Common | Self::Own => home.base(name)?,
            Self::Current | Self::Temporary => Directory::CURRENT,
        };
        match (occasion, self) {
            (Occasion::Exec, _) => return whole_file::add(directory, name, fill),
            (Occasion::Profile, Self::Common) => replace_common(directory, name, fill)?,
            (Occasion::Profile, _) => {
                let kind = platform::status(directory, name.as_c_str()).map(|status| status.kind);
                whole_file::replace(directory, name, kind.unwrap_or(Kind::Plain), fill)?;
            }
        }
        name.copy()
    }

    /// A name as the user can find it.
    pub(super) fn shown(self, name: &Path) -> Path {
        if name.bytes().starts_with(b"/") {
            return Path::new(&[name.bytes()]).unwrap_or_default();
        }
        let current = Path::current_directory();
        let current = current.as_ref().map_or(&b"."[..], Path::bytes);
        let directory = match self {
            Self::Named | Self::Common | Self::Own => home::path().map_or(current, CStr::to_bytes),
            Self::Current | Self::Temporary => current,
        };
        let directory = directory.strip_suffix(b"/").unwrap_or(directory);
        Path::new(&[directory, b"/", name.bytes()]).unwrap_or_default()
    }
}

/// Whether another process was found to have taken that name. Told once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Replaces `gmon.out`, unless another process has written it since this one started: each keeps
/// its profile, and the earlier one the name.
fn replace_common(home: Directory, name: &Path, fill: &mut Fill<'_>) -> Result<(), Errno> {
    let result = match platform::status(home, name.as_c_str()) {
        Ok(old) if !home::was_there(&old) && !whole_file::is_ours(old.identity) => {
            Err(Errno(libc::EEXIST))
        }
        Ok(old) => whole_file::replace(home, name, old.kind, fill),
        Err(_) => whole_file::create(home, name, fill),
    };
    TAKEN.store(result == Err(Errno(libc::EEXIST)), Ordering::Relaxed);
    result
}

/// Replaces in a pattern `%p` by the process id, `%e` by the name of the program's file and `%%`
/// by `%`.
pub(crate) fn expand(pattern: &[u8], pid: &[u8]) -> Result<Path, Errno> {
    let mut path = Path::default();
    let mut bytes = pattern.iter();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.as_slice().first()) {
            (b'%', Some(b'p')) => path.push(pid)?,
            (b'%', Some(b'e')) => path.push(Program::get().map_or(b"", |program| program.name))?,
            (b'%', Some(b'%')) => path.push(b"%")?,
            _ => {
                path.push(&[*byte])?;
                continue;
            }
        }
        bytes.next();
    }
    Ok(path)
}
