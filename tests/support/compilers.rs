//! The compilers that every example is built with. A compiler is one row.

use std::path::Path;

use super::{
    targets::{HOST, Target},
    tools,
};

/// A compiler that understands `-pg`, in gcc's spelling of options.
pub struct Compiler {
    /// What directives of the examples and exceptions of the link modes call it.
    pub name: &'static str,
    /// The driver for C.
    pub c: &'static str,
    /// The driver for C++.
    pub cxx: &'static str,
    /// What always comes first.
    pub options: &'static [&'static str],
    /// What it compiles for.
    pub target: &'static Target,
}

/// All compilers, the reference first.
pub const COMPILERS: &[Compiler] = &[
    Compiler { name: "gcc", c: "gcc", cxx: "g++", options: &[], target: HOST },
    Compiler { name: "clang", c: "clang", cxx: "clang++", options: &[], target: HOST },
];

/// Those that are installed and work for a source of this name.
pub fn installed_for(source: &str) -> impl Iterator<Item = &'static Compiler> {
    COMPILERS.iter().filter(move |compiler| compiler.is_installed_for(Path::new(source)))
}

/// The compiler for tests that need just one.
pub const GCC: &Compiler = &COMPILERS[0];

/// The compiler for musl.
pub const MUSL: &Compiler =
    &Compiler { name: "musl-gcc", c: "musl-gcc", cxx: "musl-gcc", options: &[], target: HOST };

impl Compiler {
    /// Whether the driver for `source` is installed and works.
    pub fn is_installed_for(&self, source: &Path) -> bool {
        tools::find(self.driver(source)).is_some()
    }

    /// The driver for `source`, by its suffix.
    pub fn driver(&self, source: &Path) -> &'static str {
        if source.extension().is_some_and(|suffix| suffix == "cc") { self.cxx } else { self.c }
    }
}
