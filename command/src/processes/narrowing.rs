//! `--child` and `--no-children`: of which processes the profile is wanted.

use clap::{Arg, ArgAction, ArgMatches};

use super::process::Process;
use crate::command_line::{flag, option};
use crate::text::harmless;

/// The processes that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Narrowing {
    /// All.
    #[default]
    Everything,
    /// The one that was started itself.
    First,
    /// Processes of these numbers, and those of programs of these names or paths.
    Some(Vec<String>),
}

impl Narrowing {
    /// The options.
    pub(crate) fn arguments() -> [Arg; 2] {
        [
            option(
                "child",
                "PID|NAME",
                "Look only at this process, or at the processes of this program; repeatable",
            )
            .action(ArgAction::Append)
            .conflicts_with("no-children"),
            flag(
                "no-children",
                "Look only at the program itself, not at the processes that it starts",
            ),
        ]
    }

    /// The choice that they make.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let wanted = arguments.get_many::<String>("child").into_iter().flatten();
        let wanted: Vec<_> = wanted.cloned().collect();
        match (arguments.get_flag("no-children"), wanted.is_empty()) {
            (true, _) => Self::First,
            (false, true) => Self::Everything,
            (false, false) => Self::Some(wanted),
        }
    }

    /// The options that were given; `None` if all processes are wanted.
    pub(crate) fn option(&self) -> Option<String> {
        match self {
            Self::Everything => None,
            Self::First => Some("--no-children".to_owned()),
            Self::Some(words) => Some(format!("--child {}", words.join(", "))),
        }
    }

    /// Returns `true` if a process is wanted; `first` is the number of the one that was started
    /// itself.
    pub(crate) fn wants(&self, process: &Process, first: u32) -> bool {
        let is_called = |word: &String| {
            let (id, path) = (process.id.to_string(), process.program.to_string_lossy());
            *word == id || *word == path || process.names().contains(word)
        };
        match self {
            Self::Everything => true,
            Self::First => process.id == first,
            Self::Some(words) => words.iter().any(is_called),
        }
    }

    /// Takes those that are not wanted out of the processes, and returns what to say if none is left.
    pub(crate) fn narrow(&self, processes: &mut Vec<Process>, first: u32) -> String {
        /// The most names in the message.
        const MOST: usize = 8;
        let mut names: Vec<String> = Vec::new();
        for name in processes.iter().flat_map(Process::names) {
            if names.len() <= MOST && !names.contains(&name) {
                names.push(name);
            }
        }
        processes.retain(|process| self.wants(process, first));
        if names.is_empty() {
            return String::new();
        }
        if names.len() > MOST {
            names.truncate(MOST);
            names.push("...".to_owned());
        }
        format!("; processes of the run are called {}", harmless(&names.join(", ")))
    }
}
