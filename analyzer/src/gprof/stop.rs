//! Why a run stopped before its end.

use std::io;

use super::messages;
use super::request::Refusal;
use crate::error::{Error, system_message};

/// Why the run stopped; nothing more is to be printed on the standard output.
#[derive(Debug)]
pub(super) enum Stop {
    /// The command line asks for nothing that can be done.
    Refused(Refusal),
    /// A file is bad, or cannot be written.
    Input(Error),
    /// The data is in a format that cannot be read.
    ProfFormat,
    /// The data lack what was asked for.
    Missing(&'static str),
    /// The output takes no more.
    Output(io::Error),
}

impl Stop {
    /// Message to the user of the command called `program`: whole lines.
    pub(super) fn message(&self, program: &str) -> String {
        match self {
            Self::Refused(refusal) => messages::refused_request(program, refusal),
            Self::Input(error) => messages::refused_input(program, error),
            Self::ProfFormat => {
                format!("{program}: sorry, file format `prof' is not yet supported\n")
            }
            Self::Missing(what) => format!("{program}: gmon.out file is missing {what}\n"),
            Self::Output(error) => {
                format!("{program}: cannot write the report: {}\n", system_message(error))
            }
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
