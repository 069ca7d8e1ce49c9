//! `--names`: how functions are named in what is shown.

use clap::{Arg, ArgMatches};
use gmon_analyzer::ProgramOptions;
use gmon_analyzer::report::NameStyle;
use gmon_analyzer::symbols::{Demangling, Detail, Language, Split};
use serde::{Deserialize, Serialize};

use crate::command_line::option;

/// Style of functions' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Naming {
    /// As the linker knows them.
    Linker,
    /// As in the source, with all that the linker knows.
    Full,
    /// As in the source.
    Plain,
    /// As in the source, without generic arguments.
    Short,
}

impl Naming {
    const ALL: [Self; 4] = [Self::Linker, Self::Full, Self::Plain, Self::Short];

    /// Its word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Linker => "linker",
            Self::Full => "full",
            Self::Plain => "plain",
            Self::Short => "short",
        }
    }

    /// The option, whose help says what is the default.
    pub(crate) fn argument(default: &str) -> Arg {
        let help =
            "How to name functions: full shows Rust's hashes, short has <_> for generic arguments";
        option("names", "STYLE", &format!("{help} [default: {default}]"))
            .value_parser(Self::ALL.map(Self::word))
    }

    /// The value of the option.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        Self::if_asked_for(arguments).unwrap_or(Self::Plain)
    }

    /// The value of the option, if it is given.
    pub(crate) fn if_asked_for(arguments: &ArgMatches) -> Option<Self> {
        let word = arguments.get_one::<String>("names")?;
        Self::ALL.into_iter().find(|naming| word == naming.word())
    }

    /// Options to read a program for this style: parts of a function that the compiler split are joined, except
    /// with the linker's names.
    pub(crate) fn program_options(self) -> ProgramOptions {
        let split = if self == Self::Linker { Split::Apart } else { Split::Joined };
        ProgramOptions { functions: Some(split), ..ProgramOptions::standard() }
    }

    /// The style, in the analyzer's terms.
    pub(crate) fn style(self) -> NameStyle {
        let source = Demangling::Source(Language::Unknown);
        let (demangling, detail) = match self {
            Self::Linker => (Demangling::None, Detail::Plain),
            Self::Full => (source, Detail::Full),
            Self::Plain => (source, Detail::Plain),
            Self::Short => (source, Detail::Short),
        };
        NameStyle { demangling, detail, ..NameStyle::default() }
    }
}
