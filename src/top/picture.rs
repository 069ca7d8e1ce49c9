//! What all processes have counted, as of one look: the value that the reader hands to the screen.

use std::path::PathBuf;
use std::sync::Arc as Shared;
use std::time::Duration;

use gmon_analyzer::follow::{Call, Change, Function};

/// All processes at one look.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) processes: Vec<Process>,
    /// How many looks there were, this one included.
    pub(super) number: u64,
}

/// A process.
#[derive(Clone, Debug)]
pub(super) struct Process {
    /// Its number; `None` if it had ended before we came.
    pub(super) id: Option<u32>,
    pub(super) name: String,
    pub(super) state: State,
    /// Ticks in a second.
    pub(super) rate: u32,
    /// The time since the look before.
    pub(super) elapsed: Duration,
    /// Whether total times are known.
    pub(super) has_stacks: bool,
    /// Shared by pictures until there are more.
    pub(super) functions: Shared<[Function]>,
    /// What was counted of each function.
    pub(super) changes: Vec<Change>,
    /// Between functions, by their positions.
    pub(super) calls: Vec<Call>,
    pub(super) threads: Vec<Thread>,
    pub(super) all: Change,
    pub(super) live: PathBuf,
    pub(super) executable: PathBuf,
}

/// Whether a process counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    On,
    Off,
    Ended,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thread {
    pub(super) name: Shared<str>,
    pub(super) change: Change,
}

impl State {
    /// Its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Ended => "ended",
        }
    }
}

impl Process {
    /// The program and its process.
    pub(super) fn title(&self) -> String {
        let name = self.name.escape_default();
        self.id.map_or_else(|| format!("{name}"), |id| format!("{name} ({id})"))
    }
}
