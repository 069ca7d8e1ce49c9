//! All ports that there are: the rows of `runtime/archive/ports.txt`, which the build script of the executable reads.

use super::System;
use super::given::given;

/// A machine that programs can be profiled on.
#[derive(Debug)]
pub struct Known {
    /// Rustc's name for it.
    pub target: &'static str,
    /// The processor, by rustc's name.
    pub architecture: &'static str,
    /// System below its programs, by rustc's name.
    pub system: &'static str,
    /// Bits in an address.
    pub bits: usize,
    /// Macros that compilers define for it, or, behind `!`, do not define.
    pub macros: &'static [&'static str],
}

/// All ports; the usual one of a processor and system comes first.
pub(crate) fn known() -> &'static [Known] {
    given().known
}

impl Known {
    /// System below its programs.
    pub(crate) fn system(&self) -> System {
        if self.system == "none" { System::Bare } else { System::Linux }
    }

    /// Returns `true` if a compiler that defines these macros compiles for it, with a system or
    /// without one.
    pub fn is_compiled_for(&self, defined: &[&str]) -> bool {
        self.macros.iter().all(|name| match name.strip_prefix('!') {
            Some(name) => !defined.contains(&name),
            None => defined.contains(name),
        })
    }
}
