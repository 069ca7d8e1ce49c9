//! All ports that there are: the rows of `runtime/archive/ports.txt`, which the build script reads.

use super::System;

/// A machine that programs can be profiled on.
#[derive(Debug)]
pub(crate) struct Known {
    /// Rustc's name for it.
    pub(crate) target: &'static str,
    /// The processor, by rustc's name.
    pub(crate) architecture: &'static str,
    /// Its system, by rustc's name.
    system: &'static str,
    /// Bits in an address.
    pub(crate) bits: usize,
    /// Macros that compilers define for it, or, behind `!`, do not define.
    macros: &'static [&'static str],
}

/// All ports; the usual one of a processor and system comes first.
pub(crate) const KNOWN: &[Known] = include!(concat!(env!("OUT_DIR"), "/known.rs"));

impl Known {
    /// System below its programs.
    pub(crate) fn system(&self) -> System {
        if self.system == "none" { System::Bare } else { System::Linux }
    }

    /// Returns `true` if a compiler that defines these macros compiles for it, with a system or
    /// without one.
    pub(crate) fn is_compiled_for(&self, defined: &[&str]) -> bool {
        self.macros.iter().all(|name| match name.strip_prefix('!') {
            Some(name) => !defined.contains(&name),
            None => defined.contains(name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_targets_tell_their_system() {
        for known in KNOWN {
            assert_eq!(System::of_target(known.target), known.system(), "{}", known.target);
        }
    }

    #[test]
    fn no_two_processors_have_the_same_macros() {
        for known in KNOWN {
            let (absent, defined): (Vec<&str>, _) =
                known.macros.iter().partition(|name| name.starts_with('!'));
            assert!(known.is_compiled_for(&defined), "{}: {absent:?}", known.target);
            let others = KNOWN.iter().filter(|other| other.architecture != known.architecture);
            for other in others {
                assert!(!other.is_compiled_for(&defined), "{} {}", known.target, other.target);
            }
        }
    }
}
