//! Counts of all processes, as of one look: the value that the reader hands to the screen.

use std::path::PathBuf;
use std::sync::Arc as Shared;
use std::time::Duration;

use gmon_analyzer::follow::{Call, Change, Counted, Function, Sums, Tally, TimedFunctions};

use super::strip::Past;
use crate::dormant::Hooks;

/// All processes at one look.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) processes: Vec<Process>,
    /// Number of looks, this one included.
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
    /// True if total times are known.
    pub(super) has_stacks: bool,
    /// Shared by pictures until there are more.
    pub(super) functions: Shared<[Function]>,
    /// Calls between functions, by the positions of these. Two may occur several times.
    pub(super) calls: Shared<Vec<Call>>,
    /// Counts of functions, and, as far as there is anything, of calls.
    pub(super) counted: Shared<Counted>,
    pub(super) threads: Vec<Thread>,
    /// Times of calls, by the positions of functions.
    pub(super) times: Shared<TimedFunctions>,
    /// Hooks that sleep unless somebody wakes them, if it has such.
    pub(super) hooks: Option<AwakeHooks>,
    pub(super) all: Change,
    /// Its use of processors of late.
    pub(super) past: Past,
    pub(super) live: PathBuf,
    pub(super) executable: PathBuf,
}

/// The hooks of a program that was built with `--dormant`.
#[derive(Clone, Debug)]
pub(super) struct AwakeHooks {
    pub(super) all: Shared<Hooks>,
    /// Number of hooks that are awake.
    pub(super) count: u64,
    /// The functions whose hooks these are, by their positions; none where the system does not let us see which.
    pub(super) functions: Shared<[u32]>,
}

/// A kind of counts of functions that call each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls<'p> {
    ends: &'p [Call],
    counts: &'p Tally,
    /// Meaning of a number.
    kind: fn(u64) -> Sums,
}

impl Calls<'_> {
    /// Counts of calls that are wanted; since an earlier picture, if there is one.
    pub(super) fn since(
        self,
        earlier: Option<Self>,
        is_wanted: impl Fn(Call) -> bool,
    ) -> impl Iterator<Item = (Call, Change)> {
        let calls = self.ends.iter().zip(self.counts.now()).zip(self.counts.all()).enumerate();
        let calls = calls.filter(move |(_, ((ends, _), all))| **all != 0 && is_wanted(**ends));
        calls.map(move |(place, ((ends, now), all))| {
            let before = earlier.and_then(|earlier| earlier.counts.all().get(place));
            let before = (self.kind)(before.copied().unwrap_or_default());
            (*ends, Change { now: (self.kind)(*now), all: (self.kind)(*all).since(before) })
        })
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

    /// All that was counted between functions, kind by kind.
    pub(super) fn between_functions(&self) -> [Calls<'_>; 3] {
        let ends = &self.calls;
        let Counted { calls: counts, pairs, times, waits, .. } = &*self.counted;
        [
            Calls { ends, counts, kind: |calls| Sums { calls, ..Sums::default() } },
            Calls { ends: pairs, counts: times, kind: |total| Sums { total, ..Sums::default() } },
            Calls {
                ends: pairs,
                counts: waits,
                kind: |waiting| Sums { waiting, ..Sums::default() },
            },
        ]
    }
}
