//! Error messages in GNU gprof's words, which scripts may look for.

use std::io;

use gmon_format::ErrorKind as DataError;

use super::help;
use super::request::Refusal;
use crate::error::{Conflict, Error, ErrorKind};
use crate::is_harmful;
use crate::response_files::ResponseError;

/// A message in which `�` stands for what a terminal would obey: names can have any bytes.
pub(super) fn printable(message: &str) -> String {
    let is_shown = |c: char| matches!(c, '\n' | '\t') || !is_harmful(c);
    message.chars().map(|c| if is_shown(c) { c } else { '\u{fffd}' }).collect()
}

/// Message of GNU gprof, called as `program`, for a command line it refuses: whole lines.
pub(super) fn refused_request(program: &str, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Misuse(misuse) => format!("{program}: {misuse}\n{}", help::usage(program)),
        // GNU gprof takes one name for the other.
        Refusal::UnknownFormat(name) => {
            format!("{}: unknown file format {program}\n", name.to_string_lossy())
        }
        Refusal::UnknownStyle(name) => {
            format!("{program}: unknown demangling style `{}'\n", name.to_string_lossy())
        }
        Refusal::TwoOrders => format!(
            "{program}: Only one of --function-ordering and --file-ordering may be specified.\n"
        ),
        Refusal::Responses(ResponseError::TooMany) => {
            format!("{program}: error: too many @-files encountered\n")
        }
        Refusal::Responses(ResponseError::Directory) => {
            format!("{program}: error: @-file refers to a directory\n")
        }
    }
}

/// Message of GNU gprof, called as `program`, for an input it refuses: whole lines.
pub(super) fn refused_input(program: &str, error: &Error) -> String {
    let file = error.path().display();
    let kind = error.kind();
    match kind {
        // A sum that the format of BSD, but not that of GNU, has no room for.
        ErrorKind::Unwritable(reason) if reason.kind() == io::ErrorKind::Unsupported => {
            format!("{error}; without -O the sum is written in the GNU format\n")
        }
        ErrorKind::Unreadable(_) | ErrorKind::Unwritable(_) => format!("{error}\n"),
        ErrorKind::NotExecutable
        | ErrorKind::Damaged(_)
        | ErrorKind::Live(_)
        | ErrorKind::LiveCounts
        | ErrorKind::TooLarge { .. }
        | ErrorKind::OtherEncoding { .. }
        | ErrorKind::OtherBuild { .. }
        | ErrorKind::NotFull
        | ErrorKind::OtherProgram { .. }
        | ErrorKind::OtherCode
        | ErrorKind::AddedAlready
        | ErrorKind::NoModel(_)
        | ErrorKind::Histogram(_) => {
            format!("{program}: {error}\n")
        }
        ErrorKind::NoData => format!("{program}: {error} (-O bsd reads it anyway)\n"),
        ErrorKind::Unopened(_) => format!("{program}: could not open {file}.\n"),
        ErrorKind::NoFileMap => format!("{program}: unable to parse mapping file {file}.\n"),
        ErrorKind::NoText => format!("{program}: can't find .text section in {file}\n"),
        ErrorKind::NoSymbols => format!("{program}: file `{file}' has no symbols\n"),
        ErrorKind::Data(error) => match error.kind {
            DataError::TooShort => format!("{file}: file too short to be a gmon file\n"),
            DataError::BadMagic => {
                format!("{program}: file `{file}' has bad magic cookie\n")
            }
            DataError::BadBsdHeader => {
                format!("{program}: file '{file}' does not appear to be in gmon.out format\n")
            }
            // GNU gprof takes the number for a signed one.
            DataError::UnsupportedVersion(version) => {
                format!("{program}: file `{file}' has unsupported version {}\n", version as i32)
            }
            DataError::BadTag(tag) => {
                format!("{program}: {file}: found bad tag {tag} (file corrupted?)\n")
            }
            DataError::UnexpectedEnd => format!("{program}: {file}: unexpected end of file\n"),
            DataError::BinsCutShort { read, announced } => format!(
                "{program}: {file}: unexpected EOF after reading {read} of {announced} samples\n"
            ),
            // One too small, as GNU gprof says it.
            DataError::BsdBinsCutShort { read, announced } => {
                let last = i64::from(read) - 1;
                format!("{program}: unexpected EOF after reading {last}/{announced} bins\n")
            }
            _ => format!("{program}: {file}: {error}\n"),
        },
        ErrorKind::Conflict(conflict) => match conflict {
            Conflict::Dimension { first, second } => changed(program, "unit", first, second),
            Conflict::Abbreviation { first, second } => {
                changed(program, "abbreviation", &[*first], &[*second])
            }
            Conflict::Scale => format!("{program}: different scales in histogram records\n"),
            Conflict::Rate => {
                format!("{file}: profiling rate incompatible with first gmon file\n")
            }
            Conflict::Overlap => format!("{program}: overlapping histogram records\n"),
            Conflict::Clock { .. } => format!("{file}: {conflict}\n"),
            Conflict::Range => format!("{file}: incompatible with first gmon file\n"),
        },
    }
}

fn changed(program: &str, what: &str, first: &[u8], second: &[u8]) -> String {
    let (first, second) = (first.escape_ascii(), second.escape_ascii());
    format!(
        "{program}: dimension {what} changed between histogram records\n\
         {program}: from '{first}'\n\
         {program}: to '{second}'\n"
    )
}
