//! Runs the classic command on files in a directory of their own.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use support::workplace::Workplace;

/// What a run left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

/// A directory with an executable `exe` and its data `gmon.out`.
pub(crate) struct Case {
    place: Workplace,
}

impl Case {
    pub(crate) fn new(exe: &[u8], data: &[u8]) -> Self {
        let case = Self { place: Workplace::new() };
        case.file("exe", exe);
        case.file("gmon.out", data);
        case
    }

    /// Runs the executable, a real program, in the directory, where it leaves its data. A test has just
    /// written the file: until a process that another test starts runs a program of its own, it may
    /// have that file open for writing, too.
    pub(crate) fn run_program(&self) {
        let mut program = Command::new(self.path("exe"));
        program.current_dir(self.folder()).env_remove("GMON_OUT_PREFIX");
        let run = loop {
            match program.output() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::yield_now(),
                run => break run.unwrap(),
            }
        };
        assert!(run.status.code().is_some(), "{run:?}");
    }

    /// Writes one more file.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        self.place.write(name, bytes)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.place.folder()
    }

    /// The words of a command line: options, then the two files.
    pub(crate) fn words(&self, options: &str) -> Vec<OsString> {
        let files = ["exe", "gmon.out"].map(|name| self.path(name).into_os_string());
        options.split_whitespace().map(OsString::from).chain(files).collect()
    }

    /// Runs our command with options on the two files.
    pub(crate) fn gprof(&self, options: &str) -> Outcome {
        gprof(&self.words(options))
    }
}

/// Runs our command under the name `gprof`.
pub(crate) fn gprof(words: &[OsString]) -> Outcome {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = gmon_analyzer::gprof::main("gprof", words, &mut stdout, &mut stderr);
    Outcome { stdout: text(stdout), stderr: text(stderr), status: status.into() }
}

/// Bytes of a report; names in them need not be UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs our command on two files.
pub(crate) fn gprof_on(options: &str, exe: &Path, data: &Path) -> Outcome {
    let files = [exe, data].map(|path| path.as_os_str().to_owned());
    let words: Vec<_> = options.split_whitespace().map(OsString::from).chain(files).collect();
    gprof(&words)
}
