//! Programs for an emulated board, built by the Makefile of the example as its users do.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use support::{
    command::{both_gprofs, first_difference, gmon, output_of, quiet, text_of},
    counts::{Counts, FunctionNames},
    ports,
    targets::BOARD,
    tools,
};

const COMPILER: &str = "riscv64-linux-gnu-gcc";

/// A program that has run.
pub(crate) struct Run {
    folder: TempDir,
    /// The program.
    pub(crate) executable: PathBuf,
    /// What it printed.
    pub(crate) printed: String,
}

/// What is built, and how: variables of the Makefile.
pub(crate) type Settings<'a> = &'a [(&'a str, &'a str)];

/// Whether all is there that the tests need. In CI it has to be.
pub(crate) fn is_there() -> bool {
    let tools = [COMPILER, "make", BOARD.emulator, BOARD.gprof];
    ports::is_carried(&BOARD) && tools.iter().all(|tool| tools::find(tool).is_some())
}

impl Run {
    /// Builds and runs a program.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn of(settings: Settings<'_>) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        // The Makefile and the board are the example's, programs also the tests'.
        for sources in ["examples/bare", "tests/bare"] {
            let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
            for file in fs::read_dir(sources).expect("a folder of sources") {
                let file = file.expect("a folder of sources").path();
                if file.is_file() {
                    let copy = folder.path().join(file.file_name().expect("a name"));
                    fs::copy(&file, copy).expect("a writable folder");
                }
            }
        }
        let mut make = quiet("make");
        make.arg("-s").arg("-C").arg(folder.path()).arg("run");
        make.arg(format!("CC={} cc {COMPILER}", env!("CARGO_BIN_EXE_gmon")));
        make.args(settings.iter().map(|(name, value)| format!("{name}={value}")));
        let output = output_of(&mut make);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{settings:?}: {}\n{complaints}", output.status);
        let executable = folder.path().join("program.elf");
        Self { folder, executable, printed: text(output.stdout) }
    }

    /// Runs a program that is built.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn of_executable(executable: PathBuf) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut emulator = quiet(BOARD.emulator);
        emulator.args(["-M", "virt", "-bios", "none", "-nographic", "-semihosting"]);
        emulator.args(["-icount", "shift=3", "-kernel"]).arg(&executable);
        let output = output_of(emulator.current_dir(folder.path()));
        assert!(output.status.success(), "{executable:?}: {}", output.status);
        Self { folder, executable, printed: text(output.stdout) }
    }

    /// Its data.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("gmon.out")
    }

    /// What its data say.
    pub(crate) fn counts(&self) -> Counts {
        Counts::read(&FunctionNames::read(&self.executable), &self.data())
    }

    /// The number that it printed behind a text.
    pub(crate) fn number(&self, text: &str) -> u64 {
        let rest = self.printed.split(text).nth(1).unwrap_or_default().trim_start();
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        digits.parse().unwrap_or_else(|_| panic!("no number behind {text:?}: {}", self.printed))
    }

    /// Checks that both analyzers say the same of it.
    ///
    /// # Panics
    ///
    /// If they do not.
    pub(crate) fn reports_are_the_same(&self) {
        if let Some((gnu, ours)) = both_gprofs(&BOARD, &self.executable, &self.data()) {
            assert_eq!(first_difference(&ours, &gnu), None);
        }
    }
}

fn text(output: Vec<u8>) -> String {
    String::from_utf8_lossy(&output).replace('\r', "")
}

/// What a tool of the machine's says about the library.
pub(crate) fn say_of_library(tool: &str, option: &str) -> String {
    let library = text_of(gmon().args(["config", "--static-lib", "--target", BOARD.triple]));
    let tool = COMPILER.replace("gcc", tool);
    text_of(quiet(tool).arg(option).arg(library.trim_end()))
}
