//! The machines whose libraries the command carries: its own, and those that `GMON_TARGETS` named when it
//! was built.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};

use super::given::given;
use super::known::known;
use super::packed::Packed;
use crate::command_line::option;

/// A processor, with Linux or without a system, and the libraries for it.
#[derive(Debug)]
pub struct Port {
    /// The target that they were built for, by rustc's name.
    pub target: &'static str,
    /// The processor, by rustc's name.
    pub architecture: &'static str,
    /// `libgmon.a`.
    pub archive: Packed,
    /// `libgmon.so`, where programs have a loader.
    pub shared: Option<Packed>,
    /// The bytes that an object in the archive begins with.
    pub object: &'static [u8],
}

/// System below a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    /// None: bare metal.
    Bare,
}

impl Port {
    /// The port of the machine that this command runs on.
    pub(crate) fn host() -> &'static Self {
        &given().ports[0]
    }

    /// The port of a target, as `--target`, `gcc -dumpmachine` or rustc name it.
    ///
    /// # Errors
    ///
    /// The command does not carry it; the message says how to get one that does.
    pub(crate) fn of_target(target: &str) -> Result<&'static Self> {
        if let Some(port) = given().ports.iter().find(|port| port.target == target) {
            return Ok(port);
        }
        let system = System::of_target(target);
        // Without a system there are several ways to call functions, and only rustc's names tell which.
        if system == System::Bare && known().iter().any(|known| known.target == target) {
            bail!("this gmon carries no runtime for {target}; {}", way_to(target));
        }
        let port = Self::of_machine(architecture_of(target), system);
        port.map_err(|error| anyhow!("{target}: {error}"))
    }

    /// Returns `true` if there is one for programs without a system on a processor.
    pub(crate) fn is_there_without_system(name: &str) -> bool {
        known().iter().any(|known| known.architecture == name && known.system() == System::Bare)
    }

    /// The port of an architecture by rustc's name, with a system or without one.
    ///
    /// # Errors
    ///
    /// As [`of_target`](Self::of_target).
    pub(crate) fn of_machine(name: &str, system: System) -> Result<&'static Self> {
        let is_it =
            |architecture, target| architecture == name && System::of_target(target) == system;
        if let Some(port) = given().ports.iter().find(|port| is_it(port.architecture, port.target))
        {
            return Ok(port);
        }
        let place = if system == System::Bare { " on bare metal" } else { "" };
        match known().iter().find(|known| is_it(known.architecture, known.target)) {
            Some(known) => {
                bail!("this gmon carries no runtime for {name}{place}; {}", way_to(known.target))
            }
            None => {
                let known = known().iter().filter(|known| known.system() == system);
                let mut known: Vec<_> = known.map(|known| known.architecture).collect();
                known.sort_unstable();
                known.dedup();
                bail!("there is no runtime for {name}{place}, only for {}", known.join(", "))
            }
        }
    }

    /// Bytes in an address.
    pub(crate) fn word(&self) -> usize {
        let known = known().iter().find(|known| known.architecture == self.architecture);
        known.map_or(size_of::<usize>(), |known| known.bits / 8)
    }

    /// Returns `true` if the ELF file that begins with these bytes is for this port: word size, byte
    /// order and processor.
    pub(crate) fn is_for(&self, start: &[u8]) -> bool {
        let machine = |file: &[u8]| Some([file.get(4..6)?, file.get(18..20)?].concat());
        machine(start) == machine(self.object)
    }
}

/// The version of the command, and the machines whose libraries it carries.
pub(crate) fn long_version() -> String {
    let targets: Vec<_> = given().ports.iter().map(|port| port.target).collect();
    let (version, targets) = (env!("CARGO_PKG_VERSION"), targets.join("\n  "));
    format!("{version}\nWith runtimes for:\n  {targets}\nBuilt by {}", given().built_by)
}

/// Way to a command that carries the runtime for a target.
fn way_to(target: &str) -> String {
    format!("get one that does by `GMON_TARGETS={target} cargo install gmon`")
}

impl System {
    /// That in the name of a target; `none` may also be a vendor.
    pub(super) fn of_target(target: &str) -> Self {
        let is_bare = target.contains("-none") || target.ends_with("-elf");
        if is_bare && !target.contains("linux") { Self::Bare } else { Self::Linux }
    }
}

/// The option that names a port.
pub(crate) fn target_argument() -> Arg {
    option(
        "target",
        "TRIPLE",
        "The machine that the programs are for, such as aarch64-linux-gnu [default: this one]",
    )
}

/// The port that [`target_argument`] names.
///
/// # Errors
///
/// As [`Port::of_target`].
pub(crate) fn port_asked_for(arguments: &ArgMatches) -> Result<&'static Port> {
    match arguments.get_one::<String>("target") {
        Some(target) => Port::of_target(target),
        None => Ok(Port::host()),
    }
}

/// The architecture in the name of a target.
fn architecture_of(target: &str) -> &str {
    match target.split('-').next().unwrap_or(target) {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        "mips64el" => "mips64",
        "mips64" => "mips64 in big-endian order",
        "powerpc64le" | "ppc64le" | "ppc64el" => "powerpc64",
        "powerpc64" | "ppc64" => "powerpc64 in big-endian order",
        "sparcv9" => "sparc64",
        name if name.starts_with("riscv32") => "riscv32",
        name if name.starts_with("riscv64") => "riscv64",
        name if name.starts_with("arm") => "arm",
        name if name.starts_with('i') && name.ends_with("86") => "x86",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_name_their_architecture() {
        for (target, architecture) in [
            ("aarch64-linux-gnu", "aarch64"),
            ("aarch64-unknown-linux-musl", "aarch64"),
            ("mips64el-linux-gnuabi64", "mips64"),
            ("mips64-linux-gnuabi64", "mips64 in big-endian order"),
            ("powerpc64le-linux-gnu", "powerpc64"),
            ("powerpc64-linux-gnu", "powerpc64 in big-endian order"),
            ("riscv64gc-unknown-linux-gnu", "riscv64"),
            ("riscv32imac-unknown-none-elf", "riscv32"),
            ("s390x-linux-gnu", "s390x"),
            ("i686-linux-gnu", "x86"),
            ("arm-linux-gnueabihf", "arm"),
            ("x86_64", "x86_64"),
        ] {
            assert_eq!(architecture_of(target), architecture, "{target}");
        }
    }

    #[test]
    fn targets_name_their_system() {
        for (target, system) in [
            ("riscv64gc-unknown-none-elf", System::Bare),
            ("riscv64-unknown-elf", System::Bare),
            ("arm-none-eabi", System::Bare),
            ("aarch64-none-linux-gnu", System::Linux),
            ("riscv64-linux-gnu", System::Linux),
            ("x86_64", System::Linux),
        ] {
            assert_eq!(System::of_target(target), system, "{target}");
        }
    }
}
