//! Profiles to export, and the command that does it.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use support::{
    command::{gmon, output_of, quiet, said, text_of},
    program::Program,
    suite::Suite,
};
use tempfile::TempDir;

/// The programs of `gmon report`, half of whose time goes by in libraries, and in a second thread.
const SUITE: Suite = Suite("report");

/// A program that has run.
pub(crate) struct Subject {
    executable: PathBuf,
    folder: Folder,
    /// Options of all exports.
    always: &'static [&'static str],
}

/// Where its data lie.
enum Folder {
    OfProgram(Program),
    OfRun(TempDir),
}

impl Subject {
    /// Builds a program and runs it with these options.
    pub(crate) fn run(source: &str, options: &str) -> Self {
        Self::run_with(source, &[], options)
    }

    /// Builds a program with counts of its blocks and runs it with these options.
    pub(crate) fn with_blocks(source: &str, options: &str) -> Self {
        Self::run_with(source, &["-g", "-fsanitize-coverage=trace-pc"], options)
    }

    /// Builds a program with a parallel region and runs it with these options.
    pub(crate) fn parallel(source: &str, options: &str) -> Self {
        Self::run_with(source, &["-fopenmp"], options)
    }

    fn run_with(source: &str, flags: &[&str], options: &str) -> Self {
        // The library stands before the program that needs it.
        let needed = ["-pthread", "-fno-optimize-sibling-calls", "-Wl,--no-as-needed", "-lm"];
        let program = SUITE.build(source, "default", &[flags, &needed].concat());
        let output = program.run(&[], &[("GMON_OPTIONS", options)]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(said(&output), "");
        let executable = program.executable.clone();
        Self { executable, folder: Folder::OfProgram(program), always: &[] }
    }

    /// Runs a program of real size.
    pub(crate) fn large(executable: &Path, arguments: &[&str], options: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = quiet(executable);
        command.args(arguments).current_dir(&folder).env("GMON_OPTIONS", options);
        text_of(&mut command);
        Self { executable: executable.to_owned(), folder: Folder::OfRun(folder), always: &[] }
    }

    /// Has all exports name functions as the linker does, and so keep the parts of a function apart, as `gmon gprof`
    /// does. Names of C++ and Rust are in the way of who looks for them in the texts of other programs, since they
    /// have the marks of those themselves.
    pub(crate) fn by_linker_names(self) -> Self {
        Self { always: &["--names", "linker"], ..self }
    }

    /// The program.
    pub(crate) fn executable(&self) -> &Path {
        &self.executable
    }

    /// A file beside the data.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match &self.folder {
            Folder::OfProgram(program) => program.path(name),
            Folder::OfRun(folder) => folder.path().join(name),
        }
    }

    /// `gmon export` of the program with options.
    pub(crate) fn export(&self, options: &[&str]) -> Command {
        let mut command = gmon();
        command.arg("export").args(self.always).args(options);
        command.arg(&self.executable).arg(self.path("gmon.out"));
        command
    }

    /// What it writes.
    pub(crate) fn exported(&self, options: &[&str]) -> String {
        text_of(&mut self.export(options))
    }

    /// The file that it writes.
    pub(crate) fn file(&self, name: &str, options: &[&str]) -> PathBuf {
        let path = self.path(name);
        let mut command = self.export(options);
        assert_eq!(text_of(command.arg("-o").arg(&path)), "");
        path
    }

    /// What it says when it refuses, and its exit status.
    pub(crate) fn refusal(&self, options: &[&str]) -> (Option<i32>, String) {
        let output = output_of(&mut self.export(options));
        assert_eq!(output.stdout.len(), 0, "{output:?}");
        (output.status.code(), said(&output))
    }

    /// The profile as JSON.
    pub(crate) fn json(&self) -> Value {
        let text = self.exported(&["--format", "json"]);
        serde_json::from_str(&text).expect("JSON")
    }

    /// The calls of each function, as `gmon gprof` prints them.
    pub(crate) fn gprof(&self) -> Gprof {
        let mut command = gmon();
        command.args(["gprof", "-b", "-p", "--no-demangle"]);
        Gprof::new(&text_of(command.arg(&self.executable).arg(self.path("gmon.out"))))
    }
}

/// A flat profile of `gmon gprof`.
pub(crate) struct Gprof {
    /// Functions with their calls, if they were counted.
    pub(crate) functions: Vec<(String, Option<u64>)>,
    /// The seconds of all functions together.
    pub(crate) seconds: f64,
}

impl Gprof {
    fn new(text: &str) -> Self {
        let rows = text.lines().skip_while(|line| !line.contains("calls")).skip(1);
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
        let function = |row: &Vec<&str>| {
            let name = row.last().expect("a name");
            ((*name).to_owned(), row.get(3).and_then(|calls| calls.parse().ok()))
        };
        let seconds = rows.iter().filter_map(|row| row.get(2)?.parse::<f64>().ok()).sum();
        Self { functions: rows.iter().map(function).collect(), seconds }
    }
}

/// A list of a profile in JSON.
pub(crate) fn list<'v>(profile: &'v Value, name: &str) -> &'v Vec<Value> {
    profile[name].as_array().unwrap_or_else(|| panic!("no {name}"))
}

/// The sum of a field of a list.
pub(crate) fn sum(profile: &Value, name: &str, field: &str) -> u64 {
    list(profile, name).iter().filter_map(|item| item[field].as_u64()).sum()
}

/// The function of this name.
pub(crate) fn function<'v>(profile: &'v Value, name: &str) -> &'v Value {
    let found = list(profile, "functions").iter().find(|function| function["name"] == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

/// The calls of one function by another, from all lines.
pub(crate) fn calls(profile: &Value, caller: &str, callee: &str) -> u64 {
    let id = |name| function(profile, name)["id"].as_u64();
    let (caller, callee) = (id(caller), id(callee));
    let arcs = list(profile, "arcs").iter();
    let arcs =
        arcs.filter(|arc| (arc["caller"].as_u64(), arc["callee"].as_u64()) == (caller, callee));
    arcs.filter_map(|arc| arc["calls"].as_u64()).sum()
}

/// A profile that was exported already, and options to export it again.
pub(crate) fn export_again(profile: &Path, options: &[&str]) -> String {
    text_of(gmon().arg("export").args(options).arg(profile))
}
