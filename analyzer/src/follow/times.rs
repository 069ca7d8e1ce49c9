//! Times of calls by function, since the last look and in all.

use std::collections::BTreeMap;

use gmon_format::live::Live;

use super::code::Code;
use crate::records::Times;

/// Times of the calls of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// Times of calls that ended since the last look.
    pub now: Times,
    /// Times of all calls.
    pub all: Times,
}

/// Times by the positions of functions: of all whose calls are timed, or were.
pub type TimedFunctions = BTreeMap<u32, Timed>;

impl Timed {
    /// Adds those of another function.
    pub fn absorb(&mut self, other: &Self) {
        self.now.absorb(&other.now);
        self.all.absorb(&other.all);
    }
}

/// Times of all threads as they are now, after those of the look before.
pub(super) fn look(live: &Live<'_>, code: &mut Code, last: &TimedFunctions) -> TimedFunctions {
    let mut timed = TimedFunctions::new();
    for timing in live.times() {
        let Timed { all, .. } = timed.entry(code.function(timing.function)).or_default();
        // Most have none: there is room for functions that nobody has named yet.
        if timing.timed != 0 || timing.without_end != 0 {
            all.absorb(&Times::of(&timing));
        }
    }
    for (function, Timed { now, all }) in &mut timed {
        *now = match last.get(function) {
            // A thread that ends is just handing over what it has.
            Some(last) if all.timed < last.all.timed => {
                all.clone_from(&last.all);
                Times::default()
            }
            Some(last) => all.since(&last.all),
            None => all.clone(),
        };
    }
    timed
}
