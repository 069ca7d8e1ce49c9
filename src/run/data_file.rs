//! Which data file a run wrote.
//!
//! The runtime writes what `GMON_OPTIONS=out=` or `GMON_OUT_PREFIX` name, else `gmon.out` in the
//! folder that the program was started in; where another process has written that meanwhile, or it cannot
//! be written, the same name with the number of the process behind it, or `gmon.out.PID` in `/tmp`. What lay
//! there before is not taken for the result of this run.

use std::env;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use gmon_format::names;
use gmon_format::options::Key;

use super::process::Ending;
use super::settings::{self, Named, joined};

/// The files that could be mistaken for the result of the run to come.
pub(super) struct EarlierFiles(Vec<(PathBuf, Stamp)>);

/// Tells a file from the one that replaces it, and from itself rewritten.
#[derive(PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl EarlierFiles {
    /// Looks for them before the run of `executable`.
    pub(super) fn find(executable: &Path) -> Self {
        // Names with a process id cannot be known yet, nor be there already.
        let paths = candidates(executable, 0).into_iter();
        Self(paths.filter_map(|path| Stamp::of(&path).map(|stamp| (path, stamp))).collect())
    }

    /// The file that the run wrote.
    ///
    /// # Errors
    ///
    /// There is none; the message says what may have become of it.
    pub(super) fn written_since(&self, executable: &Path, ending: &Ending) -> Result<PathBuf> {
        let is_new = |path: &PathBuf| {
            Stamp::of(path)
                .is_some_and(|stamp| !self.0.iter().any(|(p, s)| p == path && *s == stamp))
        };
        if let Some(path) = candidates(executable, ending.process_id).into_iter().find(is_new) {
            return Ok(path);
        }
        let signal = ending.signal();
        // Of all signals this one leaves no time.
        let remedy = match signal.as_deref() {
            Some("SIGKILL") => "; GMON_OPTIONS=live=FILE keeps the counts for `gmon recover FILE`",
            _ => "",
        };
        let what = match signal {
            Some(signal) => format!("it was killed by {signal}"),
            None => "it was told not to, or became another program".to_owned(),
        };
        let earlier = self.0.first();
        let earlier = earlier.map(|(path, _)| format!("; {} is of an earlier run", path.display()));
        bail!("the program wrote no profile: {what}{}{remedy}", earlier.unwrap_or_default());
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

/// Where the runtime of this process writes if nothing is in its way.
pub(super) fn usual(executable: &Path, process_id: u32) -> PathBuf {
    candidates(executable, process_id).swap_remove(0)
}

/// The places in which the runtime of this process may write, the likeliest first.
fn candidates(executable: &Path, process_id: u32) -> Vec<PathBuf> {
    let process_id_text = process_id.to_string();
    let own = |base: &[u8]| joined(names::own(base, process_id_text.as_bytes()));
    let mut paths = Vec::new();
    match settings::named(Key::Out, executable, process_id) {
        Some(Named { path, names_process }) => {
            let other = (!names_process).then(|| own(path.as_os_str().as_bytes()));
            paths.extend([path].into_iter().chain(other));
        }
        None => paths.extend(env::var_os(names::PREFIX_VARIABLE).map(|base| own(base.as_bytes()))),
    }
    let own_name = own(names::DATA_FILE.as_bytes());
    let last_resort = Path::new(names::LAST_RESORT).join(&own_name);
    paths.extend([names::DATA_FILE.into(), own_name, last_resort]);
    paths
}
