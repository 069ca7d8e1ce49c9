//! The programs of one test suite, which lie in a folder with its name.

use super::{
    compilers::{Compiler, GCC},
    modes::{self, Mode, NO_PROFILE},
    program::{Builder, Program},
    root,
    tools::shared_out,
};

/// The runtime linked, linked with everything else into one file, and preloaded.
pub const USUAL_MODES: [&str; 3] = ["default", "static", "preloaded"];

/// A folder below `tests/suite`.
pub struct Suite(pub &'static str);

impl Suite {
    /// Builds one of its programs in several modes, one after the other; on a desk in one of them.
    pub fn in_modes(&self, source: &str, modes: &[&str]) -> impl Iterator<Item = Program> {
        self.in_modes_with(source, modes, &[])
    }

    /// Like [`in_modes`](Self::in_modes), with more flags for compiler and linker.
    pub fn in_modes_with(
        &self,
        source: &str,
        modes: &[&str],
        flags: &[&str],
    ) -> impl Iterator<Item = Program> {
        shared_out(modes, "modes").iter().map(move |mode| self.build(source, mode, flags))
    }

    /// One of its programs in the mode of this name, with more flags for compiler and linker.
    ///
    /// # Panics
    ///
    /// If there is no such mode, or the compiler has anything to say.
    pub fn build(&self, source: &str, mode: &str, flags: &[&str]) -> Program {
        self.build_by(GCC, source, modes::mode(mode), flags)
    }

    /// One of its programs without a profile, to compare with.
    ///
    /// # Panics
    ///
    /// If the compiler has anything to say.
    pub fn without_profile(&self, source: &str) -> Program {
        self.build_by(GCC, source, &NO_PROFILE, &[])
    }

    /// One of its programs by any compiler in any mode.
    ///
    /// # Panics
    ///
    /// If the compiler has anything to say.
    pub fn build_by(
        &self,
        compiler: &Compiler,
        source: &str,
        mode: &Mode,
        flags: &[&str],
    ) -> Program {
        let root = root();
        let source = root.join("tests/suite").join(self.0).join(source);
        // The examples' header that keeps functions countable, and `gmon.h`.
        let include = |folder| format!("-I{}", root.join(folder).display());
        let mut all = vec![include("examples/c"), include("runtime/include")];
        all.extend(flags.iter().map(|flag| (*flag).to_owned()));
        Builder::new(compiler, &source, &all).build(mode)
    }
}

/// What a program has printed behind `name` on a line of its own.
///
/// # Panics
///
/// If there is no such line.
pub fn printed<'a>(text: &'a str, name: &str) -> &'a str {
    let mut values = all_printed(text, name);
    values.next().unwrap_or_else(|| panic!("no {name} in {text:?}"))
}

/// Like [`printed`], for as many lines as there are.
pub fn all_printed<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '))
}
