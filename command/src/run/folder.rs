//! The folder of a run, in which its processes write until the run is over: beside the destination, so that what a run
//! leaves that was killed is found.
//!
//! ```text
//! .gmon-run-a1B2c3/      ours; others may pass through it if we are root, and can list nothing
//!     SECRET/            processes write here; of root's all users may, who know the name
//!     prog.123           what we have taken out of there
//!     place              the folder of the destination, if this one lies elsewhere
//! ```
//!
//! Only processes of the run have the name of the secret folder, in an environment that nobody but their own user and
//! root can read. So in a run of root no other user can write there (docs/design/threats.md).

use std::env;
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use nix::fcntl::{Flock, FlockArg};
use nix::unistd::geteuid;
use tempfile::TempDir;

use crate::text::quoted;
use crate::{say, temporary};

/// The beginning of these folders' names.
const PREFIX: &str = ".gmon-run-";

/// The file that names the folder of the destination.
const PLACE: &str = "place";

/// The folder of a run, removed with all that is in it in the end unless somebody needs it.
pub(super) struct RunFolder {
    folder: Option<TempDir>,
    path: PathBuf,
    secret: PathBuf,
    /// Held as long as we live, by which others tell that.
    _lock: Flock<File>,
}

impl RunFolder {
    /// Makes one in a place, or among temporary files where the place does not suit.
    pub(super) fn make(place: &Path) -> Result<Self> {
        let place = std::path::absolute(place).ok().filter(|place| suits(place));
        let beside =
            place.and_then(|it| tempfile::Builder::new().prefix(PREFIX).tempdir_in(it).ok());
        let folder = beside.map_or_else(|| temporary::named(PREFIX), Ok)?;
        let path = folder.path().to_owned();
        let shown = || path.display().to_string();
        let lock = lock(&path).with_context(shown)?;
        let secret = path.join(secret_name().with_context(shown)?);
        fs::DirBuilder::new().mode(0o700).create(&secret).with_context(shown)?;
        if is_shared() {
            let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
            set(&secret, 0o1733).and_then(|()| set(&path, 0o711)).with_context(shown)?;
        }
        Ok(Self { folder: Some(folder), path, secret, _lock: lock })
    }

    /// The folder that processes write into.
    pub(super) fn secret(&self) -> &Path {
        &self.secret
    }

    /// The folder that only we write into.
    pub(super) fn own(&self) -> &Path {
        &self.path
    }

    /// True if it stays.
    pub(super) fn is_kept(&self) -> bool {
        self.folder.is_none()
    }

    /// Keeps it: there is something in it that has no other place.
    pub(super) fn keep(&mut self) -> PathBuf {
        self.folder.take().map_or_else(|| self.path.clone(), TempDir::keep)
    }
}

/// True if processes of other users write into our folder: those that give up the rights of root.
pub(super) fn is_shared() -> bool {
    geteuid().is_root()
}

/// True if the folder of a run can lie in a place. Where other users write into it, they must get there, and nobody but
/// root may be able to put something else in its place.
fn suits(place: &Path) -> bool {
    // A comma separates options in the environment.
    if place.as_os_str().as_bytes().contains(&b',') {
        return false;
    }
    let is_safe = |folder: &Path| {
        fs::metadata(folder).is_ok_and(|it| {
            let (mode, is_sticky) = (it.mode(), it.mode() & 0o1000 != 0);
            mode & 0o1 != 0 && it.uid() == 0 && (is_sticky || mode & 0o022 == 0)
        })
    };
    !is_shared() || place.canonicalize().is_ok_and(|place| place.ancestors().all(is_safe))
}

/// A name that nobody can guess.
fn secret_name() -> Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn lock(folder: &Path) -> Result<Flock<File>> {
    let lock = Flock::lock(File::open(folder)?, FlockArg::LockExclusiveNonblock);
    lock.map_err(|(_, error)| anyhow!(error))
}

/// The folders that runs of ours to a place have left, there or among temporary files: they were killed.
pub(crate) fn of_dead_runs(place: &Path) -> Vec<PathBuf> {
    let absolute = std::path::absolute(place).unwrap_or_default();
    let is_for_place = |path: &Path| {
        let elsewhere = fs::read(path.join(PLACE));
        elsewhere.map_or(path.parent() == Some(place), |it| it == absolute.as_os_str().as_bytes())
    };
    // Before its lock is held a folder is empty. Then it is not to be locked either: its own run would fail to.
    let has_begun = |path: &Path| fs::read_dir(path).is_ok_and(|mut it| it.next().is_some());
    let is_left = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_bytes();
        name.starts_with(PREFIX.as_bytes())
            && fs::symlink_metadata(path)
                .is_ok_and(|it| it.is_dir() && it.uid() == geteuid().as_raw())
            && is_for_place(path)
            && has_begun(path)
            && lock(path).is_ok()
    };
    let entries = [place.to_owned(), env::temp_dir()].into_iter().flat_map(fs::read_dir);
    let mut left: Vec<_> =
        entries.flatten().flatten().map(|entry| entry.path()).filter(is_left).collect();
    left.sort_unstable();
    left.dedup();
    left
}

/// Says where profiles of runs are that were killed.
pub(super) fn say_dead_runs(place: &Path) {
    for folder in of_dead_runs(place) {
        say(&anyhow!("{}", left_by_dead_run(&folder)));
    }
}

/// Words for the folder of a run that was killed.
pub(crate) fn left_by_dead_run(folder: &Path) -> String {
    let shown = quoted(folder);
    format!(
        "a run of gmon that was killed has left its profiles in {shown}: gmon report {shown} shows them, \
         rm -r {shown} removes them"
    )
}
