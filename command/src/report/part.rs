//! Part of a profile that is shown.

use clap::{Arg, ArgGroup, ArgMatches};

use crate::command_line::{flag, option};
use crate::text::percent;

/// A part of a profile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// The functions that took the most time.
    Functions,
    /// Callers and callees of the functions that have this name.
    Calls(String),
    /// The call stacks as a tree, without what has less than `cut` percent of the time.
    Tree { cut: f64 },
    /// The hottest code and its callers, without ways that have less than `cut` percent of the time.
    BottomUp { cut: f64 },
    /// Times of the calls of functions, apart by a dimension if that is asked for.
    Times { by: Option<Dimension> },
    /// Time by thread.
    Threads,
    /// Time by module.
    Modules,
    /// The functions of each thread or module.
    By(Dimension),
}

/// Dimension that functions are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    /// Threads, of which those with the same name are one group.
    Thread,
    /// The program and its libraries.
    Module,
    /// Its libraries.
    Library,
    /// The processes of a parallel program.
    Rank,
    /// Callers of functions whose calls were timed.
    Caller,
}

impl Dimension {
    const ALL: [Self; 5] = [Self::Thread, Self::Module, Self::Library, Self::Rank, Self::Caller];

    /// Its word on the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Module => "module",
            Self::Library => "library",
            Self::Rank => "rank",
            Self::Caller => "caller",
        }
    }
}

impl Part {
    /// The options that choose it, of which one can be given.
    pub(crate) fn group() -> ArgGroup {
        ArgGroup::new("part").args(["calls", "tree", "bottom-up", "times", "threads", "modules"])
    }

    /// Views that have branches, which can be cut.
    pub(crate) fn branches() -> ArgGroup {
        ArgGroup::new("branches").args(["tree", "bottom-up"])
    }

    /// The options.
    pub(crate) fn arguments() -> [Arg; 8] {
        [
            option(
                "calls",
                "FUNCTION",
                "Show the callers and callees of FUNCTION, with the time for each of them",
            )
            .allow_hyphen_values(true),
            flag("tree", "Show the call stacks as a tree, from the start of the program"),
            flag("bottom-up", "Show the hottest code, who called it, and who called these"),
            option(
                "cut",
                "PERCENT",
                "Leave out branches that take less than this share of the time [default: 1]",
            )
            .requires("branches")
            .value_parser(percent),
            flag("times", "Show how long calls took, of functions whose calls were timed"),
            flag("threads", "Show the time of each thread"),
            flag("modules", "Show the time of each module: the program and its libraries"),
            option(
                "by",
                "WHAT",
                "Show the functions of each thread, module or library, or the ranks of an MPI program; with --times: thread or caller",
            )
            .conflicts_with_all(["calls", "tree", "bottom-up", "threads", "modules"])
            .value_parser(Dimension::ALL.map(Dimension::word)),
        ]
    }

    /// Choice in these options.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let word = arguments.get_one::<String>("by");
        let is_asked_for = |dimension: &Dimension| word.is_some_and(|it| it == dimension.word());
        let dimension = Dimension::ALL.into_iter().find(is_asked_for);
        let cut = arguments.get_one("cut").copied().unwrap_or(1.0);
        if let Some(function) = arguments.get_one::<String>("calls") {
            Self::Calls(function.clone())
        } else if arguments.get_flag("tree") {
            Self::Tree { cut }
        } else if arguments.get_flag("bottom-up") {
            Self::BottomUp { cut }
        } else if arguments.get_flag("times") {
            Self::Times { by: dimension }
        } else if arguments.get_flag("threads") {
            Self::Threads
        } else if arguments.get_flag("modules") {
            Self::Modules
        } else {
            dimension.map_or(Self::Functions, Self::By)
        }
    }

    /// The option.
    pub(crate) fn option(&self) -> &'static str {
        match self {
            Self::Functions => "the report",
            Self::Calls(_) => "--calls",
            Self::Tree { .. } => "--tree",
            Self::BottomUp { .. } => "--bottom-up",
            Self::Times { .. } => "--times",
            Self::Threads => "--threads",
            Self::Modules => "--modules",
            Self::By(_) => "--by",
        }
    }
}
