//! GNU gprof's options, one row each.

/// One option.
#[derive(Debug)]
pub(super) struct Flag {
    /// The letter after a single dash.
    pub(super) short: Option<char>,
    /// The word after two dashes.
    pub(super) long: Option<&'static str>,
    /// Whether a value follows.
    pub(super) argument: Argument,
    /// What the option asks for.
    pub(super) meaning: Meaning,
}

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// It never has one.
    None,
    /// It must have one, attached or as the next word.
    Required,
    /// It may have one, which must be attached.
    Optional,
}

/// What an option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Leave out the explanations.
    Brief,
    /// Print the flat profile.
    FlatProfile,
    /// Print the call graph.
    Graph,
    /// Print what each data file holds.
    FileInfo,
    /// Write the sum of the data files to a file.
    Sum,
    /// Say in which format the data files are.
    FileFormat,
    /// Print the usage and stop.
    Help,
    /// Print the version and stop.
    Version,
    /// A feature of GNU gprof that is still missing here.
    NotYet,
}

const fn flag(short: char, long: &'static str, argument: Argument, meaning: Meaning) -> Flag {
    Flag { short: Some(short), long: Some(long), argument, meaning }
}

const fn letter(short: char) -> Flag {
    Flag { short: Some(short), long: None, argument: Required, meaning: NotYet }
}

const fn word(long: &'static str, argument: Argument) -> Flag {
    Flag { short: None, long: Some(long), argument, meaning: NotYet }
}

use Argument::{None as No, Optional, Required};
use Meaning::{Brief, FileFormat, FileInfo, FlatProfile, Graph, Help, NotYet, Sum, Version};

/// All options, in the order in which GNU gprof lists those of an ambiguous prefix.
pub(super) const FLAGS: &[Flag] = &[
    flag('l', "line", No, NotYet),
    flag('a', "no-static", No, NotYet),
    flag('D', "ignore-non-functions", No, NotYet),
    flag('S', "external-symbol-table", Required, NotYet),
    flag('A', "annotated-source", Optional, NotYet),
    flag('J', "no-annotated-source", Optional, NotYet),
    flag('p', "flat-profile", Optional, FlatProfile),
    flag('P', "no-flat-profile", Optional, NotYet),
    flag('q', "graph", Optional, Graph),
    flag('Q', "no-graph", Optional, NotYet),
    flag('C', "exec-counts", Optional, NotYet),
    flag('Z', "no-exec-counts", Optional, NotYet),
    flag('r', "function-ordering", No, NotYet),
    flag('R', "file-ordering", Required, NotYet),
    flag('i', "file-info", No, FileInfo),
    flag('s', "sum", No, Sum),
    flag('x', "all-lines", No, NotYet),
    word("demangle", Optional),
    word("no-demangle", No),
    flag('I', "directory-path", Required, NotYet),
    flag('z', "display-unused-functions", No, NotYet),
    word("inline-file-names", No),
    flag('m', "min-count", Required, NotYet),
    flag('L', "print-path", No, NotYet),
    flag('y', "separate-files", No, NotYet),
    flag('c', "static-call-graph", No, NotYet),
    flag('t', "table-length", Required, NotYet),
    flag('n', "time", Required, NotYet),
    flag('N', "no-time", Required, NotYet),
    flag('w', "width", Required, NotYet),
    flag('b', "brief", No, Brief),
    flag('d', "debug", Optional, NotYet),
    flag('h', "help", No, Help),
    flag('O', "file-format", Required, FileFormat),
    flag('T', "traditional", No, NotYet),
    flag('v', "version", No, Version),
    // Options of the original BSD gprof. The first is also known by the empty word: `--=SYMBOL`.
    flag('e', "", Required, NotYet),
    letter('E'),
    letter('f'),
    letter('F'),
    letter('k'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_is_used_twice() {
        for (index, flag) in FLAGS.iter().enumerate() {
            for other in &FLAGS[index + 1..] {
                assert!(flag.short.is_none() || flag.short != other.short, "{flag:?}");
                assert!(flag.long.is_none() || flag.long != other.long, "{flag:?}");
            }
        }
    }
}
