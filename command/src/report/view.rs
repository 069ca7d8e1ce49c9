//! What of a profile is shown, and how.

use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::model::Fold;
use serde::{Deserialize, Serialize};

use super::inlines;
use crate::command_line::option;
use crate::naming::Naming;

/// Parts of a profile that are shown, and their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View {
    /// Number of functions that are listed.
    pub(crate) top: usize,
    /// Naming of functions, if the user says.
    pub(crate) names: Option<Naming>,
    /// True if full profiles of other builds of the program are taken for those of this one.
    pub(crate) any_build: bool,
    /// True if debuginfod's client is to fetch the names of functions that have none.
    pub(crate) asks_debuginfod: bool,
    /// Inlined functions that have rows of their own, if the user says.
    pub(crate) inlines: Option<Fold>,
}

impl View {
    /// The options that choose it.
    pub(crate) fn arguments() -> [Arg; 3] {
        let top = option("top", "N", "How many functions the summary lists")
            .default_value("10")
            .value_parser(value_parser!(usize));
        let naming = Naming::argument("plain; short in rows of measured times on a terminal");
        [top, naming, inlines::argument()]
    }

    /// The view that these options choose.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let top = arguments.get_one::<usize>("top").copied().unwrap_or_default();
        let inlines = inlines::if_asked_for(arguments);
        Self {
            top,
            names: Naming::if_asked_for(arguments),
            any_build: false,
            asks_debuginfod: false,
            inlines,
        }
    }

    /// The view without options.
    pub(crate) fn standard() -> Self {
        Self { top: 10, names: None, any_build: false, asks_debuginfod: false, inlines: None }
    }

    /// Names of functions in a model, of which those on a terminal are made.
    pub(super) fn naming_of_model(&self) -> Naming {
        match self.naming(false) {
            Naming::Short => Naming::Plain,
            naming => naming,
        }
    }

    /// How functions are named. On a terminal there is no room for generic arguments.
    pub(super) fn naming(&self, is_narrow: bool) -> Naming {
        self.names.unwrap_or(if is_narrow { Naming::Short } else { Naming::Plain })
    }
}
