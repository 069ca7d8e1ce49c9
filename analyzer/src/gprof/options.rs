//! What a command line of GNU gprof asks for.

use std::path::PathBuf;

use super::file_format::FileFormat;
use super::outputs::Outputs;
use crate::report::Style;
use crate::symbols::{Choice, Demangling};

/// What to read, to compute and to print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The executable; a command line always names one.
    pub(super) image: PathBuf,
    /// The data files, to be added up.
    pub(super) profiles: Vec<PathBuf>,
    /// The format that the data files have and the sum of them gets.
    pub(super) format: FileFormat,
    /// What is asked for by name; nothing asks for whatever the data has.
    pub(super) outputs: Outputs,
    /// Which symbols there are.
    pub(super) symbols: SymbolOptions,
    /// Which symbols and arcs each report is about.
    pub(super) choices: Choices,
    /// Add arcs for the calls that are in the code (`-c`).
    pub(super) static_calls: bool,
    /// How reports are printed.
    pub(super) style: Style,
    /// How names are printed.
    pub(super) names: NameOptions,
    /// How sources are annotated.
    pub(super) annotation: AnnotationOptions,
    /// The list of object files to put in order (`-R`).
    pub(super) file_map: Option<PathBuf>,
    /// What to tell of the computation (`-d`): a mask, 0 for nothing.
    pub(super) debug: u32,
}

/// Which symbols enter the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SymbolOptions {
    /// A symbol for every source line (`-l`, and a sum).
    pub(super) lines: bool,
    /// No symbols that are local to their object file (`-a`).
    pub(super) without_statics: bool,
    /// No local symbols but functions (`-D`).
    pub(super) functions_only: bool,
    /// Take the symbols from this file instead of the image (`-S`).
    pub(super) external: Option<PathBuf>,
}

/// What the reader wants to see, and not to see, in each report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choices {
    /// In the flat profile: `-p` and `-P`.
    pub(super) flat_profile: Choice,
    /// In the call graph: `-q` and `-Q`, `-f`, `-F`, `-e` and `-E`.
    pub(super) graph: Choice,
    /// Whose time counts in the call graph: `-n`, `-N`, `-F`, `-E`.
    pub(super) time: Choice,
    /// Which arcs are read at all: `-q`, `-Q`, and `-k` with a slash.
    pub(super) arcs: Choice,
    /// In annotated sources: `-A` and `-J`.
    pub(super) annotated_source: Choice,
    /// In the execution counts: `-C` and `-Z`.
    pub(super) exec_counts: Choice,
}

/// How names are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NameOptions {
    /// The language they are turned back into.
    pub(super) demangling: Demangling,
    /// File and line behind each name (`--inline-file-names`).
    pub(super) with_places: bool,
    /// Files with their directories (`-L`).
    pub(super) whole_paths: bool,
}

/// How sources are annotated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnnotationOptions {
    /// Every line (`-x`).
    pub(super) all_lines: bool,
    /// The count below which a line is marked (`-m`).
    pub(super) min_count: u64,
    /// The number of lines in the table of the busiest (`-t`); 0 for no table.
    pub(super) table_length: u32,
    /// Each source in a file of its own (`-y`).
    pub(super) separate_files: bool,
    /// Where sources are looked for, in this order (`-I`, `GPROF_PATH`).
    pub(super) directories: Vec<PathBuf>,
}

impl Default for AnnotationOptions {
    fn default() -> Self {
        Self {
            all_lines: false,
            min_count: 1,
            table_length: 10,
            separate_files: false,
            directories: Vec::new(),
        }
    }
}
