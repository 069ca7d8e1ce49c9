//! `--inlines`: whether inlined code is a function of its own in a report.

use clap::{Arg, ArgMatches};
use gmon_analyzer::model::Fold;
use serde::{Deserialize, Serialize};

use super::Part;

/// Inlined functions that have rows of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Inlines {
    /// All.
    Show,
    /// Functions with more code than a screen of instructions.
    Large,
    /// None.
    Fold,
}

impl Inlines {
    const ALL: [Self; 3] = [Self::Show, Self::Large, Self::Fold];

    fn word(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Large => "large",
            Self::Fold => "fold",
        }
    }

    /// The option.
    pub(super) fn argument() -> Arg {
        Arg::new("inlines")
            .long("inlines")
            .value_name("WHICH")
            .help("Show inlined functions apart, only large ones, or fold all into those that have their code [default: large]")
            .value_parser(Self::ALL.map(Self::word))
    }

    /// The value of the option, if it is given.
    pub(super) fn if_asked_for(arguments: &ArgMatches) -> Option<Self> {
        let word = arguments.get_one::<String>("inlines")?;
        Self::ALL.into_iter().find(|inlines| word == inlines.word())
    }

    /// The choice for a part of a profile. Who asks for callers by name may ask for those of an inlined function.
    pub(super) fn fold(choice: Option<Self>, part: &Part) -> Fold {
        match choice {
            Some(Self::Show) => Fold::Nothing,
            Some(Self::Large) => Fold::Small,
            Some(Self::Fold) => Fold::All,
            None if matches!(part, Part::Calls(_)) => Fold::Nothing,
            None => Fold::Small,
        }
    }
}
