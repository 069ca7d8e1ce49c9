//! The parts of a profile, and what each does at every event of its life.
//!
//! [`PARTS`] is the life as a table: a row for each part, a column for each event. A row has no defaults, so a part
//! that forgets an event cannot be written: it names those at which it has nothing to do. The rows stand in the order
//! in which the parts begin, and each says why it stands there.
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

use gmon_stacks::Wanted;
use gmon_system::message;
use gmon_system::platform::Handler;
use gmon_system::program::Program;

use crate::linux::ends::fatal;
use crate::linux::libcalls;
use crate::linux::options::Options;
use crate::linux::{
    dormant, exclusive, first_calls, ledger, live, log, output, process, sampler, snapshot,
    threads, times, turns,
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

/// Makes the table of its rows. Each names all events: those at which the part acts, and those at which there is nothing to
/// do.
macro_rules! parts {
    ($($(#[$reason:meta])+ $name:ident {
        $($event:ident: $act:expr,)+
        (nothing at $($idle:ident)+)
    })+) => {
        const COUNT: usize = [$(stringify!($name)),+].len();

        /// All parts, in the order in which they begin.
        static PARTS: [Part; COUNT] =
            [$(Part { $($event: Some($act),)+ $($idle: None,)+ }),+];
    };
}

parts! {
    /// The mark that says whose profile this is. First, since the memory of all others lies behind it. A forked child has
    /// taken it over before it forgets anything.
    PROCESS {
        begin: |_| process::begin(),
        (nothing at resume pause charge reset before_exec stay end forget begin_again)
    }

    /// The turn of the one who writes. Before live files, which are begun in it.
    WRITER {
        forget: exclusive::forget,
        (nothing at begin resume pause charge reset before_exec stay end begin_again)
    }

    /// The turns of those who switch the profile on and off.
    TURNS {
        forget: turns::forget,
        (nothing at begin resume pause charge reset before_exec stay end begin_again)
    }

    /// The directory of the file. Before the first message, which may go to a file there.
    OUTPUT {
        begin: |_| output::begin(),
        stay: output::withdraw,
        (nothing at resume pause charge reset before_exec end forget begin_again)
    }

    /// The words to `gmon run`. A child says that it has begun before any file of its own is there.
    LEDGER {
        begin: |_| ledger::begin(),
        before_exec: |_| ledger::exec(),
        stay: ledger::stay,
        end: |end| {
            if end == End::Abandoned {
                ledger::forget();
            }
        },
        begin_again: ledger::begin_again,
        (nothing at resume pause charge reset forget)
    }

    /// Messages. Behind what a file of theirs needs, and before all that may have something to say.
    MESSAGES {
        begin: |begin| {
            if begin.is_first {
                log::begin();
                Options::get().say_wrong();
            }
        },
        (nothing at resume pause charge reset before_exec stay end forget begin_again)
    }

    /// The live file. Before everything that is counted, which lies in it: a child leaves it before it makes memory of its own.
    /// When all are zero it says so, and before a program is replaced it goes.
    LIVE_FILE {
        begin: |begin| begin.is_saved.set(Program::get().is_none() || live::begin()),
        reset: live::note_reset,
        before_exec: |kept| {
            if kept == Kept::Safely {
                live::end();
            }
        },
        stay: live::go_on,
        end: |end| {
            if end != End::Unwritten {
                live::end();
            }
        },
        forget: live::leave,
        begin_again: || _ = live::begin(),
        (nothing at resume pause charge)
    }

    /// The tables of arcs. They have no beginning: calls are counted before a profile starts, and stay.
    THREADS {
        reset: threads::reset,
        forget: threads::forget,
        (nothing at begin resume pause charge before_exec stay end begin_again)
    }

    /// The order of first calls. A call that a table knows is no first one, also after a reset: the list stays with the
    /// tables, and goes with them.
    FIRST_CALLS {
        forget: first_calls::forget,
        (nothing at begin resume pause charge reset before_exec stay end begin_again)
    }

    /// Counts of blocks that the program keeps itself, and that its child inherits.
    UNITS {
        reset: units::reset,
        forget: units::reset,
        (nothing at begin resume pause charge before_exec stay end begin_again)
    }

    /// The histogram.
    HISTOGRAM {
        begin: |begin| match begin.code.clone() {
            Some(code) => histogram::cover(code),
            None => {
                message::say(&[b"cannot find the program's code: no samples are taken"]);
            }
        },
        reset: histogram::reset,
        forget: histogram::forget,
        begin_again: histogram::cover_again,
        (nothing at resume pause charge before_exec stay end)
    }

    /// The functions of Python. Before the stacks, which meet the interpreter when they look for modules.
    PYTHON {
        begin: |_| gmon_stacks::begin_python(Options::get().python),
        reset: gmon_stacks::reset_python,
        forget: gmon_stacks::forget_python,
        (nothing at resume pause charge before_exec stay end begin_again)
    }

    /// The stacks of samples. Behind the live file, which lists modules from the start; before the sampler, which fills them.
    STACKS {
        begin: |_| {
            let Options { stacks, record, hz, .. } = Options::get();
            gmon_stacks::begin(&Wanted {
                megabytes: *stacks,
                seconds: record.seconds,
                timed_megabytes: record.megabytes,
                rate: *hz,
            });
            gmon_stacks::tell_modules();
        },
        resume: |_| gmon_stacks::resume(),
        charge: gmon_stacks::charge,
        reset: gmon_stacks::reset,
        forget: gmon_stacks::forget,
        begin_again: gmon_stacks::tell_modules,
        (nothing at pause before_exec stay end)
    }

    /// Calls into libraries. Behind the stacks, which walk through its stubs.
    LIBRARIES {
        begin: |_| libcalls::begin(),
        forget: libcalls::forget,
        (nothing at resume pause charge reset before_exec stay end begin_again)
    }

    /// Hooks that sleep. A child's code is its parent's: what is awake there is awake here.
    DORMANT {
        begin: |begin| {
            if begin.is_first {
                dormant::begin();
            }
        },
        (nothing at resume pause charge reset before_exec stay end forget begin_again)
    }

    /// Times of calls. Behind the hooks that sleep, which it wakes too, and the live file, in which its numbers lie. A child's
    /// exits are as its parent's. While nothing is counted nobody sees calls end.
    TIMES {
        begin: |begin| {
            if begin.is_first {
                times::begin();
            }
        },
        pause: times::forget_calls,
        reset: times::reset,
        forget: times::forget,
        (nothing at resume charge before_exec stay end begin_again)
    }

    /// The sampler. It starts when all are there who take samples, and hands in what it has before others charge or reset it.
    SAMPLER {
        begin: |_| sampler::reset(),
        resume: |mode| match mode {
            Mode::Counting => sampler::start(),
            Mode::Resting if live::is_there() => sampler::listen(),
            Mode::Resting => {}
        },
        pause: sampler::stop,
        charge: sampler::collect,
        reset: || {
            sampler::collect();
            sampler::reset();
        },
        forget: sampler::fork_child,
        (nothing at before_exec stay end begin_again)
    }

    /// Files meanwhile: the clock of the parent's goes on in a child.
    SNAPSHOTS {
        begin: |begin| {
            sampler::on_tick(&begin.entries.tick);
            snapshot::begin(begin.entries.on_signal);
        },
        (nothing at resume pause charge reset before_exec stay end forget begin_again)
    }

    /// Deadly signals. Behind the signal of `snapshot`, which may be one of them.
    SIGNALS {
        begin: |begin| fatal::begin(&begin.entries.finish),
        (nothing at resume pause charge reset before_exec stay end forget begin_again)
    }

    /// The head of the live file. Last: it tells which sampler runs.
    LIVE_HEADER {
        resume: |_| live::describe(),
        (nothing at begin pause charge reset before_exec stay end forget begin_again)
    }
}

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
