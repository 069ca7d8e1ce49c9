//! Facts of a build that decide how much of a profile compilers can use.

use std::collections::{BTreeMap, BTreeSet};

use crate::image::Dialect;
use crate::program::Program;

/// Debug information and names of a build, as a profile for compilers needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildFacts {
    /// Functions of which debug information knows something.
    pub functions: usize,
    /// Functions among them of which it says on which line they begin.
    pub with_first_line: usize,
    /// True if debug information numbers the parts of some line.
    pub has_discriminators: bool,
    /// Functions that share their name with others.
    pub namesakes: usize,
    /// True if the profile for clang is by pseudo probes, which need nothing else of this.
    pub has_probes: bool,
}

impl BuildFacts {
    /// Looks at a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let table = program.image().functions(Dialect::Standard);
        let mut facts = Self::default();
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        for symbol in program.symbols().symbols() {
            let Some(frame) = table.frames(symbol.address).last() else { continue };
            let Some(function) = frame.function else { continue };
            facts.functions += 1;
            facts.with_first_line += usize::from(function.line != 0);
            *names.entry(source_name(symbol.name)).or_default() += 1;
        }
        facts.namesakes = names.values().filter(|times| **times > 1).sum();
        facts.has_discriminators = program.lines().has_discriminators();
        facts.has_probes = matches!(program.image().probes(), Ok(Some(_)));
        facts
    }
}

/// The names of all functions of a program, and of those that debug information or pseudo probes say were inlined.
#[must_use]
pub fn function_names(program: &Program) -> BTreeSet<Vec<u8>> {
    let symbols = program.symbols();
    let with_code = symbols.symbols().map(|symbol| source_name(symbol.name));
    let inlined = program.image().functions(Dialect::Standard).names();
    // Damaged ones are none.
    let probes = program.image().probes().ok().flatten().unwrap_or_default();
    let probed = probes.functions.values().map(|function| function.name);
    with_code.chain(inlined).chain(probed).map(<[u8]>::to_vec).collect()
}

/// The name of a function without what compilers append for copies and parts of it.
pub(super) fn source_name(name: &[u8]) -> &[u8] {
    let dot = name.iter().skip(1).position(|byte| *byte == b'.');
    &name[..dot.map_or(name.len(), |at| at + 1)]
}
