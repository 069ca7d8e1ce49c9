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
    pub(crate) compiler: &'static str,
    /// The emulator and its machine, for a debugger.
    pub(crate) emulator: &'static str,
    /// How the Makefile builds for it.
    settings: Settings<'static>,
}

/// RISC-V: qemu's `virt`.
pub(crate) const RISCV: &Board = &Board {
    target: "riscv64gc-unknown-none-elf",
    folders: &["."],
    compiler: "riscv64-linux-gnu-gcc",
    emulator: "qemu-system-riscv64 -M virt -bios none",
    settings: &[],
};

/// RISC-V of 32 bits, as its Makefile builds for it.
const fn riscv32(target: &'static str, settings: Settings<'static>) -> Board {
    let emulator = "qemu-system-riscv32 -M virt -bios none";
    Board { target, folders: &["."], compiler: "riscv64-linux-gnu-gcc", emulator, settings }
}

/// RISC-V of 32 bits.
pub(crate) const RISCV32: &Board = &riscv32("riscv32imac-unknown-none-elf", &[("ISA", "rv32imac")]);

/// One without atomic instructions, like the ESP32-C3.
pub(crate) const RISCV32_WITHOUT_ATOMICS: &Board =
    &riscv32("riscv32imc-unknown-none-elf", &[("ISA", "rv32imc")]);

/// Every RISC-V that the Makefile builds for.
pub(crate) const RISCVS: &[&Board] = &[
    RISCV,
    RISCV32,
    RISCV32_WITHOUT_ATOMICS,
    &riscv32("riscv32imafc-unknown-none-elf", &[("ISA", "rv32imafc")]),
];

/// A Cortex-M on a board, as its Makefile builds for it.
const fn cortex(
    target: &'static str,
    emulator: &'static str,
    settings: Settings<'static>,
) -> Board {
    let folders = &["cortex-m", "."];
    Board { target, folders, compiler: "arm-none-eabi-gcc", emulator, settings }
}

const AN385: &str = "qemu-system-arm -M mps2-an385";
const AN386: &str = "qemu-system-arm -M mps2-an386";
const AN505: &str = "qemu-system-arm -M mps2-an505";
const MICROBIT: &str = "qemu-system-arm -M microbit";

/// Cortex-M3.
pub(crate) const CORTEX_M3: &Board = &cortex("thumbv7m-none-eabi", AN385, &[]);

/// Cortex-M0, which has no exclusive loads.
pub(crate) const CORTEX_M0: &Board =
    &cortex("thumbv6m-none-eabi", MICROBIT, &[("BOARD", "microbit"), ("CPU", "cortex-m0")]);

/// Cortex-M33.
pub(crate) const CORTEX_M33: &Board = &cortex(
    "thumbv8m.main-none-eabi",
    AN505,
    &[("BOARD", "mps2-an505"), ("CPU", "cortex-m33 -mfloat-abi=soft")],
);

/// Every Cortex-M, with and without registers for floating point.
pub(crate) const CORTEX: &[&Board] = &[
    // The code of a Cortex-M0, on one that has more memory.
    &cortex("thumbv6m-none-eabi", AN385, &[("CPU", "cortex-m0")]),
    CORTEX_M3,
    &cortex(
        "thumbv7em-none-eabi",
        AN386,
        &[("BOARD", "mps2-an386"), ("CPU", "cortex-m4 -mfloat-abi=soft")],
    ),
    &cortex(
        "thumbv7em-none-eabihf",
        AN386,
        &[("BOARD", "mps2-an386"), ("CPU", "cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16")],
    ),
    CORTEX_M33,
    &cortex(
        "thumbv8m.main-none-eabihf",
        AN505,
        &[("BOARD", "mps2-an505"), ("CPU", "cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16")],
    ),
];

/// Those of them for which there is all that the tests need.
pub(crate) fn those_that_are_there(
    boards: &[&'static Board],
) -> impl Iterator<Item = &'static Board> {
    boards.iter().copied().filter(|board| board.is_there())
}

/// A program that has run.
pub(crate) struct Run {
    folder: TempDir,
    /// The program.
    pub(crate) executable: PathBuf,
    /// What it printed.
    pub(crate) printed: String,
    /// What the board says of it.
    emulator: &'static str,
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
        let printed = text(output.stdout);
        Run { folder, executable, printed, emulator: self.emulator, machine: self.machine() }
    }

    /// Runs a program that is built. One instruction takes some nanoseconds of the machine's time, however busy the
    /// computer is.
    ///
    /// # Panics
    ///
    /// If that fails.
    pub(crate) fn run_executable(&self, executable: PathBuf) -> Run {
        let folder = TempDir::new().expect("a temporary folder");
        let mut words = self.emulator.split(' ');
        let mut emulator = quiet(words.next().expect("an emulator"));
        emulator.args(words).args(["-nographic", "-semihosting", "-icount", "shift=4", "-kernel"]);
        let output = output_of(emulator.arg(&executable).current_dir(folder.path()));
        assert!(output.status.success(), "{executable:?}: {}", output.status);
        let printed = text(output.stdout);
        Run { folder, executable, printed, emulator: self.emulator, machine: self.machine() }
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

    /// Has a debugger run the built program on the emulator, and give these commands.
    pub(crate) fn debug(&self, commands: &[&str]) {
        let mut gdb = self.command("gdb-multiarch");
        let emulator = self.emulator;
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
    pub(crate) fn is_in_memory(&self, copy: &str) {
        self.debug(&["break sink_open", "continue", copy, "delete", "continue"]);
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
