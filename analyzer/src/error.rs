//! Why an input was refused or an output file not written. Only `image` and `records` refuse input,
//! since only they read files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use gmon_format::Encoding;
use gmon_format::live::LiveError;

/// A file that cannot be used, and what is wrong with it.
///
/// Its text is one line that begins with the file's name.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    kind: ErrorKind,
}

/// Fault of a file.
#[derive(Debug)]
pub(crate) enum ErrorKind {
    /// The system would not open or read it.
    Unreadable(io::Error),
    /// The system would not open or read a file beside image and data.
    Unopened(io::Error),
    /// The system would not write it, or its format has no room for what it should hold.
    Unwritable(io::Error),
    /// The image is not an ELF file, or not one that describes its own layout.
    NotExecutable,
    /// The image is ELF but damaged.
    Damaged(object::Error),
    /// The image has no section `.text`.
    NoText,
    /// The image has a symbol table with nothing in it that can be profiled, or none.
    NoSymbols,
    /// The list of object files has a line without file or symbol.
    NoFileMap,
    /// The data file breaks the rules of its format.
    Data(gmon_format::Error),
    /// The live file is damaged, or cut short.
    Live(LiveError),
    /// The live file counts what no program can have done.
    LiveCounts,
    /// A line of a text of basic blocks has a number that is too large for the program.
    TooLarge { line: usize },
    /// The data file has no mark of any format, and as one of the old BSD format it would be of
    /// another program.
    NoData,
    /// The data file is of a program of another word size or byte order.
    OtherEncoding { found: Encoding, expected: Encoding },
    /// The full profile is of another build of the program.
    OtherBuild { found: Vec<u8>, expected: Vec<u8> },
    /// The file is no full profile, or a live one without stacks.
    NotFull,
    /// The full profile is of another program than the one before it.
    OtherProgram { found: Vec<u8>, expected: Vec<u8> },
    /// The full profile is of another build than the one before it, and neither has a build id.
    OtherCode,
    /// The full profile, or one in it, was added already.
    AddedAlready,
    /// The file is no exported profile.
    NoModel(String),
    /// A histogram makes no sense by itself.
    Histogram(&'static str),
    /// A histogram contradicts one that was read before.
    Conflict(Conflict),
}

/// Contradiction between two histograms of one run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// They count different things.
    Dimension { first: Vec<u8>, second: Vec<u8> },
    /// They abbreviate what they count differently.
    Abbreviation { first: u8, second: u8 },
    /// Their bins have different sizes.
    Scale,
    /// Their ticks have different lengths.
    Rate,
    /// They cover partly the same addresses.
    Overlap,
    /// A file of BSD has not the range and bins of the first histogram.
    Range,
    /// Time on the wall is in one, which the file is or is not, and CPU time in the other.
    Clock { is_wall: bool },
}

impl ErrorKind {
    /// Why a file beside image and data cannot be read: the system's word, or that it is none to be read.
    pub(crate) fn of_list(error: io::Error) -> Self {
        let is_of_system = error.raw_os_error().is_some();
        if is_of_system { Self::Unopened(error) } else { Self::Unreadable(error) }
    }
}

impl Error {
    pub(crate) fn new(path: &Path, kind: ErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if it is a full profile of another build of the program.
    #[must_use]
    pub fn is_of_other_build(&self) -> bool {
        matches!(self.kind, ErrorKind::OtherBuild { .. })
    }

    pub(crate) fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.kind)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) | Self::Unopened(error) | Self::Unwritable(error) => {
                f.write_str(&system_message(error))
            }
            Self::NotExecutable => f.write_str("not in executable format"),
            Self::Damaged(error) => write!(f, "damaged ELF file: {error}"),
            Self::NoText => f.write_str("no .text section"),
            Self::NoSymbols => f.write_str(
                "no symbols; was it stripped? Name a copy that was not, or install its debug file",
            ),
            Self::NoFileMap => f.write_str(
                "not a list of object files: a line is not `FILE:... NAME`, as `nm -A` prints it",
            ),
            Self::Data(error) => error.fmt(f),
            Self::Live(error) => error.fmt(f),
            Self::LiveCounts => f.write_str(
                "a damaged live profile: its counts are higher than any program reaches",
            ),
            Self::TooLarge { line } => {
                write!(f, "line {line}: a number is too large for the program")
            }
            Self::NoData => f.write_str(
                "not a data file: it does not begin with `gmon`, and read in the format of BSD it would \
                 be of another program",
            ),
            Self::OtherEncoding { found, expected } => {
                write!(f, "data of a {found} program, not of a {expected} one")
            }
            Self::OtherBuild { found, expected } => write!(
                f,
                "a profile of another build of the program: the profile's build id is {}, the \
                 program's {}",
                hexadecimal(found),
                hexadecimal(expected)
            ),
            Self::NotFull => f.write_str("not a full profile: it has no call stacks"),
            Self::OtherProgram { found, expected } => write!(
                f,
                "a profile of the program {}, not of {} as the one before it",
                found.escape_ascii(),
                expected.escape_ascii()
            ),
            Self::OtherCode => f.write_str(
                "a profile of another build than the one before it, and no build ids keep them apart; link with \
                 --build-id, or export each with its build and merge those",
            ),
            Self::AddedAlready => f.write_str("this process was added already; each counts once"),
            Self::NoModel(why) => f.write_str(why),
            Self::Histogram(what) => f.write_str(what),
            Self::Conflict(conflict) => conflict.fmt(f),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimension { first, second } => {
                let (first, second) = (first.escape_ascii(), second.escape_ascii());
                write!(f, "histogram counts {second}, but one before it {first}")
            }
            Self::Abbreviation { first, second } => {
                let (first, second) = (first.escape_ascii(), second.escape_ascii());
                write!(f, "histogram abbreviates its unit {second}, but one before it {first}")
            }
            Self::Scale => f.write_str("histogram bins differ in size from those before them"),
            Self::Rate => f.write_str("profiling rate differs from the one before it"),
            Self::Overlap => f.write_str("histogram overlaps one before it"),
            Self::Range => f.write_str("histogram covers another range than the first one"),
            Self::Clock { is_wall } => {
                let [found, first] = match is_wall {
                    true => ["time on the wall", "CPU time"],
                    false => ["CPU time", "time on the wall"],
                };
                write!(
                    f,
                    "sampled {found}, where those before sampled {first}; add up profiles of one clock"
                )
            }
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "missing".to_owned();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// No source: the text tells the reason already.
impl std::error::Error for Error {}

/// The system's own words for an error, as `strerror` gives them.
///
/// The standard library adds the number in brackets, which no classic tool prints.
#[must_use]
pub fn system_message(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned()
        }
        None => text,
    }
}
