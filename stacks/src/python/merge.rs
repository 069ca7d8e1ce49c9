//! Puts the functions of Python that a thread executes in the place of the evaluator's frames.
//!
//! Since 3.11 each run of the evaluator has something of the interpreter in its own frame on the stack: where that lies in a
//! frame of C, its functions belong. Before, each run of the evaluator executes one function, so that counting tells; if the
//! counts do not agree at the end, the innermost run has not yet said what it executes. In a thread that is in several
//! interpreters a run executes what its frame of C names.
//!
//! *Context:* signal.

use core::ops::Range;
use core::sync::atomic::Ordering;

use gmon_python::{Chain, Group, Interpreter, Layout, ThreadId};
use gmon_system::memory::Memory;
use gmon_unwind::Memory as _;

use super::super::frames::Frames;
use super::super::modules;
use super::code::{self, Code};
use super::interpreter;
use super::{LEFT, REPLACED};

/// Interpreters that one thread may be in.
const STATES: usize = 4;

/// Words of the stack that are looked at, of one run.
const MOST_WORDS: usize = 1024;

/// Knowledge that is kept of a thread. All of it is valid when zero.
pub(in super::super) struct Tools {
    memory: Memory,
    /// Its states in interpreters, found earlier; 0 for none.
    states: [u64; STATES],
    /// Its name in the C library; 0 until that was asked.
    library: u64,
    /// Looks for a state in vain: most threads that have none never get one.
    misses: u32,
}

/// A thread whose stack is walked.
#[derive(Clone, Copy)]
pub(in super::super) struct Thread {
    pub(in super::super) native: usize,
    /// True if it walks its stack itself.
    pub(in super::super) is_own: bool,
}

/// A frame of C.
#[derive(Clone, Copy)]
pub(in super::super) struct Native {
    /// The address as it is charged.
    pub(in super::super) charged: usize,
    pub(in super::super) pc: usize,
    pub(in super::super) is_guess: bool,
    /// End of its stack; 0 if that is not known.
    pub(in super::super) stack_pointer: u64,
}

/// The part of a walk that puts frames in order.
pub(in super::super) struct Merge<'t> {
    interpreter: Option<&'static Interpreter>,
    tools: &'t mut Tools,
    id: ThreadId,
    /// True if the thread walks its own stack, which stays meanwhile.
    is_own: bool,
    /// Frames of each state that are still to come.
    rest: [Rest; STATES],
    has_begun: bool,
    has_searched: bool,
    /// A frame whose caller is not known yet.
    held: Option<Native>,
    /// A function that is the evaluator's if its caller is, which jumps to it.
    jumped: Option<Native>,
    /// From where on the stack may have the registers of a run of the evaluator: the end of the one that it called, or of all.
    inner: u64,
    /// Runs of the evaluator that are to be left as they are, where counting tells.
    skip: usize,
    /// Runs of it for which there was no function.
    missing: usize,
    replaced: u64,
    left: u64,
}

/// Frames of a state that are still to come.
#[derive(Clone, Copy)]
enum Rest {
    /// From here on, but they were not looked at.
    From(Chain),
    /// This group, and what is behind it.
    Group(Group),
    Nothing,
}

/// Fitness of a walk.
pub(in super::super) enum Verdict {
    Good,
    /// To be repeated, leaving so many runs of the evaluator as they are; all of them if that is not known.
    Again(Option<usize>),
}

impl<'t> Merge<'t> {
    /// Begins a walk. `skip` are the runs of the evaluator to be left as they are; `None` for all.
    pub(in super::super) fn new(tools: &'t mut Tools, thread: Thread, skip: Option<usize>) -> Self {
        let interpreter = interpreter::get().filter(|_| skip.is_some());
        let mut id = ThreadId { native: thread.native as u64, library: tools.library };
        if interpreter.is_some_and(|it| !it.layout.has_places()) {
            if thread.is_own {
                tools.library = library_id();
            }
            id.library = tools.library;
        }
        let merge = Self {
            interpreter,
            tools,
            id,
            is_own: thread.is_own,
            rest: [Rest::Nothing; STATES],
            has_begun: false,
            has_searched: false,
            held: None,
            jumped: None,
            inner: 0,
            skip: skip.unwrap_or(0),
            missing: 0,
            replaced: 0,
            left: 0,
        };
        if interpreter.is_some() {
            merge.tools.memory.trust(modules::stays, modules::moment());
            merge.tools.memory.begin();
        }
        merge
    }

    /// Has a walk begin again.
    pub(in super::super) fn clear(&mut self) {
        self.rest = [Rest::Nothing; STATES];
        (self.has_begun, self.has_searched) = (false, false);
        (self.replaced, self.left, self.missing, self.inner) = (0, 0, 0, 0);
        self.drop_held();
    }

    /// Forgets the frame that was not taken yet.
    pub(in super::super) fn drop_held(&mut self) {
        (self.held, self.jumped) = (None, None);
    }

    /// Returns `true` if there is a frame that was not taken yet.
    pub(in super::super) fn holds(&self) -> bool {
        self.held.is_some() || self.jumped.is_some()
    }

    /// Takes a frame of C, which may not be shown; false if there is no room.
    pub(in super::super) fn push(
        &mut self,
        frames: &mut Frames,
        native: Native,
        is_shown: bool,
    ) -> bool {
        if self.interpreter.is_none() {
            return !is_shown || frames.push(native.charged, native.is_guess);
        }
        if self.inner == 0 {
            self.inner = native.stack_pointer;
        }
        let has_room = self.settle(frames, Some(&native));
        self.held = is_shown.then_some(native);
        has_room
    }

    /// Ends a walk, which was complete or not.
    pub(in super::super) fn finish(&mut self, frames: &mut Frames, is_complete: bool) -> Verdict {
        let Some(interpreter) = self.interpreter else { return Verdict::Good };
        self.settle(frames, None);
        if !interpreter.layout.has_places() && self.has_begun {
            let has_more = (0..STATES).any(|state| self.next(interpreter, state).is_some());
            // The thread may be in another interpreter meanwhile.
            if self.missing > 0 && is_complete && self.search(interpreter) {
                return Verdict::Again(Some(0));
            }
            match self.missing {
                0 if is_complete && has_more => return Verdict::Again(None),
                0 => {}
                missing if is_complete && self.skip == 0 => return Verdict::Again(Some(missing)),
                _ => return Verdict::Again(None),
            }
        }
        REPLACED.fetch_add(self.replaced, Ordering::Relaxed);
        LEFT.fetch_add(self.left, Ordering::Relaxed);
        Verdict::Good
    }

    /// Says what the frame is that was not taken yet, now that its caller is known.
    fn settle(&mut self, frames: &mut Frames, caller: Option<&Native>) -> bool {
        let (Some(held), Some(interpreter)) = (self.held.take(), self.interpreter) else {
            return true;
        };
        // Where a frame's caller is certain, the frame lies on the stack.
        if self.is_own && caller.is_some_and(|caller| !caller.is_guess && !held.is_guess) {
            self.tools.memory.know(held.stack_pointer as usize);
        }
        let is_inside = interpreter.module.contains(&(held.pc as u64));
        let is_evaluator = interpreter.evaluates(held.pc as u64);
        let found = match is_inside {
            true => self.find(interpreter, &held, caller, is_evaluator),
            false => None,
        };
        let jumped = self.jumped.take();
        if let Some((state, group)) = found {
            if let Some(rest) = self.rest.get_mut(state) {
                *rest = Rest::From(group.next);
            }
            self.replaced += 1;
            // A piece of the evaluator without a symbol is the loop itself: what it calls is no part of it.
            let called = jumped.filter(|_| !is_evaluator);
            let has_room = called.is_none_or(|it| frames.push(it.charged, it.is_guess));
            return has_room && self.push_group(interpreter, &group, frames, &held);
        }
        self.left += u64::from(is_evaluator);
        let may_be_jumped_to = interpreter.jumps && is_inside && caller.is_some();
        let own = if may_be_jumped_to { None } else { Some(held) };
        self.jumped = if may_be_jumped_to { Some(held) } else { None };
        let mut natives = jumped.into_iter().chain(own);
        natives.all(|native| frames.push(native.charged, native.is_guess))
    }

    /// The group that a frame of C executes, and the state that it belongs to.
    fn find(
        &mut self,
        interpreter: &'static Interpreter,
        held: &Native,
        caller: Option<&Native>,
        is_evaluator: bool,
    ) -> Option<(usize, Group)> {
        if !self.has_begun {
            if !self.begin(interpreter, is_evaluator) {
                return None;
            }
            self.has_begun = true;
        }
        let end = caller.map(|caller| caller.stack_pointer);
        if !interpreter.layout.has_places() {
            let own = held.stack_pointer..end.unwrap_or(0);
            return if is_evaluator { self.find_by_count(interpreter, own) } else { None };
        }
        let own = held.stack_pointer..end?;
        for state in 0..STATES {
            let Some(group) = self.next(interpreter, state) else { continue };
            if group.place.is_some_and(|place| own.contains(&place)) {
                return Some((state, group));
            }
        }
        // The thread may be in another interpreter meanwhile.
        if is_evaluator && !self.has_searched {
            self.has_searched = true;
            if self.search(interpreter) {
                return self.find(interpreter, held, caller, is_evaluator);
            }
        }
        None
    }

    /// The group that a run of the evaluator executes: the next one, or of several interpreters that which its frame names.
    fn find_by_count(
        &mut self,
        interpreter: &'static Interpreter,
        own: Range<u64>,
    ) -> Option<(usize, Group)> {
        /// Bytes at the end of a frame in which the registers of its caller are saved.
        const SAVED: u64 = 7 * 8;
        let called = core::mem::replace(&mut self.inner, own.end).saturating_sub(SAVED);
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        let groups = core::array::from_fn::<_, STATES, _>(|state| self.next(interpreter, state));
        let mut next = (0..).zip(groups).filter_map(|(state, group)| Some((state, group?)));
        let first = next.next();
        self.missing += usize::from(first.is_none());
        if next.next().is_none() {
            return first;
        }
        // What it called may keep its registers.
        let called = called..own.start;
        own.chain(called).step_by(8).take(MOST_WORDS).find_map(|at| {
            let word = self.tools.memory.bytes(at).map(u64::from_ne_bytes)?;
            let mut next = (0..).zip(&groups);
            let is_named = |group: &Option<Group>| group.is_some_and(|group| group.first == word);
            let (state, group) = next.find(|(_, group)| is_named(group))?;
            Some((state, (*group)?))
        })
    }

    /// The next group of a state.
    fn next(&mut self, interpreter: &Interpreter, state: usize) -> Option<Group> {
        let rest = self.rest.get_mut(state)?;
        if let Rest::From(chain) = *rest {
            let group = interpreter.layout.group(&mut self.tools.memory, chain);
            *rest = group.map_or(Rest::Nothing, Rest::Group);
        }
        if let Rest::Group(group) = *rest { Some(group) } else { None }
    }

    /// Begins to read the frames of the thread; false if it has none as far as one knows.
    fn begin(&mut self, interpreter: &'static Interpreter, may_search: bool) -> bool {
        let layout = &interpreter.layout;
        let Tools { memory, states, .. } = &mut *self.tools;
        let mut has_some = false;
        for (state, rest) in states.iter_mut().zip(&mut self.rest) {
            if *state != 0 && layout.is_thread(memory, *state, self.id) {
                has_some |= start(layout, memory, *state, rest);
            } else {
                *state = 0;
            }
        }
        if has_some {
            return true;
        }
        let misses = self.tools.misses;
        let may_search = may_search || layout.has_places() && (misses + 1).is_power_of_two();
        let has_found = may_search && self.search(interpreter);
        self.tools.misses = if has_found { 0 } else { misses.saturating_add(1) };
        has_found
    }

    /// Looks for states of the thread that are not known yet; whether there was one.
    fn search(&mut self, interpreter: &'static Interpreter) -> bool {
        let layout = &interpreter.layout;
        let Tools { memory, states, .. } = &mut *self.tools;
        let mut has_found = false;
        while let Some(free) = states.iter().position(|state| *state == 0) {
            let Some(found) = layout.thread(memory, self.id, states) else { break };
            if let Some((state, rest)) = states.get_mut(free).zip(self.rest.get_mut(free)) {
                *state = found;
                has_found |= start(layout, memory, found, rest);
            }
        }
        has_found
    }

    /// Pushes the functions of a group, or else the frame of C that executes them.
    fn push_group(
        &mut self,
        interpreter: &'static Interpreter,
        group: &Group,
        frames: &mut Frames,
        native: &Native,
    ) -> bool {
        let layout = &interpreter.layout;
        let memory = &mut self.tools.memory;
        let mut at = group.first;
        let (mut is_missing, mut is_cut) = (true, false);
        for _ in 0..group.frames {
            let Some((frame, next)) = layout.frame(memory, at) else {
                is_cut = true;
                break;
            };
            at = next;
            let pc = match code::address(memory, layout, &frame) {
                Some(Code::At(pc)) => pc,
                Some(Code::Unseen) => continue,
                None => {
                    is_cut = true;
                    break;
                }
            };
            is_missing = false;
            if !frames.push(pc, false) {
                return false;
            }
        }
        // What could not be read is the evaluator's.
        if is_missing || is_cut {
            self.replaced -= 1;
            self.left += 1;
            return frames.push(native.charged, native.is_guess);
        }
        true
    }
}

fn start(layout: &Layout, memory: &mut Memory, state: u64, rest: &mut Rest) -> bool {
    let chain = layout.chain(memory, state);
    *rest = chain.map_or(Rest::Nothing, Rest::From);
    chain.is_some()
}

/// Name of this thread in the C library; 0 if that is not known.
fn library_id() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let id: u64;
        // SAFETY: the word at the thread pointer, which the ABI has lead to itself.
        unsafe {
            core::arch::asm!("mov {}, fs:0", out(reg) id, options(nostack, readonly, preserves_flags));
        }
        id
    }
    #[cfg(not(target_arch = "x86_64"))]
    0
}
