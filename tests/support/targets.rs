//! The machines that programs are built for. A port is one row.

use std::{env::consts::ARCH, process::Command};

use super::command::quiet;

/// A machine, and how its programs run on this one.
pub struct Target {
    /// Its processor, as rustc calls it.
    pub architecture: &'static str,
    /// What `gmon config --target` is told; empty for this machine.
    pub triple: &'static str,
    /// The emulator that runs its programs; empty where this machine does.
    pub emulator: &'static str,
    /// Where Debian's cross compilers have its libraries, of which the emulator has to be told.
    root: &'static str,
    /// GNU gprof for it.
    pub gprof: &'static str,
}

/// This machine.
pub const HOST: &Target =
    &Target { architecture: ARCH, triple: "", emulator: "", root: "", gprof: "gprof" };

/// The others.
pub const PORTS: &[Target] = &[
    Target {
        architecture: "aarch64",
        triple: "aarch64-linux-gnu",
        emulator: "qemu-aarch64",
        root: "/usr/aarch64-linux-gnu",
        gprof: "aarch64-linux-gnu-gprof",
    },
    Target {
        architecture: "riscv64",
        triple: "riscv64-linux-gnu",
        emulator: "qemu-riscv64",
        root: "/usr/riscv64-linux-gnu",
        gprof: "riscv64-linux-gnu-gprof",
    },
    Target {
        architecture: "sparc64",
        triple: "sparc64-linux-gnu",
        emulator: "qemu-sparc64",
        root: "/usr/sparc64-linux-gnu",
        gprof: "sparc64-linux-gnu-gprof",
    },
    Target {
        architecture: "sparc",
        triple: "sparc-linux-gnu",
        emulator: "qemu-sparc32plus",
        root: "/usr/sparc64-linux-gnu",
        gprof: "sparc64-linux-gnu-gprof",
    },
    Target {
        architecture: "arm",
        triple: "arm-linux-gnueabihf",
        emulator: "qemu-arm",
        root: "/usr/arm-linux-gnueabihf",
        gprof: "arm-linux-gnueabihf-gprof",
    },
    Target {
        architecture: "x86",
        triple: "i686-linux-gnu",
        emulator: "",
        root: "",
        gprof: "gprof",
    },
];

/// A board without a system: `qemu-system-riscv64 -M virt`.
pub const BOARD: &Target = &Target {
    architecture: "riscv64",
    triple: "riscv64gc-unknown-none-elf",
    emulator: "qemu-system-riscv64",
    root: "",
    gprof: "riscv64-linux-gnu-gprof",
};

impl Target {
    /// The command that runs a program of the machine, perhaps with a library preloaded.
    pub fn run(&self, program: &std::path::Path, preload: Option<&str>) -> Command {
        if self.emulator.is_empty() {
            let mut command = quiet(program);
            command.envs(preload.map(|library| ("LD_PRELOAD", library)));
            return command;
        }
        let mut command = quiet(self.emulator);
        command.args(["-L", self.root]);
        if let Some(library) = preload {
            command.args(["-E", &format!("LD_PRELOAD={library}")]);
        }
        command.arg(program);
        command
    }
}
