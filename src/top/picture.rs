//! What all processes have counted, as of one look: the value that the reader hands to the screen.

use std::path::PathBuf;
use std::sync::Arc as Shared;
use std::time::Duration;

use gmon_analyzer::follow::{Call, Change, Changes, Function, Sums, Tally};

use crate::dormant::Hooks;

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
    pub(super) changes: Changes,
    /// Between functions, by their positions, which may occur several times.
    pub(super) calls: Calls,
    /// Ticks in functions on behalf of those that called them.
    pub(super) times: Calls,
    /// Ticks in which threads waited there.
    pub(super) waits: Calls,
    pub(super) threads: Vec<Thread>,
    /// Hooks that sleep unless somebody wakes them, if it has such.
    pub(super) hooks: Option<AwakeHooks>,
    pub(super) all: Change,
    pub(super) live: PathBuf,
    pub(super) executable: PathBuf,
}

/// The hooks of a program that was built with `--dormant`.
#[derive(Clone, Debug)]
pub(super) struct AwakeHooks {
    pub(super) all: Shared<Hooks>,
    /// How many are awake.
    pub(super) count: u64,
    /// The functions whose hooks these are, by their positions; none where the system does not let us see which.
    pub(super) functions: Shared<[u32]>,
}

/// What a number of a list is.
type Amount = fn(u64) -> Sums;

/// What was counted of functions that call each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// Shared by pictures until there are others. Behind those that are counted there may be more.
    pub(super) ends: Shared<Vec<Call>>,
    pub(super) counts: Tally,
}

impl Calls {
    /// Takes what was counted now, into the memory that there is.
    pub(super) fn update(&mut self, (ends, counts): (&Shared<Vec<Call>>, &Tally)) {
        self.ends.clone_from(ends);
        self.counts.clone_from(counts);
    }

    /// Calls or ticks between two functions: their position, since the look before, and in all.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Call, u64, u64)> {
        let Tally { now, all } = &self.counts;
        let calls = self.ends.iter().zip(now).zip(all).enumerate();
        let calls = calls.map(|(place, ((ends, now), all))| (place, *ends, *now, *all));
        calls.filter(|(_, ends, _, _)| ends.is_known())
    }
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

    /// All that was counted between functions, list by list, with what the numbers of a list are.
    pub(super) fn between_functions(&self) -> [(&Calls, Amount); 3] {
        [
            (&self.calls, |calls| Sums { calls, ..Sums::default() }),
            (&self.times, |total| Sums { total, ..Sums::default() }),
            (&self.waits, |waiting| Sums { waiting, ..Sums::default() }),
        ]
    }
}
