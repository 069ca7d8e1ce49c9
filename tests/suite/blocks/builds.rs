//! Programs whose compiler tells of their blocks.

use std::sync::OnceLock;

use support::{
    command::{quiet, text_of},
    compilers::{COMPILERS, Compiler},
    modes::{MODES, Mode, Runtime},
    program::Program,
    suite::Suite,
    tools,
};

/// A way in which code tells of its blocks.
pub(crate) struct Hooks {
    pub(crate) compiler: &'static Compiler,
    pub(crate) flags: &'static [&'static str],
    /// Whether blocks that were never executed are known.
    pub(crate) has_table: bool,
}

const TRACE: &[&str] = &["-fsanitize-coverage=trace-pc"];
const GUARDS: &[&str] = &["-fsanitize-coverage=trace-pc-guard,no-prune"];
const TABLE: &[&str] = &["-fsanitize-coverage=trace-pc-guard,pc-table,no-prune"];

/// All ways there are.
pub(crate) fn hooks() -> impl Iterator<Item = Hooks> {
    let [gcc, clang] = COMPILERS else { panic!("two compilers") };
    let ways = [(gcc, TRACE), (clang, TRACE), (clang, GUARDS), (clang, TABLE)];
    let ways = ways.into_iter().filter(|(compiler, _)| tools::find(compiler.c).is_some());
    ways.map(|(compiler, flags)| Hooks { compiler, flags, has_table: flags == TABLE })
}

impl Hooks {
    /// A program of a suite, whose functions make no calls known.
    ///
    /// # Panics
    ///
    /// If the compiler has anything to say.
    pub(crate) fn build(
        &self,
        suite: &'static str,
        source: &str,
        link: &str,
        flags: &[&str],
    ) -> Program {
        let mode = MODES.iter().find(|mode| mode.name == link).expect("a mode of this name");
        let mode = Mode { hooks: self.flags, ..*mode };
        let stand_in = (mode.runtime == Runtime::Preloaded).then(stand_in);
        // All flags are for the link as well, and some for nothing else.
        let flags = flags.iter().copied().chain(["-Wno-unused-command-line-argument"]);
        let flags: Vec<&str> = flags.chain(stand_in).collect();
        Suite(suite).build_by(self.compiler, source, &mode, &flags)
    }
}

/// A library to link with a program into which the runtime is preloaded: the C library has none of these
/// hooks. It must be there while the program runs.
fn stand_in() -> &'static str {
    static STAND_IN: OnceLock<String> = OnceLock::new();
    STAND_IN.get_or_init(|| {
        let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/stand_in.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/blocks/stand_in.c");
        text_of(quiet("gcc").args(["-shared", "-fPIC", source, "-o", file]));
        format!("-Wl,--no-as-needed,{file}")
    })
}
