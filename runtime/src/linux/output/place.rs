//! The places for the file, and its name in each.
//!
//! *Context:* exit; [`Shared::name`] also startup or hook.

use core::ffi::CStr;
use core::sync::atomic::{AtomicBool, Ordering};

use gmon_format::names::{self, Pattern};
use gmon_system::environment;
use gmon_system::path::Path;
use gmon_system::platform::{self, Directory, Errno, Kind, Status};
use gmon_system::program::Program;

use super::home::Home;
use super::whole_file::Fill;
use super::{Occasion, home, whole_file};
use crate::linux::ledger;
use crate::linux::naming;
use crate::linux::options::Options;
use crate::linux::process;

/// A name in the directory that the profile started in which other processes may have too. It is for the first
/// that ends, and not for a process that a profiled one has started: a process adds its number to a name that
/// it does not get.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shared {
    /// Name by the option `out`, without the process in its pattern.
    Chosen,
    /// `gmon.out`, or `gmon.out.RANK`.
    Usual,
}

impl Shared {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Chosen, Self::Usual];

    /// The name, unless the user has chosen none such.
    pub(super) fn name(self) -> Option<Path> {
        let pattern = Pattern(Options::get().out);
        match self {
            Self::Usual => naming::usual().ok(),
            Self::Chosen if pattern.0.is_empty() || pattern.names_process() => None,
            Self::Chosen => naming::expand(pattern).ok(),
        }
    }
}

/// The places for a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Name for each process that the user gave: by the option `out`, or by glibc's `GMON_OUT_PREFIX`; else
    /// the place of the [`ledger`] for processes that `gmon run` has not started itself.
    Named,
    /// A shared name.
    Shared(Shared),
    /// The shared name with the process's number behind it.
    Own(Shared),
    /// `gmon.out.PID` in the current directory.
    Current,
    /// `gmon.out.PID` in the directory for temporary files.
    Temporary,
}

/// Result of giving the file its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The file was written.
    Written,
    /// The file was not written: another process has written a file of this name since this one
    /// started.
    Taken,
}

impl Place {
    /// All places, in the order in which they are tried.
    pub(super) const ALL: [Self; 7] = [
        Self::Named,
        Self::Shared(Shared::Chosen),
        Self::Own(Shared::Chosen),
        Self::Shared(Shared::Usual),
        Self::Own(Shared::Usual),
        Self::Current,
        Self::Temporary,
    ];

    /// The name of the file there; `None` if the place is not for this file.
    pub(super) fn name(self, home: &Home, occasion: Occasion) -> Option<Path> {
        let is_further = || ledger::folder(occasion).is_some();
        let is_child = || process::is_child() || is_further() || process::parent_is_profiled();
        match self {
            Self::Named => {
                let pattern = Pattern(Options::get().out);
                if !pattern.0.is_empty() {
                    return pattern.names_process().then(|| naming::expand(pattern).ok())?;
                }
                if let Some(prefix) = environment::variable(names::PREFIX_VARIABLE.as_bytes()) {
                    return naming::own(prefix).ok();
                }
                let program = Program::get().map_or(&b""[..], |program| program.name);
                let base = Path::new(&[ledger::folder(occasion)?, program]).ok()?;
                naming::own(base.bytes()).ok()
            }
            Self::Shared(_) if occasion == Occasion::Exec => None,
            Self::Shared(_) if IS_TAKEN.load(Ordering::Relaxed) || is_child() => None,
            Self::Shared(shared) => shared.name(),
            Self::Own(shared) => naming::own(shared.name()?.bytes()).ok(),
            Self::Current if home.is_current() => None,
            Self::Current => naming::own(names::DATA_FILE.as_bytes()).ok(),
            Self::Temporary => {
                let name = naming::own(names::DATA_FILE.as_bytes()).ok()?;
                Path::new(&[names::LAST_RESORT.as_bytes(), name.bytes()]).ok()
            }
        }
    }

    /// Writes the file there under that name, which becomes the one that it really has.
    pub(super) fn write(
        self,
        home: &Home,
        name: &mut Path,
        occasion: Occasion,
        fill: &mut Fill<'_>,
    ) -> Result<Outcome, Errno> {
        let directory = self.directory(home, name)?;
        match (occasion, self) {
            (Occasion::Exec, _) => whole_file::add(directory, name, fill)?,
            (Occasion::Profile, Self::Shared(_)) => return share(directory, name, fill),
            (Occasion::Profile, _) => match platform::status(directory, name.as_c_str()) {
                Ok(old) if ledger::has(name) && !whole_file::is_ours(&old) => {
                    whole_file::add(directory, name, fill)?;
                }
                old => {
                    let kind = old.map_or(Kind::Plain, |old| old.kind);
                    whole_file::replace(directory, name, kind, fill)?;
                }
            },
        }
        Ok(Outcome::Written)
    }

    /// The directory that a name there is relative to.
    pub(super) fn directory(self, home: &Home, name: &Path) -> Result<Directory, Errno> {
        match self {
            Self::Named | Self::Shared(_) | Self::Own(_) => home.base(name),
            Self::Current | Self::Temporary => Ok(Directory::CURRENT),
        }
    }

    /// A name as the user can find it.
    pub(super) fn shown(self, name: &Path) -> Path {
        if name.bytes().starts_with(b"/") {
            return name.copy().unwrap_or_default();
        }
        let start = match self {
            Self::Current | Self::Temporary => None,
            _ => home::path(),
        };
        let current = if start.is_none() { Path::current_directory() } else { None };
        let current = current.as_ref().map_or(&b"."[..], Path::bytes);
        let directory = start.map_or(current, CStr::to_bytes);
        let directory = directory.strip_suffix(b"/").unwrap_or(directory);
        Path::new(&[directory, b"/", name.bytes()]).unwrap_or_default()
    }
}

/// True if another process was found to have taken the shared name: this one then keeps to its own.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Writes the file under a shared name, unless another process has written it since this one started: each
/// keeps its profile, and the earlier one the name.
fn share(directory: Directory, name: &Path, fill: &mut Fill<'_>) -> Result<Outcome, Errno> {
    let may_replace = |old: &Status| home::was_there(old) || whole_file::is_ours(old);
    let is_written = match platform::status(directory, name.as_c_str()) {
        Ok(old) if old.kind != Kind::Plain => {
            whole_file::replace(directory, name, old.kind, fill).map(|()| true)
        }
        Ok(old) if !may_replace(&old) => Ok(false),
        _ => whole_file::share(directory, name, may_replace, fill),
    };
    if is_written == Ok(false) {
        IS_TAKEN.store(true, Ordering::Relaxed);
    }
    is_written.map(|is_written| if is_written { Outcome::Written } else { Outcome::Taken })
}
