//! Runs in a directory of their own, with the files that they leave there.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::bytes;
use super::elf::Elf;
use super::gnu;
use super::run::{Case, Outcome, gprof};
use support::common_ground::common_ground;

/// An executable and data files, to be named in command lines as `EXE` and by their numbers.
pub(crate) struct Comparison {
    case: Case,
    files: usize,
    /// The GNU gprof to compare with.
    gnu: &'static str,
}

/// What a run printed, and the bytes of the `gmon.sum` that it wrote.
pub(crate) type Result = (Outcome, Option<Vec<u8>>);

/// What a run printed, and the files that it left in its directory.
struct Run {
    outcome: Outcome,
    files: BTreeMap<String, Vec<u8>>,
}

impl Comparison {
    pub(crate) fn new(exe: &Elf, files: &[Vec<u8>]) -> Self {
        let exe = exe.bytes();
        let case = Case::new(&common_ground(&exe).unwrap_or(exe), b"");
        for (number, bytes) in files.iter().enumerate() {
            case.file(&number.to_string(), bytes);
        }
        Self { case, files: files.len(), gnu: "gprof" }
    }

    /// Compares with the GNU gprof of another target.
    pub(crate) fn compare_with(self, gnu: &'static str) -> Self {
        Self { gnu, ..self }
    }

    /// Writes one more file beside the others.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) {
        self.case.file(name, bytes);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.case.path(name)
    }

    /// Our run, with these options, on the executable and all files.
    pub(crate) fn ours(&self, options: &str) -> Result {
        self.ours_on(&self.words(options))
    }

    /// Our run of a whole command line.
    pub(crate) fn ours_on(&self, words: &[OsString]) -> Result {
        self.run(words, |_| ()).into()
    }

    /// Like [`ours`](Self::ours), in a directory that `prepare` fills.
    pub(crate) fn ours_beside(&self, options: &str, prepare: impl FnOnce(&Path)) -> Result {
        self.run(&self.words(options), prepare).into()
    }

    fn run(&self, words: &[OsString], prepare: impl FnOnce(&Path)) -> Run {
        let dir = self.empty_dir("ours");
        prepare(&dir);
        Run { outcome: gprof_in(&dir, words), files: files(&dir) }
    }

    /// The run of GNU gprof, with these options, on the executable and all files.
    pub(crate) fn gnu(&self, options: &str) -> Result {
        self.run_gnu(&self.words(options)).into()
    }

    fn run_gnu(&self, words: &[OsString]) -> Run {
        let dir = self.empty_dir("gnu");
        let mut command = Command::new(self.gnu);
        command.arg0("gprof").args(words).env("LC_ALL", "C").current_dir(&dir);
        let mut outcome = gnu::outcome(&mut command);
        // Some of its messages do not end their line.
        if !outcome.stderr.is_empty() && !outcome.stderr.ends_with('\n') {
            outcome.stderr.push('\n');
        }
        let mut files = files(&dir);
        if let Some(sum) = files.get_mut("gmon.sum") {
            bytes::clear_spare_bytes(sum);
        }
        Run { outcome, files }
    }

    /// Demands that both print and write the same.
    pub(crate) fn assert_same(&self, what: &str, options: &str) {
        if let Some(difference) = self.difference(&self.words(options)) {
            panic!("{what}, {options}:\n{difference}");
        }
    }

    /// In what both differ, if in anything.
    pub(crate) fn difference(&self, words: &[OsString]) -> Option<String> {
        let (gnu, ours) = (self.run_gnu(words), self.run(words, |_| ()));
        if let Some(difference) = gnu::difference(gnu.outcome, ours.outcome) {
            return Some(difference);
        }
        let names: BTreeSet<_> = gnu.files.keys().chain(ours.files.keys()).collect();
        let pairs = names.into_iter().map(|name| (name, gnu.files.get(name), ours.files.get(name)));
        let (name, theirs, ours) = pairs.into_iter().find(|(_, gnu, ours)| gnu != ours)?;
        Some(format!("file {name}: {theirs:?} and {ours:?}"))
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

impl From<Run> for Result {
    fn from(mut run: Run) -> Self {
        (run.outcome, run.files.remove("gmon.sum"))
    }
}

/// Our run in this directory.
pub(crate) fn gprof_in(dir: &Path, words: &[OsString]) -> Outcome {
    /// The current directory is one for the whole process; all other tests use full paths.
    static CURRENT_DIRECTORY: Mutex<()> = Mutex::new(());
    let _guard = CURRENT_DIRECTORY.lock().unwrap_or_else(PoisonError::into_inner);
    let before = env::current_dir().unwrap();
    env::set_current_dir(dir).unwrap();
    let outcome = gprof(words);
    env::set_current_dir(before).unwrap();
    outcome
}

/// The ordinary files in a directory.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries
        .filter(|path| path.metadata().is_ok_and(|metadata| metadata.is_file()))
        .map(|path| (name(&path), fs::read(&path).unwrap()))
        .collect()
}
