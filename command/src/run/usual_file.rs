//! The profile of a program that cannot read its environment: it lies under the usual name where the program was
//! started, whatever gmon asked for, and no process tells of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::ranks;

/// Which file stood under the usual name before a run, if there was one.
pub(super) struct UsualFile {
    path: PathBuf,
    before: Option<Identity>,
}

/// A file as it was written once: its device, inode and time of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity([i128; 3]);

impl Identity {
    /// That of the file at a path, if there is one.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let file = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        let changed = i128::from(file.ctime()) * 1_000_000_000 + i128::from(file.ctime_nsec());
        Some(Self([file.dev().into(), file.ino().into(), changed]))
    }
}

impl UsualFile {
    /// Looks at it before a run.
    pub(super) fn before_the_run() -> Self {
        let path = ranks::usual();
        Self { before: Identity::of(&path), path }
    }

    /// The file, if it is there as it was before the run.
    pub(super) fn left_by_earlier_run(&self) -> Option<&Path> {
        self.before.is_some_and(|it| Identity::of(&self.path) == Some(it)).then_some(&*self.path)
    }

    /// The file, if it was written since, by us or by the owner of a program that runs with its owner's rights.
    pub(super) fn written_since(&self, program: &Path) -> Option<PathBuf> {
        let owner = |path: &Path| fs::metadata(path).map(|file| file.uid()).ok();
        let by = owner(&self.path)?;
        let is_believed = by == geteuid().as_raw() || Some(by) == owner(program);
        let now = Identity::of(&self.path)?;
        (is_believed && self.before != Some(now)).then(|| self.path.clone())
    }
}
