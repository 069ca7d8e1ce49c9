//! The processors whose libraries the command carries: its own, and those that `GMON_TARGETS` named
//! when it was built.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches};

/// A processor, and the libraries for it.
#[derive(Debug)]
pub(crate) struct Port {
    /// Its name, as rustc calls it.
    pub(crate) architecture: &'static str,
    /// `libgmon.a`.
    pub(crate) archive: &'static [u8],
    /// `libgmon.so`.
    pub(crate) shared: &'static [u8],
}

const PORTS: &[Port] = include!(concat!(env!("OUT_DIR"), "/ports.rs"));

/// All ports that there are, each with rustc's name for the usual target.
const KNOWN: &[(&str, &str)] = &[
    ("aarch64", "aarch64-unknown-linux-gnu"),
    ("arm", "armv7-unknown-linux-gnueabihf"),
    ("riscv64", "riscv64gc-unknown-linux-gnu"),
    ("sparc", "sparc-unknown-linux-gnu"),
    ("sparc64", "sparc64-unknown-linux-gnu"),
    ("x86_64", "x86_64-unknown-linux-gnu"),
];

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
        Self::of_architecture(architecture_of(target)).map_err(|error| anyhow!("{target}: {error}"))
    }

    /// The port of an architecture by rustc's name.
    ///
    /// # Errors
    ///
    /// As [`of_target`](Self::of_target).
    pub(crate) fn of_architecture(name: &str) -> Result<&'static Self> {
        if let Some(port) = PORTS.iter().find(|port| port.architecture == name) {
            return Ok(port);
        }
        match KNOWN.iter().find(|(known, _)| *known == name) {
            Some((_, target)) => bail!(
                "this gmon carries no runtime for {name}; get one that does by \
                 `GMON_TARGETS={target} cargo install gmon`"
            ),
            None => {
                let known: Vec<_> = KNOWN.iter().map(|(known, _)| *known).collect();
                bail!("there is no runtime for {name}, only for {}", known.join(", "))
            }
        }
    }

    /// Bytes in an address.
    pub(crate) fn word(&self) -> usize {
        /// `EI_CLASS` of ELF files with 64-bit addresses.
        const CLASS_64: u8 = 2;
        if self.shared.get(4) == Some(&CLASS_64) { 8 } else { 4 }
    }

    /// Whether the ELF file that begins with these bytes is for this port: word size, byte order and
    /// processor.
    pub(crate) fn is_for(&self, start: &[u8]) -> bool {
        let machine = |file: &[u8]| Some([file.get(4..6)?, file.get(18..20)?].concat());
        machine(start) == machine(self.shared)
    }
}

/// The option by which commands are told a port.
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
        "sparcv9" => "sparc64",
        name if name.starts_with("riscv64") => "riscv64",
        name if name.starts_with("arm") || name.starts_with("thumb") => "arm",
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
            ("riscv64gc-unknown-linux-gnu", "riscv64"),
            ("i686-linux-gnu", "x86"),
            ("arm-linux-gnueabihf", "arm"),
            ("x86_64", "x86_64"),
        ] {
            assert_eq!(architecture_of(target), architecture, "{target}");
        }
    }

    #[test]
    fn own_port_is_the_first() {
        assert_eq!(Port::host().architecture, std::env::consts::ARCH);
        assert_eq!(Port::host().word(), size_of::<usize>());
    }

    #[test]
    fn missing_port_is_told_with_the_way_to_it() {
        let error = Port::of_target("vax-dec-ultrix").expect_err("no such port").to_string();
        assert!(error.contains("vax-dec-ultrix: there is no runtime for vax"), "{error}");
    }
}
