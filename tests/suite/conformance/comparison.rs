//! Both analyzers on the same command lines, each in a folder of its own with the same files.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::{fs::symlink, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use support::{
    command::{first_difference, output_of, quiet},
    common_ground::common_grounds,
    tools,
};

/// A program, its data, and functions to ask for.
pub(crate) struct Subject {
    /// The executable.
    pub(crate) executable: PathBuf,
    /// What a run of it wrote.
    pub(crate) data: Vec<u8>,
    /// What stands for what in command lines.
    pub(crate) names: [(&'static str, &'static str); 4],
}

/// One analyzer and its folder.
struct Side {
    gprof: PathBuf,
    folder: TempDir,
    /// What lies in the folder before each run.
    files: BTreeMap<String, Vec<u8>>,
}

/// What a run has done.
#[derive(PartialEq, Eq)]
struct Run {
    stdout: String,
    stderr: String,
    status: Option<i32>,
    /// The files that are new in the folder.
    files: BTreeMap<String, Vec<u8>>,
}

/// Runs both on every command line.
///
/// # Panics
///
/// If anything differs.
pub(crate) fn compare(subject: &Subject, lines: impl IntoIterator<Item = &'static str>) {
    let Some(gnu) = tools::find("gprof") else { return };
    let executable = fs::read(&subject.executable).expect("an executable");
    let [for_gnu, for_us] = common_grounds(&executable).expect("an executable with symbols");
    let gprof = TempDir::new().expect("a temporary folder");
    let ours = gprof.path().join("gprof");
    symlink(env!("CARGO_BIN_EXE_gmon"), &ours).expect("a link");
    let ours = Side::new(ours, &for_us, subject);
    let gnu = Side::new(gnu, &for_gnu, subject);

    let mut differences = Vec::new();
    for line in lines {
        let line = subject.names.iter().fold(format!("-b {line}"), |line, (name, value)| {
            line.replace(&format!("{{{name}}}"), value)
        });
        let (theirs, ours) = (gnu.run(&line), ours.run(&line));
        if let Some(difference) = theirs.difference(&ours) {
            differences.push(format!("gprof {line}: {difference}"));
        }
    }
    let count = differences.len();
    assert!(count == 0, "GNU gprof and ours differ in {count}:\n{}", differences.join("\n"));
}

impl Side {
    fn new(gprof: PathBuf, executable: &[u8], subject: &Subject) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for (name, bytes) in
            [("program", executable), ("gmon.out", &subject.data), ("words", b"-p -w '40' program")]
        {
            fs::write(folder.path().join(name), bytes).expect("a writable folder");
        }
        let files = files(folder.path());
        Self { gprof, folder, files }
    }

    /// Runs the analyzer, and removes what it has left.
    fn run(&self, line: &str) -> Run {
        let mut command: Command = quiet(&self.gprof);
        command.arg0("gprof").args(line.split_whitespace()).current_dir(&self.folder);
        let output = output_of(command.args(["program", "gmon.out"]));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (mut stderr, mut files) = (text(output.stderr), files(self.folder.path()));
        // The usage is in words of our own.
        stderr.truncate(stderr.find("\nUsage:").unwrap_or(stderr.len()));
        files.retain(|name, bytes| self.files.get(name) != Some(bytes));
        for name in files.keys() {
            fs::remove_file(self.folder.path().join(name)).expect("a file that can be removed");
        }
        // GNU gprof leaves there what was in memory.
        files.get_mut("gmon.sum").into_iter().for_each(|sum| sum[8..20].fill(0));
        Run { stdout: text(output.stdout), stderr, status: output.status.code(), files }
    }
}

impl Run {
    /// In what our run differs from this of GNU gprof.
    fn difference(&self, ours: &Self) -> Option<String> {
        if self == ours {
            return None;
        }
        let texts = [(&self.stderr, &ours.stderr), (&self.stdout, &ours.stdout)];
        let text = texts.into_iter().find_map(|(gnu, ours)| first_difference(gnu, ours));
        text.or_else(|| {
            (self.status != ours.status)
                .then(|| format!("status {:?} and {:?}", self.status, ours.status))
        })
        .or_else(|| Some(format!("files {:?} and {:?}", self.files.keys(), ours.files.keys())))
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.map(|path| (name(&path), fs::read(&path).expect("a readable file"))).collect()
}
