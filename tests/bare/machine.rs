//! Programs for emulated boards, built by the Makefiles of the examples as their users do.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use support::{
    command::{both_gprofs, first_difference, gmon, output_of, quiet, text_of},
    counts::{Counts, FunctionNames},
    ports,
    targets::{PORTS, Target},
    tools,
};

/// A board.
pub(crate) struct Board {
    /// The port, by rustc's name.
    pub(crate) target: &'static str,
    /// The folders of its sources, below `examples/bare` and `tests/bare`. The first has the Makefile.
    folders: &'static [&'static str],
    /// The C compiler.
    compiler: &'static str,
    /// How the Makefile builds for it.
    settings: Settings<'static>,
}

/// RISC-V: qemu's `virt`.
pub(crate) const RISCV: &Board = &Board {
    target: "riscv64gc-unknown-none-elf",
    folders: &["."],
    compiler: "riscv64-linux-gnu-gcc",
    settings: &[],
};

/// A Cortex-M on a board of ARM's, as its Makefile builds for it.
const fn cortex(target: &'static str, settings: Settings<'static>) -> Board {
    Board { target, folders: &["cortex-m", "."], compiler: "arm-none-eabi-gcc", settings }
}

/// Cortex-M3.
pub(crate) const CORTEX_M3: &Board = &cortex("thumbv7m-none-eabi", &[]);

/// Cortex-M0, which has no exclusive loads.
pub(crate) const CORTEX_M0: &Board =
    &cortex("thumbv6m-none-eabi", &[("BOARD", "microbit"), ("CPU", "cortex-m0")]);

/// Every Cortex-M, with and without registers for floating point.
pub(crate) const CORTEX: &[&Board] = &[
    // The code of a Cortex-M0, on one that has more memory.
    &cortex("thumbv6m-none-eabi", &[("CPU", "cortex-m0")]),
    CORTEX_M3,
    &cortex(
        "thumbv7em-none-eabi",
        &[("BOARD", "mps2-an386"), ("CPU", "cortex-m4 -mfloat-abi=soft")],
    ),
    &cortex(
        "thumbv7em-none-eabihf",
        &[("BOARD", "mps2-an386"), ("CPU", "cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16")],
    ),
    &cortex(
        "thumbv8m.main-none-eabi",
        &[("BOARD", "mps2-an505"), ("CPU", "cortex-m33 -mfloat-abi=soft")],
    ),
    &cortex(
        "thumbv8m.main-none-eabihf",
        &[("BOARD", "mps2-an505"), ("CPU", "cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16")],
    ),
];

/// A program that has run.
pub(crate) struct Run {
    folder: TempDir,
    /// The program.
    pub(crate) executable: PathBuf,
    /// What it printed.
    pub(crate) printed: String,
    /// The machine that it is for.
    machine: Target,
}

/// What is built, and how: variables of the Makefile.
pub(crate) type Settings<'a> = &'a [(&'a str, &'a str)];

impl Board {
    /// What the table of ports says of it.
    pub(crate) fn machine(&self) -> Target {
        let port = PORTS.iter().find(|port| port.target == self.target);
        Target::of(port.expect("a port of the table"))
    }

    /// Whether all is there that the tests need. In CI it has to be.
    pub(crate) fn is_there(&self) -> bool {
        let machine = self.machine();
        let tools = [self.compiler, "make", machine.emulator, machine.gprof];
        ports::is_carried(&machine) && tools.iter().all(|tool| tools::find(tool).is_some())
    }

    /// Builds and runs a program.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn run(&self, settings: Settings<'_>) -> Run {
        self.make("run", settings)
    }

    /// Builds a program.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn build(&self, settings: Settings<'_>) -> Run {
        self.make("program.elf", settings)
    }

    fn make(&self, goal: &str, settings: Settings<'_>) -> Run {
        let folder = TempDir::new().expect("a temporary folder");
        // The Makefile and the board are the example's, programs also the tests'. What a board has of its own
        // takes the place of what all share.
        for own in self.folders.iter().rev() {
            for sources in ["examples/bare", "tests/bare"] {
                let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources).join(own);
                for file in fs::read_dir(sources).expect("a folder of sources") {
                    let file = file.expect("a folder of sources").path();
                    if file.is_file() {
                        let copy = folder.path().join(file.file_name().expect("a name"));
                        fs::copy(&file, copy).expect("a writable folder");
                    }
                }
            }
        }
        let mut make = quiet("make");
        make.arg("-s").arg("-C").arg(folder.path()).arg(goal);
        make.arg(format!("CC={} cc {}", env!("CARGO_BIN_EXE_gmon"), self.compiler));
        let settings = self.settings.iter().chain(settings);
        make.args(settings.clone().map(|(name, value)| format!("{name}={value}")));
        let output = output_of(&mut make);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{make:?}: {}\n{complaints}", output.status);
        assert!(!complaints.contains("GNU-stack"), "{complaints}");
        let executable = folder.path().join("program.elf");
        Run { folder, executable, printed: text(output.stdout), machine: self.machine() }
    }

    /// Runs a program that is built, by the emulator with these arguments.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn run_executable(&self, executable: PathBuf, arguments: &str) -> Run {
        let (folder, machine) = (TempDir::new().expect("a temporary folder"), self.machine());
        let mut emulator = quiet(machine.emulator);
        emulator.args(arguments.split(' ')).arg("-kernel").arg(&executable);
        let output = output_of(emulator.current_dir(folder.path()));
        assert!(output.status.success(), "{executable:?}: {}", output.status);
        Run { folder, executable, printed: text(output.stdout), machine }
    }

    /// What a tool of the compiler's says about the library.
    pub(crate) fn say_of_library(&self, tool: &str, option: &str) -> String {
        let library =
            text_of(gmon().args(["config", "--static-lib", "--target", self.machine().triple]));
        let tool = self.compiler.replace("gcc", tool);
        text_of(quiet(tool).arg(option).arg(library.trim_end()))
    }
}

impl Run {
    /// A command that works in the folder of the program.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = quiet(program);
        command.current_dir(self.folder.path());
        command
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

    /// Writes what it sent in hexadecimal over the serial line where its data are expected.
    pub(crate) fn take_data_from_the_line(&self) {
        let digits = self.printed.split("gmon.out begins").nth(1).unwrap_or_default();
        let digits = digits.split("gmon.out ends").next().unwrap_or_default();
        let digits: Vec<u32> = digits.chars().filter_map(|digit| digit.to_digit(16)).collect();
        let bytes: Vec<u8> = digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect();
        fs::write(self.data(), bytes).expect("a writable folder");
    }

    /// Has a debugger run the built program on an emulator with these arguments, and give these commands.
    pub(crate) fn debug(&self, emulator: &str, commands: &[&str]) {
        let mut gdb = self.command("gdb-multiarch");
        gdb.args(["-batch", "-nx", "program.elf", "-ex"]);
        gdb.arg(format!(
            "target remote | exec {emulator} -display none -monitor none -serial none -S -gdb stdio \
             -semihosting-config enable=on,target=native -kernel program.elf"
        ));
        commands.iter().for_each(|command| _ = gdb.args(["-ex", command]));
        let output = output_of(&mut gdb);
        println!("{output:?}");
    }

    /// Checks that the profile in a copy of memory that a debugger makes before the program writes it is the one that the
    /// program then writes.
    ///
    /// # Panics
    ///
    /// If it is not.
    pub(crate) fn is_in_memory(&self, emulator: &str, copy: &str) {
        self.debug(emulator, &["break sink_open", "continue", copy, "delete", "continue"]);
        let recovered = self.folder.path().join("recovered");
        let mut recover = gmon();
        recover.args(["recover", "memory", "-o", "recovered"]).current_dir(self.folder.path());
        let said = text_of(&mut recover);
        assert!(said.contains(" calls over 7 arcs and "), "{said}");
        assert!(said.ends_with(" from a board's memory\n"), "{said}");
        let read = |path: &Path| fs::read(path).expect("a profile");
        assert!(read(&recovered) == read(&self.data()), "{said}");
        assert_eq!(self.counts().of("filter", "smooth"), 189_000);
    }

    /// Checks that both analyzers say the same of it.
    ///
    /// # Panics
    ///
    /// If they do not.
    pub(crate) fn reports_are_the_same(&self) {
        if let Some((gnu, ours)) = both_gprofs(&self.machine, &self.executable, &self.data()) {
            assert_eq!(first_difference(&ours, &gnu), None);
        }
    }
}

fn text(output: Vec<u8>) -> String {
    String::from_utf8_lossy(&output).replace('\r', "")
}
