//! The machines whose libraries the command carries: its own, and those that `GMON_TARGETS` named when it
//! was built.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};

use super::known::KNOWN;
use super::packed::Packed;

/// A processor, with Linux or without a system, and the libraries for it.
#[derive(Debug)]
pub(crate) struct Port {
    /// The target that they were built for, by rustc's name.
    pub(crate) target: &'static str,
    /// The processor, by rustc's name.
    pub(crate) architecture: &'static str,
    /// `libgmon.a`.
    pub(crate) archive: Packed,
    /// `libgmon.so`, where programs have a loader.
    pub(crate) shared: Option<Packed>,
    /// The bytes that an object in the archive begins with.
    object: &'static [u8],
}

/// System below a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    /// None: bare metal.
    Bare,
}

static PORTS: &[Port] = include!(concat!(env!("OUT_DIR"), "/ports.rs"));

impl Port {
    /// The port of the machine that this command runs on.
    pub(crate) fn host() -> &'static Self {
        &PORTS[0]
    }

    /// The port of a target, as `--target`, `gcc -dumpmachine` or rustc name it.
    ///
    /// # Errors
    ///
    /// The command does not carry it; the message says how to get one that does.
    pub(crate) fn of_target(target: &str) -> Result<&'static Self> {
        if let Some(port) = PORTS.iter().find(|port| port.target == target) {
            return Ok(port);
        }
        let system = System::of_target(target);
        // Without a system there are several ways to call functions, and only rustc's names tell which.
        if system == System::Bare && KNOWN.iter().any(|known| known.target == target) {
            bail!("this gmon carries no runtime for {target}; {}", way_to(target));
        }
        let port = Self::of_machine(architecture_of(target), system);
        port.map_err(|error| anyhow!("{target}: {error}"))
    }

    /// Returns `true` if there is one for programs without a system on a processor.
    pub(crate) fn is_there_without_system(name: &str) -> bool {
        KNOWN.iter().any(|known| known.architecture == name && known.system() == System::Bare)
    }

    /// The port of an architecture by rustc's name, with a system or without one.
    ///
    /// # Errors
    ///
    /// As [`of_target`](Self::of_target).
    pub(crate) fn of_machine(name: &str, system: System) -> Result<&'static Self> {
        let is_it =
            |architecture, target| architecture == name && System::of_target(target) == system;
        if let Some(port) = PORTS.iter().find(|port| is_it(port.architecture, port.target)) {
            return Ok(port);
        }
        let place = if system == System::Bare { " on bare metal" } else { "" };
        match KNOWN.iter().find(|known| is_it(known.architecture, known.target)) {
            Some(known) => {
                bail!("this gmon carries no runtime for {name}{place}; {}", way_to(known.target))
            }
            None => {
                let known = KNOWN.iter().filter(|known| known.system() == system);
                let mut known: Vec<_> = known.map(|known| known.architecture).collect();
                known.sort_unstable();
                known.dedup();
                bail!("there is no runtime for {name}{place}, only for {}", known.join(", "))
            }
        }
    }

    /// Bytes in an address.
    pub(crate) fn word(&self) -> usize {
        let known = KNOWN.iter().find(|known| known.architecture == self.architecture);
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
    let targets: Vec<_> = PORTS.iter().map(|port| port.target).collect();
    let (version, targets) = (env!("CARGO_PKG_VERSION"), targets.join("\n  "));
    format!("{version}\nWith runtimes for:\n  {targets}\nBuilt by {}", env!("GMON_BUILT_BY"))
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
    Arg::new("target").long("target").value_name("TRIPLE").help(
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

    #[test]
    fn own_port_is_the_first() {
        assert_eq!(Port::host().architecture, std::env::consts::ARCH);
        assert_eq!(Port::host().word(), size_of::<usize>());
    }

    #[test]
    fn ports_of_other_calling_conventions_are_not_mixed_up() {
        let target = "riscv64imac-unknown-none-elf";
        if PORTS.iter().all(|port| port.target != target) {
            let error = Port::of_target(target).expect_err("not carried").to_string();
            assert!(error.contains(&format!("GMON_TARGETS={target} ")), "{error}");
        }
    }

    #[test]
    fn missing_port_is_an_error_that_says_how_to_get_it() {
        let error = Port::of_target("vax-dec-ultrix").expect_err("no such port").to_string();
        assert!(error.contains("vax-dec-ultrix: there is no runtime for vax"), "{error}");
    }
}
