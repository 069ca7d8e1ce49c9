//! The frames of Python that each run of the evaluator executed when a sample was taken.
//!
//! Since 3.11 each run has a seat in the frame of its C function, as far from its end as any other: so the copy of the stack has
//! the seats of all runs. Up to 3.12 a seat names the frame that the run executes, later the one that called it, so that there
//! the innermost one is looked for. Before 3.11 each run executes one frame, and the frames of an interpreter are counted from the
//! first on.
//!
//! A frame is believed if an address in the copy, or in the registers, lies among the instructions of its code. Frames of callers
//! are believed as long as they lead to the seat.

use std::collections::BTreeMap;
use std::ops::Range;
use std::slice;

use gmon_python::{Chain, Frame, Layout};

use super::memory::Memory;
use super::scripts::{Script, Scripts};

/// A run of the evaluator, as the stack of C has it.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Addresses of its C function's frame.
    pub(super) frame: Range<u64>,
    /// Place from which on functions that it called may keep its registers.
    pub(super) inner: u64,
    /// True if it called no other run: registers may have its values still.
    pub(super) is_inmost: bool,
}

/// Frames with their addresses, the innermost first.
pub(super) type Executed = Vec<(u64, Frame)>;

/// Knowledge that is kept of an interpreter.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    /// From the seat of a run to the end of its frame, in bytes.
    distance: Option<u64>,
    /// The states of threads, by their numbers.
    states: BTreeMap<u64, u64>,
    /// Samples in a row of which nothing was found.
    misses: u32,
}

/// Looks for the frames of one sample.
pub(super) struct Reader<'r, 's> {
    pub(super) layout: &'r Layout,
    pub(super) memory: &'r mut Memory<'s>,
    pub(super) scripts: &'r mut Scripts,
    pub(super) knowledge: &'r mut Knowledge,
    pub(super) registers: &'r [u64],
    pub(super) thread: u64,
    /// When it was taken, in nanoseconds since the profile began.
    pub(super) time: u64,
    /// True if the frames of the innermost run are those of a moment later.
    pub(super) is_late: bool,
}

/// Groups of a thread that are looked at, and frames.
const MOST_GROUPS: usize = 1024;
const MOST_FRAMES: usize = 1 << 14;

/// Words of the stack that may name a frame and are tried.
const MOST_TRIES: usize = 64;

/// Bytes around a frame in which others of the same stack lie.
const NEAR: u64 = 1 << 16;

/// Samples in a row of which nothing was found, until all that was learned is forgotten.
const PATIENCE: u32 = 64;

impl Reader<'_, '_> {
    /// The frames of each run, from the innermost on; none of those of which nothing can be said for sure.
    pub(super) fn frames(&mut self, runs: &[Run], is_complete: bool) -> Vec<Option<Executed>> {
        let found = match self.layout.has_places() {
            true => self.seated(runs),
            false if is_complete => self.counted(runs),
            false => Vec::new(),
        };
        if found.iter().any(Option::is_some) {
            self.knowledge.misses = 0;
        } else {
            self.knowledge.misses = self.knowledge.misses.saturating_add(1);
            if self.knowledge.misses % PATIENCE == 0 {
                self.knowledge.distance = None;
                self.knowledge.states.clear();
            }
        }
        found
    }

    /// Frames by the seats of their runs. They count if the thread executes them still when all of them were read.
    fn seated(&mut self, runs: &[Run]) -> Vec<Option<Executed>> {
        let before = self.present(runs);
        let Some(distance) = self.knowledge.distance else { return Vec::new() };
        let mut inner = None;
        let find = |(run, now): (&Run, &Option<Executed>)| {
            let seat = run.frame.end.checked_sub(distance)?;
            let own = self.layout.seated(self.memory, seat);
            match inner.replace(seat) {
                None if own.is_none() => self.sought(run, now.as_ref()?),
                None => self.executed(own?, run),
                Some(inner) => {
                    let chain = own.or_else(|| self.layout.before(self.memory, inner))?;
                    // Before the first run in an interpreter there was none in it.
                    let is_first = chain.first() == 0;
                    let now = if is_first { Chain::of(now.as_ref()?.first()?.0) } else { chain };
                    self.executed(now, run)
                }
            }
        };
        let mut found: Vec<_> = runs.iter().zip(&before).map(find).collect();
        self.memory.read_again();
        let now = self.present(runs);
        for (found, now) in found.iter_mut().zip(&now) {
            found.take_if(|executed| !leads(executed, now.as_ref()));
        }
        if let (Some(first @ None), [run, ..]) = (found.first_mut(), runs) {
            *first = now.into_iter().next().flatten().and_then(|now| self.later(run, now, runs));
        }
        found
    }

    /// The frames of the innermost run, the first of which registers name.
    fn sought(&mut self, run: &Run, now: &Executed) -> Option<Executed> {
        let (head, _) = *now.first()?;
        let words = self.words(run);
        let is_near = |word: &u64| word % 8 == 0 && *word != head && word.abs_diff(head) < NEAR;
        let near: Vec<u64> = words.filter(is_near).take(MOST_TRIES).collect();
        let mut heads = [head].into_iter().chain(near);
        heads.find_map(|head| self.executed(Chain::of(head), run).filter(|it| leads(it, Some(now))))
    }

    /// The frames that the innermost run executes a moment later, where it has gone on to others. They count where it was the
    /// interpreter's loop itself that was interrupted, which goes on as soon in any function. Else C code that it called would
    /// stand under another function. All that led to the run must be as it was.
    fn later(&mut self, run: &Run, now: Executed, runs: &[Run]) -> Option<Executed> {
        /// Bytes of a return address.
        const RETURN: u64 = 8;
        (run.inner == run.frame.start).then_some(())?;
        let end = runs.get(1).map_or(run.frame.end + RETURN, |outer| outer.frame.start);
        self.memory.read_again();
        let again = self.present(runs).into_iter().next().flatten();
        let stays =
            resembles(&now, again.as_ref()) && self.memory.stays(run.frame.end - RETURN, end);
        self.is_late = stays;
        stays.then_some(now)
    }

    /// The frames that the thread executes now in each run that it is still in.
    fn present(&mut self, runs: &[Run]) -> Vec<Option<Executed>> {
        let known = self.knowledge.states.get(&self.thread).copied();
        let known = known.map(|state| self.of_state(state, runs));
        let is_known = |now: &Vec<Option<Executed>>| now.iter().any(Option::is_some);
        let mut now = known.filter(is_known).unwrap_or_else(|| {
            let found = self.search(runs).map(|state| self.of_state(state, runs));
            found.unwrap_or_else(|| vec![None; runs.len()])
        });
        // The thread has a state in each interpreter that it is in.
        if now.iter().any(Option::is_none) && self.layout.has_several(self.memory) {
            for state in self.states() {
                let other = self.of_state(state, runs);
                now.iter_mut().zip(other).for_each(|(now, other)| *now = now.take().or(other));
            }
        }
        now
    }

    /// The states of all threads in all interpreters.
    fn states(&mut self) -> Vec<u64> {
        let mut states = Vec::new();
        self.layout.each_thread(self.memory, |_, state| {
            states.push(state);
            None::<()>
        });
        states
    }

    fn of_state(&mut self, state: u64, runs: &[Run]) -> Vec<Option<Executed>> {
        let mut now = vec![None; runs.len()];
        // The runs that are there now, of which the innermost ones may be new.
        self.memory.is_present = true;
        let mut chain = self.layout.chain(self.memory, state);
        for _ in 0..MOST_GROUPS {
            let group = chain.and_then(|chain| self.layout.group(self.memory, chain));
            let found = group.and_then(|group| {
                let is_it = |run: &Run| group.place.is_some_and(|it| run.frame.contains(&it));
                let place = runs.iter().position(is_it)?;
                Some((place, self.group(chain?, runs.get(place)?)?))
            });
            let Some(group) = group else { break };
            if let Some((place, executed)) = found {
                now[place] = Some(executed);
            }
            chain = Some(group.next);
        }
        self.memory.is_present = false;
        now
    }

    /// Looks for the state of the thread, and learns where its runs have their seats.
    fn search(&mut self, runs: &[Run]) -> Option<u64> {
        if !(self.knowledge.misses + 1).is_power_of_two() {
            return None;
        }
        let layout = self.layout;
        let visit = |memory: &mut Memory<'_>, state: u64| {
            let mut chain = layout.chain(memory, state)?;
            for _ in 0..MOST_GROUPS {
                let group = layout.group(memory, chain)?;
                let place = group.place?;
                if let Some(run) = runs.iter().find(|run| run.frame.contains(&place)) {
                    let seat = layout.seat(chain, &group)?;
                    let is_own = run.frame.contains(&seat);
                    return is_own.then_some((state, run.frame.end - seat));
                }
                chain = group.next;
            }
            None
        };
        let (state, distance) = layout.each_thread(self.memory, visit)?;
        self.knowledge.states.insert(self.thread, state);
        self.knowledge.distance.get_or_insert(distance);
        Some(state)
    }

    /// The frames of a group that ends in a run.
    fn group(&mut self, chain: Chain, run: &Run) -> Option<Executed> {
        let group = self.layout.group(self.memory, chain)?;
        (run.frame.contains(&group.place?) && group.frames <= MOST_FRAMES).then_some(())?;
        let mut at = group.first;
        let mut executed = Vec::with_capacity(group.frames);
        for _ in 0..group.frames {
            let (frame, next) = self.layout.frame(self.memory, at)?;
            executed.push((at, frame));
            at = next;
        }
        Some(executed)
    }

    /// The frames of a group that ends in a run, if the innermost is the one that the run executed.
    fn executed(&mut self, chain: Chain, run: &Run) -> Option<Executed> {
        let (frame, _) = self.layout.frame(self.memory, chain.first())?;
        self.has_executed(&frame, run).then_some(())?;
        self.group(chain, run)
    }

    /// True if a run executed this frame, as far as its registers tell: one of them leads to the next instruction. One that has
    /// called another run stays there.
    fn has_executed(&mut self, frame: &Frame, run: &Run) -> bool {
        /// Bytes of an instruction, with what it keeps behind itself.
        const LONGEST: u64 = 32;
        let script = self.scripts.at(self.memory, self.layout, frame.code, self.time);
        let Some(Script { instructions, .. }) = script else { return false };
        let at = instructions.start.saturating_add(frame.offset.into());
        let next = match run.is_inmost {
            true => instructions.start..=instructions.end,
            false => at..=at.saturating_add(LONGEST),
        };
        // Far out there is no copy.
        !self.memory.has(run.frame.end) || self.words(run).any(|word| next.contains(&word))
    }

    /// Words that may be registers of a run.
    fn words(&self, run: &Run) -> impl Iterator<Item = u64> {
        let registers = if run.is_inmost { self.registers } else { &[] };
        registers.iter().copied().chain(self.memory.copied(run.inner, run.frame.end))
    }

    /// Frames by their number: each run executes the next one, from the first on, of an interpreter that the thread is in.
    fn counted(&mut self, runs: &[Run]) -> Vec<Option<Executed>> {
        let known = self.knowledge.states.get(&self.thread).copied();
        let known = known.and_then(|state| self.frames_of(state)).filter(|it| self.names(it, runs));
        let first = known.or_else(|| {
            if !(self.knowledge.misses + 1).is_power_of_two() {
                return None;
            }
            let (state, frames) = self.state_of(runs)?;
            self.knowledge.states.insert(self.thread, state);
            Some(frames)
        });
        let Some(first) = first else { return Vec::new() };
        let has_several = self.layout.has_several(self.memory);
        let (mut rest, mut last) = (vec![first], 0);
        let mut found = vec![None; runs.len()];
        for (place, run) in runs.iter().enumerate().rev() {
            let next = |rest: &Executed| rest.last().is_some_and(|(at, _)| self.is_named(*at, run));
            let named = rest.iter().position(next).or_else(|| {
                let may_be_other = has_several && self.memory.has(run.frame.end);
                let other = may_be_other.then(|| self.state_of(slice::from_ref(run))).flatten();
                other.map(|(_, frames)| {
                    rest.push(frames);
                    rest.len() - 1
                })
            });
            last = named.unwrap_or(last);
            // One that a run does not name was executed before or after it.
            let own = rest.get_mut(last).and_then(Vec::pop).filter(|_| named.is_some());
            found[place] = own.filter(|own| self.has_executed(&own.1, run)).map(|own| vec![own]);
        }
        found
    }

    /// The state of a thread of which these runs name the first frames, and all its frames.
    fn state_of(&mut self, runs: &[Run]) -> Option<(u64, Executed)> {
        self.states().into_iter().find_map(|state| {
            let frames = self.frames_of(state).filter(|it| self.names(it, runs))?;
            Some((state, frames))
        })
    }

    fn frames_of(&mut self, state: u64) -> Option<Executed> {
        let mut chain = self.layout.chain(self.memory, state)?;
        let mut frames = Vec::new();
        while let Some(group) = self.layout.group(self.memory, chain) {
            (frames.len() < MOST_FRAMES).then_some(())?;
            frames.push((group.first, self.layout.frame(self.memory, group.first)?.0));
            chain = group.next;
        }
        Some(frames)
    }

    /// True if the copy names the first frame of these that it can name: they are the thread's.
    fn names(&self, frames: &Executed, runs: &[Run]) -> bool {
        let outermost = frames.iter().rev().zip(runs.iter().rev());
        let mut known = outermost.filter(|(_, run)| self.memory.has(run.frame.end));
        known.next().is_some_and(|((at, _), run)| self.is_named(*at, run))
    }

    fn is_named(&self, frame: u64, run: &Run) -> bool {
        !self.memory.has(run.frame.end) || self.words(run).any(|word| word == frame)
    }
}

/// True if the innermost of these frames is still executed, for the same callers, which are where they were: else others may
/// have been called in their place. Where it has no caller in its run, that does not matter.
fn leads(executed: &Executed, now: Option<&Executed>) -> bool {
    let rest = rest(executed, now);
    executed.len() == 1 || rest.is_some_and(|now| now.get(1..) == executed.get(1..))
}

/// True if the innermost of these frames is still executed, for the same callers, wherever they are.
fn resembles(executed: &Executed, now: Option<&Executed>) -> bool {
    let code = |(at, frame): &(u64, Frame)| (*at, frame.code);
    rest(executed, now).is_some_and(|now| now.iter().map(code).eq(executed.iter().map(code)))
}

/// These frames from the innermost of others on.
fn rest<'n>(executed: &Executed, now: Option<&'n Executed>) -> Option<&'n [(u64, Frame)]> {
    let (at, own) = executed.first()?;
    let now = now?;
    now.get(now.iter().position(|(other, frame)| (other, frame.code) == (at, own.code))?..)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use gmon_python::{Interpreter, Symbols};

    use super::super::memory::Pages;
    use super::*;

    /// Words that are numbers from a seed, or lead to others of them.
    fn garbage(seed: u64, words: &mut [u64]) {
        let start = words.as_ptr() as u64;
        let len = words.len() as u64;
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for word in words {
            let number = next();
            *word = match seed % 4 {
                // One place that leads to itself.
                0 => start + 64,
                _ => match number % 8 {
                    0 => 0,
                    1 => number >> (number % 64),
                    2 => number % 4,
                    _ => start + 8 * (next() % len),
                },
            };
        }
    }

    /// An interpreter of a version at the start of these words.
    fn interpreter(memory: &mut Memory<'_>, words: &mut [u64], minor: u64) -> Option<Interpreter> {
        let start = words.as_ptr() as u64;
        let mut symbols = Symbols::default();
        symbols.note(b"_PyEval_EvalFrameDefault", 0x1000, 0x1000);
        let size = [1464, 656, 672].get(minor as usize - 8).copied().unwrap_or(0);
        symbols.note(Symbols::RUNTIME, start, size);
        if minor >= 11 {
            words[0] = 3 << 24 | minor << 16;
            symbols.note(b"Py_Version", start, 8);
        }
        if minor >= 13 {
            // It describes itself, behind its cookie.
            words[1] = words[0];
            words[0] = u64::from_ne_bytes(*b"xdebugpy");
            words[2] = 0;
            words[3..100].iter_mut().for_each(|offset| *offset %= 512);
            symbols.note(b"Py_Version", start + 8, 8);
        }
        memory.read_again();
        symbols.interpreter(memory, 0..0, 0)
    }

    #[test]
    fn garbage_ends_the_search_and_nothing_else() {
        let own = File::open("/proc/self/mem").expect("our memory");
        let mut tried = 0;
        for seed in 0..400 {
            let mut words = vec![0; 2048];
            garbage(seed, &mut words);
            let mut stack = vec![0; 512];
            garbage(seed, &mut stack);
            stack.iter_mut().step_by(3).for_each(|word| *word = words[*word as usize % 2048]);
            let bytes: Vec<u8> = stack.iter().flat_map(|word| word.to_ne_bytes()).collect();
            let bottom = stack.as_ptr() as u64;
            let mut pages = Pages::default();
            let mut memory = Memory::new(&own, (bottom, &bytes), &mut pages);
            let minor = 8 + seed % 7;
            let Some(it) = interpreter(&mut memory, &mut words, minor) else { continue };
            tried += 1;
            let run = |n: u64| Run {
                frame: bottom + 1024 * n..bottom + 1024 * (n + 1),
                inner: bottom + 1024 * n,
                is_inmost: n == 0,
            };
            let runs: Vec<Run> = (0..4).map(run).collect();
            let mut knowledge =
                Knowledge { distance: Some(64 * (seed % 8)), ..Knowledge::default() };
            knowledge.states.insert(1, words.as_ptr() as u64 + 8 * (seed % 512));
            let mut reader = Reader {
                layout: &it.layout,
                memory: &mut memory,
                scripts: &mut Scripts::default(),
                knowledge: &mut knowledge,
                registers: &words[100..117],
                thread: 1,
                time: 0,
                is_late: false,
            };
            for _ in 0..3 {
                reader.scripts.begin();
                let found = reader.frames(&runs, true);
                assert!(found.len() <= runs.len());
            }
        }
        assert!(tried > 300, "{tried}");
    }
}
