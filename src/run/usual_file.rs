//! The profile of a program that cannot read its environment: it lies under the usual name where the program was
//! started, whatever gmon asked for, and no process tells of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use gmon_format::names::DATA_FILE;

/// Which file stood under the usual name before a run: its device, inode and time of change, if there was one.
pub(super) struct UsualFile(Option<[i128; 3]>);

impl UsualFile {
    /// Looks at it before a run.
    pub(super) fn before_the_run() -> Self {
        Self(Self::identity())
    }

    /// The file, if it was written since.
    pub(super) fn written_since(&self) -> Option<PathBuf> {
        let now = Self::identity()?;
        (self.0 != Some(now)).then(|| PathBuf::from(DATA_FILE))
    }

    fn identity() -> Option<[i128; 3]> {
        let file = fs::metadata(Path::new(DATA_FILE)).ok().filter(fs::Metadata::is_file)?;
        let changed = i128::from(file.ctime()) * 1_000_000_000 + i128::from(file.ctime_nsec());
        Some([file.dev().into(), file.ino().into(), changed])
    }
}
