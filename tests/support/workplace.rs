//! A folder of its own for a test, with the command and every tool at hand.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::{
    command::{gmon, output_of, quiet, said, text_of},
    counts::{Counts, FunctionNames},
    executable, lasting_folder, root,
};

/// A temporary folder in which commands run.
pub struct Workplace {
    folder: TempDir,
}

impl Default for Workplace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workplace {
    /// An empty one.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the folder, whether it exists or not.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether there is such a file.
    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Names of all files, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("a readable folder");
        let names = entries.map(|entry| entry.expect("a readable folder").file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Writes a file, and the folders that it lies in.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, content).expect("a writable folder");
        path
    }

    /// Writes a file that can be executed.
    pub fn write_executable(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        executable::write(&path, content);
        path
    }

    /// Copies a file of the project, named as seen from the project's folder.
    pub fn copy(&self, file: &str) {
        let name = Path::new(file).file_name().expect("a name");
        fs::copy(root().join(file), self.folder.path().join(name)).expect("a copy");
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The bytes of a file.
    #[track_caller]
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Any command, in this folder, in an environment that does not depend on who runs the tests.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = quiet(program);
        command.current_dir(&self.folder);
        // All tests share one cache, and leave the user's alone.
        command.env("XDG_CACHE_HOME", lasting_folder().join("cache"));
        command
    }

    /// `gmon`, with arguments that are separated by white space.
    pub fn gmon(&self, arguments: &str) -> Command {
        let mut command = self.command(gmon().get_program());
        command.args(arguments.split_whitespace());
        command
    }

    /// Runs a compiler, or anything else that must succeed, from words separated by white space.
    ///
    /// # Panics
    ///
    /// If it fails.
    #[track_caller]
    pub fn must(&self, line: &str) {
        let mut words = line.split_whitespace();
        let output = output_of(self.command(words.next().expect("a program")).args(words));
        assert!(output.status.success(), "{line}: {}\n{}", output.status, said(&output));
    }

    /// What `gmon config` prints, without the end of the line.
    pub fn config(&self, option: &str) -> String {
        text_of(self.gmon("config").arg(option)).trim_end().to_owned()
    }

    /// What `gmon.out` says of the calls of a program in this folder.
    pub fn counts(&self, program: &str) -> Counts {
        Counts::read(&FunctionNames::read(&self.path(program)), &self.path("gmon.out"))
    }

    /// How often the profile in `gmon.out` says that `function` of `program` was called.
    ///
    /// # Panics
    ///
    /// If `gmon gprof` does not say so.
    #[track_caller]
    pub fn calls(&self, program: &str, function: &str) -> u64 {
        let output = self.gmon("gprof -b -p").arg(program).arg("gmon.out").output();
        let text = String::from_utf8(output.expect("gmon gprof").stdout).expect("UTF-8");
        let row = text.lines().find(|line| line.ends_with(&format!(" {function}")));
        let row = row.unwrap_or_else(|| panic!("no {function} in the flat profile:\n{text}"));
        let calls = row.split_whitespace().nth(3).map(str::parse);
        calls.and_then(Result::ok).unwrap_or_else(|| panic!("no calls in {row:?}"))
    }
}
