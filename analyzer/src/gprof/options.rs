//! Requests of a command line of GNU gprof.

use std::path::PathBuf;

use super::file_format::FileFormat;
use super::outputs::Outputs;
use crate::program::ProgramOptions;
use crate::report::{NamePlace, NameStyle, Style};
use crate::selection::Choices;
use crate::symbols::Demangling;

/// Inputs, computations and outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The executable; a command line always names one.
    pub(super) image: PathBuf,
    /// The data files, to be added up.
    pub(super) profiles: Vec<PathBuf>,
    /// The format that the data files have and the sum of them gets.
    pub(super) format: FileFormat,
    /// Outputs asked for by name; nothing asks for whatever the data has.
    pub(super) outputs: Outputs,
    /// Symbols to use: of each line (`-l`, and a sum), not of all functions (`-a` and `-D`), those of a list
    /// (`-S`), or one for each object file of a list (`-R`).
    pub(super) program: ProgramOptions,
    /// Symbols and arcs of each report.
    pub(super) choices: Choices,
    /// Add arcs for the calls that are in the code (`-c`).
    pub(super) static_calls: bool,
    /// Style of reports.
    pub(super) style: Style,
    /// Style of names, unless they are as the linker knows them.
    pub(super) names: NameStyle,
    /// Names are as the linker knows them (`--no-demangle`).
    pub(super) mangled: bool,
    /// Style of annotated sources.
    pub(super) annotation: AnnotationOptions,
    /// Parts of the computation to print (`-d`): a mask, 0 for nothing.
    pub(super) debug: u32,
}

/// Style of annotated sources.
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
    /// Directories for sources, in this order (`-I`, `GPROF_PATH`).
    pub(super) directories: Vec<PathBuf>,
}

impl Options {
    /// Style of names.
    pub(super) fn name_style(&self) -> NameStyle {
        let mut style = self.names;
        if self.program.lines {
            style.place = NamePlace::LineAndAddress;
        }
        // BSD's gprof knew no other names than the linker's.
        if self.mangled || self.style.traditional {
            style.demangling = Demangling::None;
        }
        style
    }
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
