//! Profiles in the formats of other programs: a file and a row of the table for each.

mod callgrind;
mod compilers;
mod compressed;
mod dot;
mod firefox;
mod folded;
mod format;
mod json;
mod jsonl;
mod lcov;
mod perfetto;
mod pprof;
mod protobuf;
mod speedscope;
mod tables;
mod tracks;
mod words;

pub use compilers::{BuildFacts, CodeProfile, FunctionOrder, ProfiledBy, function_names};
pub use compressed::Compressed;
pub use folded::folded_name;
pub use format::{Choice, Contents, FileNames, Format, Need, Threads, View, Writer};
pub use jsonl::run_name;
pub use tables::{ModelTable, TABLES};

/// All formats. Names, help and refusals of commands come from here.
pub const FORMATS: &[Format] = &[
    pprof::FORMAT,
    callgrind::FORMAT,
    folded::FORMAT,
    speedscope::FORMAT,
    firefox::FORMAT,
    perfetto::FORMAT,
    json::FORMAT,
    jsonl::FORMAT,
    tables::CSV,
    tables::TSV,
    tables::MARKDOWN,
    tables::TEXT,
    dot::FORMAT,
    lcov::FORMAT,
    compilers::SYMBOLS,
    compilers::SECTIONS,
    compilers::SCRIPT,
    compilers::CALL_GRAPH,
    compilers::LLVM,
    compilers::GCC,
];
