//! The data files that a summary is of, in words.

use std::path::{Path, PathBuf};

use crate::open::full_beside;
use crate::text::{harmless, quoted, short};

/// Data files of one program.
#[derive(Clone, Debug)]
pub(super) struct Files(Vec<PathBuf>);

impl Files {
    pub(super) fn new(data: &[PathBuf]) -> Self {
        Self(data.iter().map(|path| short(path).to_owned()).collect())
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// The full profile, if it lies beside the only data file.
    pub(super) fn full(&self) -> Option<String> {
        let [data] = self.0.as_slice() else { return None };
        let full = full_beside(data);
        full.exists().then(|| harmless(&full.to_string_lossy()).into_owned())
    }

    /// The files of `executable` in words: for people, and for a shell.
    pub(super) fn words(&self, executable: &Path) -> (String, String) {
        /// If there are more, we name their folder.
        const MOST: usize = 4;
        let files = || self.0.iter().map(|path| path.as_path());
        let in_words = |path: &Path| harmless(&path.to_string_lossy()).into_owned();
        let folder = files().next().and_then(Path::parent).unwrap_or(Path::new(""));
        if self.0.len() > MOST && files().all(|file| file.parent() == Some(folder)) {
            let name = executable.file_name().unwrap_or_default();
            let words = format!("{} files in {}", self.0.len(), in_words(folder));
            return (words, format!("{}/*", quoted(&folder.join(name))).replace("/*", ".*"));
        }
        let join = |words: Vec<String>| words.join(" ");
        (join(files().map(in_words).collect()), join(files().map(quoted).collect()))
    }
}
