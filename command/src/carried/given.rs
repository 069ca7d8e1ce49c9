//! Files and facts that the executable hands over to the command: so the libraries are built, and change, beside
//! this package and not before it.

use std::sync::OnceLock;

use super::{Known, Port};

/// Files and facts that the build of the executable puts into it.
#[derive(Debug)]
pub struct Carried {
    /// The ports whose libraries it carries; that of its own machine comes first.
    pub ports: &'static [Port],
    /// All ports that there are; the usual one of a processor and system comes first.
    pub known: &'static [Known],
    /// The header `gmon.h`.
    pub header: &'static [u8],
    /// A hash of all libraries, which names folders that these are unpacked to.
    pub hash: &'static str,
    /// The compiler that built the command.
    pub built_by: &'static str,
}

static GIVEN: OnceLock<&'static Carried> = OnceLock::new();

/// Hands it over, before anything looks for it.
pub(crate) fn give(carried: &'static Carried) {
    GIVEN.get_or_init(|| carried);
}

/// Returns what was handed over.
///
/// # Panics
///
/// If nothing was.
pub(super) fn given() -> &'static Carried {
    GIVEN.get().expect("what the executable carries")
}
