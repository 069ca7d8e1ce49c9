//! The parts of a profile, and what each does at every event of its life.
//!
//! [`PARTS`] is the life as a table: a row for each part, a column for each event. A row has no defaults, so a part
//! that forgets an event cannot be written: one with nothing to do says `None`. The rows stand in the order in
//! which the parts begin, and each says why it stands there.
//!
//! | verb | when | order |
//! |---|---|---|
//! | `begin` | a profile begins, the first or another one | forwards |
//! | `resume` | sampling begins or goes on, or rests at least | forwards |
//! | `pause` | sampling stops | backwards |
//! | `charge` | what was carried is counted: a pause begins, or a file is about to be written | backwards |
//! | `reset` | all counts become zero | backwards |
//! | `before_exec` | the file is written, and another program is about to take the place of this one | backwards |
//! | `stay` | it does not | forwards |
//! | `end` | the profile has ended | backwards |
//! | `forget` | this is a forked child: what the parent was doing is over | forwards |
//! | `begin_again` | its own profile begins, if its parent took one | forwards |
//!
//! The table is constant, and the compiler makes direct calls of the walks. Where one goes by a pointer after all, the
//! loader or the start files of a static program have put that right before anything of the runtime runs.
//!
//! *Context:* `begin` startup or hook; `forget` and `begin_again` hook or in the C library's `fork`; the rest anywhere.

use core::cell::Cell;
use core::ops::Range;

use crate::linux::ends::fatal;
use crate::linux::libcalls;
use crate::linux::options::Options;
use crate::linux::platform::Handler;
use crate::linux::program::Program;
use crate::linux::{
    dormant, exclusive, first_calls, ledger, live, log, message, output, process, sampler,
    snapshot, stacks, threads, turns,
};
use crate::{histogram, units};

/// A part of a profile.
struct Part {
    begin: Option<fn(&Begin)>,
    resume: Option<fn(Mode)>,
    pause: Option<fn()>,
    charge: Option<fn()>,
    reset: Option<fn()>,
    before_exec: Option<fn(Kept)>,
    stay: Option<fn()>,
    end: Option<fn(End)>,
    forget: Option<fn()>,
    begin_again: Option<fn()>,
}

/// A profile that begins.
pub(super) struct Begin {
    /// False for another one, after the first has ended.
    pub(super) is_first: bool,
    /// The code to sample, if it is known.
    pub(super) code: Option<Range<usize>>,
    /// Becomes false if the only copy of an earlier profile is still in memory.
    pub(super) is_saved: Cell<bool>,
    /// Ways from signals into the life.
    pub(super) entries: &'static Entries,
}

/// Functions that signals lead to.
pub(super) struct Entries {
    /// To be called at each tick of the sampler.
    pub(super) tick: fn(),
    /// Handler of the signal by which users ask for a file.
    pub(super) on_signal: Handler,
    /// To be called before a signal ends the process.
    pub(super) finish: fn(),
}

/// Purpose of the sampler's ticks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Samples.
    Counting,
    /// Ticks only: a paused profile may be asked to go on.
    Resting,
}

/// Place of the counts when another program is about to replace this one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// In a file, or there are none.
    Safely,
    /// In memory only.
    InMemory,
}

/// Way in which a profile has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Written,
    /// No file took it.
    Unwritten,
    /// Nobody is to hear of it.
    Abandoned,
}

/// All parts, in the order in which they begin.
static PARTS: [Part; 18] = [
    PROCESS,
    WRITER,
    TURNS,
    OUTPUT,
    LEDGER,
    MESSAGES,
    LIVE_FILE,
    THREADS,
    FIRST_CALLS,
    UNITS,
    HISTOGRAM,
    STACKS,
    LIBRARIES,
    DORMANT,
    SAMPLER,
    SNAPSHOTS,
    SIGNALS,
    LIVE_HEADER,
];

/// The mark that says whose profile this is. First, since the memory of all others lies behind it. A forked child has
/// taken it over before it forgets anything.
const PROCESS: Part = Part {
    begin: Some(|_| process::begin()),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

/// The turn of the one who writes. Before live files, which are begun in it.
const WRITER: Part = Part {
    begin: None,
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(exclusive::forget),
    begin_again: None,
};

/// The turns of those who switch the profile on and off.
const TURNS: Part = Part {
    begin: None,
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(turns::forget),
    begin_again: None,
};

/// The directory of the file. Before the first message, which may go to a file there.
const OUTPUT: Part = Part {
    begin: Some(|_| output::begin()),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: Some(output::withdraw),
    end: None,
    forget: None,
    begin_again: None,
};

/// The words to `gmon run`. A child says that it has begun before any file of its own is there.
const LEDGER: Part = Part {
    begin: Some(|_| ledger::begin()),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: Some(|_| ledger::exec()),
    stay: Some(ledger::stay),
    end: Some(|end| {
        if end == End::Abandoned {
            ledger::forget();
        }
    }),
    forget: None,
    begin_again: Some(ledger::begin_again),
};

/// Messages. Behind what a file of theirs needs, and before all that may have something to say.
const MESSAGES: Part = Part {
    begin: Some(|begin| {
        if begin.is_first {
            log::begin();
            Options::get().say_wrong();
        }
    }),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

/// The live file. Before everything that is counted, which lies in it: a child leaves it before it makes memory of its own.
/// When all are zero it says so, and before a program is replaced it goes.
const LIVE_FILE: Part = Part {
    begin: Some(|begin| begin.is_saved.set(Program::get().is_none() || live::begin())),
    resume: None,
    pause: None,
    charge: None,
    reset: Some(live::note_reset),
    before_exec: Some(|kept| {
        if kept == Kept::Safely {
            live::end();
        }
    }),
    stay: Some(live::go_on),
    end: Some(|end| {
        if end != End::Unwritten {
            live::end();
        }
    }),
    forget: Some(live::leave),
    begin_again: Some(|| _ = live::begin()),
};

/// The tables of arcs. They have no beginning: calls are counted before a profile starts, and stay.
const THREADS: Part = Part {
    begin: None,
    resume: None,
    pause: None,
    charge: None,
    reset: Some(threads::reset),
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(threads::forget),
    begin_again: None,
};

/// The order of first calls. A call that a table knows is no first one, also after a reset: the list stays with the
/// tables, and goes with them.
const FIRST_CALLS: Part = Part {
    begin: None,
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(first_calls::forget),
    begin_again: None,
};

/// Counts of blocks that the program keeps itself, and that its child inherits.
const UNITS: Part = Part {
    begin: None,
    resume: None,
    pause: None,
    charge: None,
    reset: Some(units::reset),
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(units::reset),
    begin_again: None,
};

/// The histogram.
const HISTOGRAM: Part = Part {
    begin: Some(|begin| match begin.code.clone() {
        Some(code) => histogram::cover(code),
        None => {
            message::say(&[b"cannot find the program's code: no samples are taken"]);
        }
    }),
    resume: None,
    pause: None,
    charge: None,
    reset: Some(histogram::reset),
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(histogram::forget),
    begin_again: Some(histogram::cover_again),
};

/// The stacks of samples. Behind the live file, which lists modules from the start; before the sampler, which fills them.
const STACKS: Part = Part {
    begin: Some(|_| {
        stacks::begin();
        stacks::tell_modules();
    }),
    resume: Some(|_| stacks::resume()),
    pause: None,
    charge: Some(stacks::charge),
    reset: Some(stacks::reset),
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(stacks::forget),
    begin_again: Some(stacks::tell_modules),
};

/// Calls into libraries. Behind the stacks, which walk through its stubs.
const LIBRARIES: Part = Part {
    begin: Some(|_| libcalls::begin()),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(libcalls::forget),
    begin_again: None,
};

/// Hooks that sleep. A child's code is its parent's: what is awake there is awake here.
const DORMANT: Part = Part {
    begin: Some(|begin| {
        if begin.is_first {
            dormant::begin();
        }
    }),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

/// The sampler. It starts when all are there who take samples, and hands in what it has before others charge it.
const SAMPLER: Part = Part {
    begin: Some(|_| sampler::reset()),
    resume: Some(|mode| match mode {
        Mode::Counting => sampler::start(),
        Mode::Resting if live::is_there() => sampler::listen(),
        Mode::Resting => {}
    }),
    pause: Some(sampler::stop),
    charge: Some(sampler::collect),
    reset: Some(sampler::reset),
    before_exec: None,
    stay: None,
    end: None,
    forget: Some(sampler::fork_child),
    begin_again: None,
};

/// Files meanwhile: the clock of the parent's goes on in a child.
const SNAPSHOTS: Part = Part {
    begin: Some(|begin| {
        sampler::on_tick(&begin.entries.tick);
        snapshot::begin(begin.entries.on_signal);
    }),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

/// Deadly signals. Behind the signal of `snapshot`, which may be one of them.
const SIGNALS: Part = Part {
    begin: Some(|begin| fatal::begin(&begin.entries.finish)),
    resume: None,
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

/// The head of the live file. Last: it tells which sampler runs.
const LIVE_HEADER: Part = Part {
    begin: None,
    resume: Some(|_| live::describe()),
    pause: None,
    charge: None,
    reset: None,
    before_exec: None,
    stay: None,
    end: None,
    forget: None,
    begin_again: None,
};

#[inline(never)]
pub(super) fn begin(begin: &Begin) {
    forwards().filter_map(|part| part.begin).for_each(|act| act(begin));
}

pub(super) fn resume(mode: Mode) {
    forwards().filter_map(|part| part.resume).for_each(|act| act(mode));
}

#[inline(never)]
pub(super) fn pause() {
    run(backwards().filter_map(|part| part.pause));
}

#[inline(never)]
pub(super) fn charge() {
    run(backwards().filter_map(|part| part.charge));
}

pub(super) fn reset() {
    run(backwards().filter_map(|part| part.reset));
}

pub(super) fn before_exec(kept: Kept) {
    backwards().filter_map(|part| part.before_exec).for_each(|act| act(kept));
}

pub(super) fn stay() {
    run(forwards().filter_map(|part| part.stay));
}

pub(super) fn end(end: End) {
    backwards().filter_map(|part| part.end).for_each(|act| act(end));
}

pub(super) fn forget() {
    run(forwards().filter_map(|part| part.forget));
}

pub(super) fn begin_again() {
    run(forwards().filter_map(|part| part.begin_again));
}

fn forwards() -> impl Iterator<Item = &'static Part> {
    PARTS.iter()
}

fn backwards() -> impl Iterator<Item = &'static Part> {
    PARTS.iter().rev()
}

fn run(acts: impl Iterator<Item = fn()>) {
    acts.for_each(|act| act());
}
