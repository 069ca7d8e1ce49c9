//! Which data file a run wrote.
//!
//! The runtime, as glibc's, writes `$GMON_OUT_PREFIX.PID`, or without that variable `gmon.out` in
//! the folder that is the program's current one when it ends. What lay there before is not taken
//! for the result of this run.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::process::Ending;

/// What could be mistaken for the result of the run to come.
pub(super) struct DataFiles {
    prefix: Option<OsString>,
    /// The `gmon.out` from before the run.
    earlier: Option<Stamp>,
}

/// Tells a file from the one that replaces it, and from itself rewritten.
#[derive(PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl DataFiles {
    pub(super) fn before_run() -> Self {
        let earlier = Stamp::of(Path::new("gmon.out"));
        Self { prefix: env::var_os("GMON_OUT_PREFIX"), earlier }
    }

    /// The file that the run wrote.
    ///
    /// # Errors
    ///
    /// There is none; the message says what may have become of it.
    pub(super) fn written_by(&self, ending: &Ending) -> Result<PathBuf> {
        let named = self.prefix.as_ref().map(|prefix| {
            let mut name = prefix.clone();
            name.push(format!(".{}", ending.process_id));
            PathBuf::from(name)
        });
        if let Some(named) = named.filter(|path| path.exists()) {
            return Ok(named);
        }
        let usual = PathBuf::from("gmon.out");
        let found = Stamp::of(&usual);
        if found.is_some() && found != self.earlier {
            return Ok(usual);
        }
        let what = match ending.signal() {
            Some(signal) => format!("it was killed by {signal}"),
            None => "it may have changed its folder or ended by _exit".to_owned(),
        };
        let earlier = if found.is_some() { "; gmon.out is of an earlier run" } else { "" };
        bail!("the program wrote no profile: {what}{earlier}");
    }
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok()?;
        Some(Self {
            device: file.dev(),
            inode: file.ino(),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
        })
    }
}
