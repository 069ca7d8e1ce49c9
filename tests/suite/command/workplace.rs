//! A folder of its own for each test, with the command and a compiler at hand.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// `main` calls `work` three times and then ends with the status of its first argument.
pub(crate) const PROGRAM: &str = r#"
    #include <stdlib.h>
    #ifdef __clang__
    #define COUNTED __attribute__((noinline))
    #else
    #define COUNTED __attribute__((noipa))
    #endif
    COUNTED int work(int x) { __asm__ volatile(""); return x; }
    int main(int argc, char **argv)
    {
        for (int i = 0; i < 3; i++)
            work(i);
        return argc > 1 ? atoi(argv[1]) : 0;
    }
"#;

/// The command under test.
pub(crate) const GMON: &str = env!("CARGO_BIN_EXE_gmon");

/// A temporary folder in which commands run.
pub(crate) struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("temporary folder") }
    }

    /// A workplace in which `prog.c` is [`PROGRAM`].
    pub(crate) fn with_program() -> Self {
        let place = Self::new();
        place.write("prog.c", PROGRAM);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folder");
        fs::write(&path, content).expect("file");
        path
    }

    /// Writes a file that can be executed.
    pub(crate) fn write_executable(&self, name: &str, content: &str) {
        let path = self.write(name, content);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Any command, in this folder, in an environment that does not depend on who runs the tests.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        // One cache for all tests, and none for the user's.
        command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        for variable in
            ["CC", "CXX", "CFLAGS", "GMON_OUT_PREFIX", "GMON_OPTIONS", "LD_PRELOAD", "MAKEFLAGS"]
        {
            command.env_remove(variable);
        }
        command
    }

    /// `gmon`, with arguments that are separated by white space.
    pub(crate) fn gmon(&self, arguments: &str) -> Command {
        let mut command = self.command(GMON);
        command.args(arguments.split_whitespace());
        command
    }

    /// Runs a compiler, or anything else that must succeed, from words separated by white space.
    pub(crate) fn must(&self, line: &str) {
        let mut words = line.split_whitespace();
        self.command(words.next().expect("program")).args(words).assert().success();
    }

    /// What `gmon config` prints, without the end of the line.
    pub(crate) fn config(&self, option: &str) -> String {
        let output = self.gmon("config").arg(option).output().expect("gmon config");
        String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned()
    }

    /// How often the profile in `gmon.out` says that `function` of `program` was called.
    #[track_caller]
    pub(crate) fn calls(&self, program: &str, function: &str) -> u64 {
        let output = self.gmon("gprof -b -p").arg(program).arg("gmon.out").output().expect("gprof");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let row = text.lines().find(|line| line.ends_with(&format!(" {function}")));
        let row = row.unwrap_or_else(|| panic!("no {function} in the flat profile:\n{text}"));
        let calls = row.split_whitespace().nth(3).map(str::parse);
        calls.and_then(Result::ok).unwrap_or_else(|| panic!("no calls in {row:?}"))
    }
}
