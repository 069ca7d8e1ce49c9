//! GNU gprof's options, one row each.

/// An option.
#[derive(Debug)]
pub(super) struct Flag {
    /// The letter after a single dash.
    pub(super) short: Option<char>,
    /// The word after two dashes.
    pub(super) long: Option<&'static str>,
    /// Need of a value.
    pub(super) argument: Argument,
    /// Request that the option makes.
    pub(super) meaning: Meaning,
    /// Request that the option makes, in the words of `--help`.
    pub(super) help: &'static str,
}

/// Need of a value, and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// No argument.
    None,
    /// A required argument, attached or as the next word.
    Required(&'static str),
    /// An optional argument, which must be attached.
    Optional(&'static str),
}

/// Request that an option makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    AllLines,
    AnnotatedSource,
    Brief,
    Debug,
    Demangle,
    Directories,
    ExecCounts,
    ExternalSymbols,
    FileFormat,
    FileInfo,
    FileOrder,
    FlatProfile,
    FunctionOrder,
    /// Of the original gprof: show a function and what it calls.
    Function,
    /// Of the original gprof: show a function and what it calls, and count only their time.
    FunctionTime,
    FunctionsOnly,
    Graph,
    Help,
    InlineFileNames,
    Lines,
    MinCount,
    NoAnnotatedSource,
    NoArcs,
    NoDemangle,
    NoExecCounts,
    NoFlatProfile,
    /// Of the original gprof: leave out a function.
    NoFunction,
    /// Of the original gprof: leave out a function and its time.
    NoFunctionTime,
    NoGraph,
    NoStatics,
    NoTime,
    PathNames,
    /// Print the call graph; unlike [`Self::Graph`] it takes no symbols.
    PlainGraph,
    SeparateFiles,
    StaticCalls,
    Sum,
    TableLength,
    Time,
    Traditional,
    Unused,
    Version,
    Width,
}

const fn flag(
    short: char,
    long: &'static str,
    argument: Argument,
    meaning: Meaning,
    help: &'static str,
) -> Flag {
    Flag { short: Some(short), long: Some(long), argument, meaning, help }
}

const fn letter(short: char, argument: Argument, meaning: Meaning, help: &'static str) -> Flag {
    Flag { short: Some(short), long: None, argument, meaning, help }
}

const fn word(
    long: &'static str,
    argument: Argument,
    meaning: Meaning,
    help: &'static str,
) -> Flag {
    Flag { short: None, long: Some(long), argument, meaning, help }
}

use Argument::{None as No, Optional, Required};
use Meaning as M;

/// The value is functions, files or lines.
const SPEC: Argument = Required("SYMSPEC");
const MAYBE_SPEC: Argument = Optional("SYMSPEC");

/// All options, in the order in which GNU gprof lists those of an ambiguous prefix.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag] = &[
    flag('l', "line", No, M::Lines, "show times and callers of single source lines"),
    flag('a', "no-static", No, M::NoStatics, "leave out static functions"),
    flag('D', "ignore-non-functions", No, M::FunctionsOnly, "leave out local symbols that are not marked as functions"),
    flag('S', "external-symbol-table", Required("FILE"), M::ExternalSymbols, "take the symbols from FILE, as nm prints them"),
    flag('A', "annotated-source", MAYBE_SPEC, M::AnnotatedSource, "print the source with the calls of each function"),
    flag('J', "no-annotated-source", MAYBE_SPEC, M::NoAnnotatedSource, "the opposite of -A; with SYMSPEC, all others"),
    flag('p', "flat-profile", MAYBE_SPEC, M::FlatProfile, "print the flat profile, of these functions only"),
    flag('P', "no-flat-profile", MAYBE_SPEC, M::NoFlatProfile, "the opposite of -p; with SYMSPEC, all others"),
    flag('q', "graph", MAYBE_SPEC, M::Graph, "print the call graph and its index, of these functions and what they call only"),
    flag('Q', "no-graph", MAYBE_SPEC, M::NoGraph, "the opposite of -q; with SYMSPEC, all others"),
    flag('C', "exec-counts", MAYBE_SPEC, M::ExecCounts, "print how often each function was called"),
    flag('Z', "no-exec-counts", MAYBE_SPEC, M::NoExecCounts, "the opposite of -C; with SYMSPEC, all others"),
    flag('r', "function-ordering", No, M::FunctionOrder, "suggest an order of the functions for the linker"),
    flag('R', "file-ordering", Required("MAP"), M::FileOrder, "suggest an order of the object files that MAP names, as nm -o prints them"),
    flag('i', "file-info", No, M::FileInfo, "print what each profile holds"),
    flag('s', "sum", No, M::Sum, "write the sum of the profiles to gmon.sum"),
    flag('x', "all-lines", No, M::AllLines, "annotate every line of the source"),
    word("demangle", Optional("STYLE"), M::Demangle, "print C++ and Rust names as in the source, the default, or in STYLE"),
    word("no-demangle", No, M::NoDemangle, "print names as the linker knows them"),
    flag('I', "directory-path", Required("DIRS"), M::Directories, "look for sources in DIRS, separated by colons"),
    flag('z', "display-unused-functions", No, M::Unused, "list functions without calls and time too"),
    word("inline-file-names", No, M::InlineFileNames, "print file and line behind each name"),
    flag('m', "min-count", Required("N"), M::MinCount, "mark annotated lines that ran less than N times"),
    flag('L', "print-path", No, M::PathNames, "print whole paths of sources"),
    flag('y', "separate-files", No, M::SeparateFiles, "annotate each source in a file of its own"),
    flag('c', "static-call-graph", No, M::StaticCalls, "list calls that are in the code but were never made"),
    flag('t', "table-length", Required("N"), M::TableLength, "list the N busiest lines of each annotated source"),
    flag('n', "time", SPEC, M::Time, "count the time of these functions only in the call graph"),
    flag('N', "no-time", SPEC, M::NoTime, "do not count the time of these functions in the call graph"),
    flag('w', "width", Required("COLUMNS"), M::Width, "print an index of this width"),
    flag('b', "brief", No, M::Brief, "leave out the explanations of the columns"),
    flag('d', "debug", Optional("MASK"), M::Debug, "show what is being computed"),
    flag('h', "help", No, M::Help, "print this text"),
    flag('O', "file-format", Required("FORMAT"), M::FileFormat, "read and write only this format: auto, magic, bsd or 4.4bsd"),
    flag('T', "traditional", No, M::Traditional, "print in the layout of BSD's gprof"),
    flag('v', "version", No, M::Version, "print the version"),
    // Options of the original BSD gprof. The first is also known by the empty word: `--=SYMBOL`.
    flag('e', "", SPEC, M::NoFunction, "like -Q SYMSPEC, but prints no report by itself"),
    letter('E', SPEC, M::NoFunctionTime, "like -e SYMSPEC -N SYMSPEC"),
    letter('f', SPEC, M::Function, "like -q SYMSPEC, but prints no report by itself"),
    letter('F', SPEC, M::FunctionTime, "like -f SYMSPEC -n SYMSPEC"),
    letter('k', Required("FROM/TO"), M::NoArcs, "ignore the calls from FROM to TO"),
    letter('B', No, M::PlainGraph, "print the call graph and its index"),
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
