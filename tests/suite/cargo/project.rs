//! Calls `cargo gmon` in a workspace, and reads what it prints.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use support::{
    command::{output_of, quiet},
    executable, summary,
    workplace::Workplace,
};

/// A folder to run `cargo gmon` in, and one to build in.
pub(crate) struct Project {
    folder: PathBuf,
    target: PathBuf,
    place: Workplace,
}

/// What a run has printed.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: Option<i32>,
}

impl Project {
    /// The examples of Rust. All tests that let cargo compile them as it does by itself build them in one folder, which
    /// stays.
    pub(crate) fn examples() -> Self {
        Self {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/rust"),
            target: Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples-rust"),
            place: Workplace::new(),
        }
    }

    /// The examples of Rust, in a folder for those who compile them in a way of their own: cargo lets go of a folder
    /// before it runs what it has built there, and the next one may build something else by that name.
    pub(crate) fn examples_by(way: &str) -> Self {
        let mut examples = Self::examples();
        examples.target.as_mut_os_string().push(format!("-{way}"));
        examples
    }

    /// A new one with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let place = Workplace::new();
        let folder = place.path("a project");
        fs::create_dir(&folder).expect("a folder");
        for (name, text) in files {
            place.write(&format!("a project/{name}"), text);
        }
        Self { target: place.path("a target"), folder, place }
    }

    /// Where a program leaves its profile.
    pub(crate) fn data(&self) -> PathBuf {
        self.place.path("gmon.out")
    }

    /// Where cargo is called.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where everything is built.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// `cargo gmon`, as cargo calls it.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = quiet(env!("CARGO_BIN_EXE_cargo-gmon"));
        command.arg("gmon").args(arguments.split_whitespace()).current_dir(&self.folder);
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET"]
        {
            command.env_remove(name);
        }
        if self.folder.starts_with(self.place.folder()) {
            // All that a new project needs came with this package's dependencies.
            command.env("CARGO_NET_OFFLINE", "true");
        }
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Writes a script into the folder, and gives its path.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        executable::write(&path, format!("#!/bin/sh\n{text}\n"));
        path
    }

    /// Runs `cargo gmon VERB` to its end, with the profile in a folder of its own.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        let options = format!("out={}", self.data().display());
        Run::of(self.command(arguments).env("GMON_OPTIONS", options))
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = output_of(command);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { stdout: text(stdout), stderr: text(stderr), status: status.code() }
    }

    /// Succeeded, that is.
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.status, Some(0), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// The summary: function → calls.
    pub(crate) fn summary(&self) -> BTreeMap<String, u64> {
        summary::calls(&self.stderr)
    }

    /// The program of the summary.
    pub(crate) fn executable(&self) -> PathBuf {
        let lines = self.stderr.lines().map(|line| line.trim_start_matches("more").trim_start());
        let more = lines.filter_map(|line| line.strip_prefix("gmon gprof ")).next();
        // As a shell would: in quotes, if there is a space in it.
        let path = more.and_then(|rest| match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\''),
            None => rest.split_once(' '),
        });
        path.expect("a summary").0.into()
    }

    /// What the program says it has called itself.
    pub(crate) fn truth(&self) -> BTreeMap<String, u64> {
        let lines = self.stdout.lines().filter_map(|line| line.strip_prefix("calls "));
        let pairs = lines.map(|line| line.split_once(' ').expect("a number and a name"));
        pairs.map(|(calls, name)| (name.to_owned(), calls.parse().expect("a number"))).collect()
    }

    /// Checks that the summary tells the truth.
    pub(crate) fn is_true(&self) {
        let (truth, summary) = (self.truth(), self.summary());
        assert!(!truth.is_empty(), "{}", self.stdout);
        for (name, calls) in truth {
            assert_eq!(summary.get(&name).copied().unwrap_or(0), calls, "{name}\n{}", self.stderr);
        }
    }
}
