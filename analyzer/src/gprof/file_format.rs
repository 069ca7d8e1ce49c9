//! The file formats by the names that `-O` gives them.

use std::ffi::OsStr;

use gmon_format::Accepted;

use super::request::Refusal;

/// Argument of `-O`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FileFormat {
    /// Whatever each file is.
    #[default]
    Auto,
    /// The GNU format, which begins with a magic cookie.
    Magic,
    /// Either of BSD's.
    Bsd,
    /// The format of 4.4BSD.
    Bsd44,
    /// The format of System V's `prof`, which GNU gprof knows by name only.
    Prof,
}

impl FileFormat {
    /// Finds a format by the first letter of its name, as GNU gprof does.
    pub(super) fn named(name: &OsStr) -> Result<Self, Refusal> {
        match name.as_encoded_bytes().first() {
            Some(b'a') => Ok(Self::Auto),
            Some(b'm') => Ok(Self::Magic),
            Some(b'b') => Ok(Self::Bsd),
            Some(b'4') => Ok(Self::Bsd44),
            Some(b'p') => Ok(Self::Prof),
            _ => Err(Refusal::UnknownFormat(name.to_owned())),
        }
    }

    /// The formats of files that are read; none if they cannot be.
    pub(super) fn accepted(self) -> Option<Accepted> {
        match self {
            Self::Auto => Some(Accepted::Any),
            Self::Magic => Some(Accepted::Gnu),
            Self::Bsd => Some(Accepted::Bsd),
            Self::Bsd44 => Some(Accepted::Bsd44),
            Self::Prof => None,
        }
    }
}
