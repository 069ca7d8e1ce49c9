//! Executions of a program's code as a value: made from a measurement or read from LLVM's text, added up, written for
//! compilers.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::instances::Functions;
use super::{executions, gcc, llvm, probed, text};
use crate::measurement::Measurement;

/// Executions of the functions of a program and of their lines or pseudo probes, in a compiler's words.
#[derive(Clone, Debug, Default)]
pub struct CodeProfile(Functions);

/// The compiler that a profile is for. They count parts of a line each in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProfiledBy {
    /// clang, rustc and others: by pseudo probes if the program has them, else by lines.
    Llvm,
    /// gcc, g++ and gfortran.
    Gcc,
}

impl CodeProfile {
    /// Reads what ran off a measurement.
    ///
    /// # Errors
    /// If neither debug information nor pseudo probes say of anything that ran where it was written, or the probes are damaged.
    pub fn measured(measurement: &Measurement, compiler: ProfiledBy) -> io::Result<Self> {
        let image = measurement.program().image();
        let functions = match compiler {
            ProfiledBy::Gcc => executions::functions(measurement, |discriminator| discriminator),
            ProfiledBy::Llvm => match image.probes() {
                Ok(Some(probes)) => probed::functions(measurement, &probes),
                Ok(None) => executions::functions(measurement, llvm::base_discriminator),
                Err(damaged) => {
                    let text = format!("{}: {damaged}; build it again", image.path().display());
                    Err(io::Error::new(io::ErrorKind::InvalidData, text))
                }
            },
        };
        functions.map(Self)
    }

    /// Returns `true` if a file that starts so is LLVM's text.
    #[must_use]
    pub fn begins(start: &[u8]) -> bool {
        text::begins(start)
    }

    /// Reads LLVM's text.
    ///
    /// # Errors
    /// The number of the first line that is not what it should be, from 1.
    pub fn parse(bytes: &[u8]) -> Result<Self, usize> {
        text::functions(bytes).map(Self)
    }

    /// Returns `true` if executions are those of pseudo probes, and not of lines.
    #[must_use]
    pub fn is_by_probes(&self) -> bool {
        self.0.values().any(|instance| instance.checksum.is_some())
    }

    /// Adds another profile, of any build, but not one of lines to one of probes. Of two functions that differ in their
    /// blocks, the one with more executions stays.
    pub fn add(&mut self, other: Self) {
        for (name, instance) in other.0 {
            self.0.entry(name).or_default().add(instance);
        }
    }

    /// Names of functions with code of their own, and those that were inlined into them.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        let mut names = BTreeSet::new();
        self.0.iter().for_each(|(name, instance)| instance.names(name, &mut names));
        names.into_iter()
    }

    /// The functions with code of their own, each with the executions of all its code.
    pub fn functions(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.0.iter().map(|(name, instance)| (name.as_slice(), instance.total()))
    }

    /// Writes the text that clang and rustc read.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_llvm(&self, out: &mut dyn Write) -> io::Result<()> {
        llvm::write_functions(&self.0, out)
    }

    /// Writes the file that gcc reads.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_gcc(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&gcc::contents(&self.0))
    }
}
