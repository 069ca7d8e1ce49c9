//! Runs that leave a `gmon.sum` behind: each in a directory of its own.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::bytes;
use crate::elf::Elf;
use crate::gnu;
use crate::run::{Case, Outcome, gprof};

/// An executable and data files, to be named in command lines as `EXE` and by their numbers.
pub(crate) struct Workplace {
    case: Case,
    files: usize,
}

/// What a run printed, and the bytes of the `gmon.sum` that it wrote.
pub(crate) type Result = (Outcome, Option<Vec<u8>>);

impl Workplace {
    pub(crate) fn new(exe: &Elf, files: &[Vec<u8>]) -> Self {
        let case = Case::new(&exe.bytes(), b"");
        for (number, bytes) in files.iter().enumerate() {
            case.file(&number.to_string(), bytes);
        }
        Self { case, files: files.len() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.case.path(name)
    }

    /// Our run, with these options, on the executable and all files.
    pub(crate) fn ours(&self, options: &str) -> Result {
        self.ours_on(&self.words(options))
    }

    /// The same with all words given.
    pub(crate) fn ours_on(&self, words: &[OsString]) -> Result {
        self.run(words, |_| ())
    }

    /// The same as [`ours`](Self::ours) in a directory that was prepared.
    pub(crate) fn ours_beside(&self, options: &str, prepare: impl FnOnce(&Path)) -> Result {
        self.run(&self.words(options), prepare)
    }

    fn run(&self, words: &[OsString], prepare: impl FnOnce(&Path)) -> Result {
        /// The current directory is one for the whole process; all other tests use full paths.
        static CURRENT_DIRECTORY: Mutex<()> = Mutex::new(());
        let _guard = CURRENT_DIRECTORY.lock().unwrap_or_else(PoisonError::into_inner);
        let dir = self.empty_dir("ours");
        prepare(&dir);
        let before = env::current_dir().unwrap();
        env::set_current_dir(&dir).unwrap();
        let outcome = gprof(words);
        env::set_current_dir(before).unwrap();
        (outcome, read_file(&dir.join("gmon.sum")))
    }

    /// The same by GNU gprof.
    pub(crate) fn gnu(&self, options: &str) -> Result {
        let dir = self.empty_dir("gnu");
        let words = self.words(options);
        let mut command = Command::new("gprof");
        command.args(&words).env("LC_ALL", "C").current_dir(&dir);
        let mut outcome = gnu::outcome(&mut command);
        // Some of its messages do not end their line.
        if !outcome.stderr.is_empty() && !outcome.stderr.ends_with('\n') {
            outcome.stderr.push('\n');
        }
        let sum = read_file(&dir.join("gmon.sum"));
        (outcome, sum.map(bytes::without_spare_bytes))
    }

    /// Demands the same of both.
    pub(crate) fn assert_same(&self, what: &str, options: &str) {
        let ((gnu, gnu_sum), (ours, our_sum)) = (self.gnu(options), self.ours(options));
        gnu::assert_equal(&format!("{what}, {options}"), gnu, ours);
        assert_eq!(our_sum, gnu_sum, "{what}, {options}: gmon.sum");
    }

    /// The words of a command line: options, the executable, all files.
    pub(crate) fn words(&self, options: &str) -> Vec<OsString> {
        let files = (0..self.files).map(|number| self.path(&number.to_string()).into());
        let options = options.split_whitespace().map(OsString::from);
        options.chain([self.path("exe").into()]).chain(files).collect()
    }

    fn empty_dir(&self, name: &str) -> PathBuf {
        let dir = self.path(name);
        _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        dir
    }
}

/// The bytes of an ordinary file.
fn read_file(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok()?.is_file().then(|| fs::read(path).unwrap())
}
