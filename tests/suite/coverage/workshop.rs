//! Builds examples with counts of ours and of the compiler, runs both, and reads what was counted.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::tracefile::{Lines, of_gcov, of_lcov};
use support::{
    command::{gmon, output_of, quiet, text_of},
    compilers::Compiler,
    example::Example,
};

/// A folder for both programs.
pub(crate) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// A command to be run in the folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = quiet(program);
        command.current_dir(&self.folder);
        command
    }

    /// Builds an example without optimisation and runs it: with our counts as `ours`.
    pub(crate) fn count(&self, compiler: &Compiler, example: &Example) {
        let mut cc = self.command(gmon().get_program());
        cc.args(["cc", "--blocks", compiler.driver(&example.source)]).args(compiler.options);
        cc.args(["-O0", "-w"]).args(&example.flags).arg(&example.source);
        text_of(cc.args(["-o", "ours"]));
        // Only the counts are compared.
        let mut ours = compiler.target.run(&self.path("ours"), None);
        let run = output_of(ours.current_dir(&self.folder).env("GMON_OPTIONS", "sampler=none"));
        assert_eq!(run.status.code(), Some(example.status), "{}: {run:?}", example.name);
    }

    /// What our counts are, as a tracefile.
    pub(crate) fn tracefile(&self) -> String {
        let mut export = self.command(gmon().get_program());
        text_of(export.args(["export", "--format", "lcov", "ours", "gmon.out"]))
    }

    /// What gcov tells of the example.
    pub(crate) fn gcov(&self, compiler: &Compiler, example: &Example) -> Lines {
        const FLAGS: [&str; 4] = ["-O0", "-w", "--coverage", "-fprofile-update=atomic"];
        self.build_theirs(compiler, example, &FLAGS);
        let text = text_of(self.command("gcov").arg("-t").args(self.files("gcda")));
        of_gcov(&text, &name(&example.source))
    }

    /// What llvm-cov tells of the example.
    pub(crate) fn llvm_cov(&self, compiler: &Compiler, example: &Example) -> Lines {
        const FLAGS: [&str; 5] = [
            "-O0",
            "-w",
            "-fprofile-instr-generate",
            "-fcoverage-mapping",
            "-fprofile-update=atomic",
        ];
        self.build_theirs(compiler, example, &FLAGS);
        let mut merge = self.command("llvm-profdata");
        text_of(merge.arg("merge").args(self.files("profraw")).args(["-o", "merged"]));
        let mut export = self.command("llvm-cov");
        let text =
            text_of(export.args(["export", "-format=lcov", "theirs", "-instr-profile=merged"]));
        of_lcov(&text, &name(&example.source))
    }

    fn build_theirs(&self, compiler: &Compiler, example: &Example, flags: &[&str]) {
        let mut build = self.command(compiler.driver(&example.source));
        build.args(flags).args(&example.flags).arg(&example.source).args(["-o", "theirs"]);
        text_of(&mut build);
        let run = output_of(&mut self.command(self.path("theirs")));
        assert_eq!(run.status.code(), Some(example.status), "{}: {run:?}", example.name);
    }

    /// All files in the folder with an ending.
    fn files(&self, ending: &str) -> Vec<String> {
        let entries = self.folder.path().read_dir().expect("a readable folder");
        let names = entries.map(|entry| entry.expect("a readable folder").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(&format!(".{ending}"))).collect()
    }
}

/// The name of a source without its folder.
pub(crate) fn name(source: &Path) -> String {
    source.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
