//! Frames of both kinds in their order.

use std::sync::Arc as Shared;

use gmon_analyzer::records::NamedCode;
use gmon_events::Sample;
use gmon_python::Interpreter;
use gmon_unwind::{Frame, Native, Processor};

use super::super::space::Space;
use super::found;
use super::memory::{Memory, Pages};
use super::runs::{Executed, Knowledge, Reader, Run};
use super::scripts::Scripts;

/// Functions of Python in a process.
#[derive(Debug, Default)]
pub(crate) struct Python {
    is_wanted: bool,
    /// True if somebody is woken for its samples.
    pub(in super::super) is_heard: bool,
    interpreter: Option<Shared<Interpreter>>,
    /// Modules among which it was looked for.
    modules: usize,
    scripts: Scripts,
    knowledge: Knowledge,
    pages: Pages,
    /// Runs of the evaluator that were replaced by functions, and those that were left as they are.
    pub(in super::super) replaced: u64,
    /// Replaced runs whose functions are those of a moment later.
    pub(in super::super) late: u64,
    pub(in super::super) left: u64,
}

/// Functions of a run that are shown: recursion is folded.
const MOST_SHOWN: usize = 1024;

/// Bytes at the end of a function's frame in which the registers of its caller are saved. What lies below is its own. Elsewhere
/// than on x86-64 it is the other way around.
const SAVED: u64 = if cfg!(target_arch = "x86_64") { 7 * 8 } else { 1 << 10 };

impl Python {
    /// Of a process whose interpreter shall be looked for, or not.
    pub(in super::super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// Of a child, whose interpreter is its parent's.
    pub(in super::super) fn of_child(&self) -> Self {
        let interpreter = self.interpreter.clone();
        Self { interpreter, is_heard: self.is_heard, ..Self::new(self.is_wanted) }
    }

    /// True if its samples must not get old and nobody is woken for them.
    pub(in super::super) fn needs_looks(&self) -> bool {
        self.interpreter.is_some() && !self.is_heard
    }

    /// Number behind the 3 in the interpreter's version, if there is one.
    pub(in super::super) fn minor(&self) -> Option<u8> {
        Some(self.interpreter.as_ref()?.layout.version().minor())
    }

    /// The code that was met since the last call.
    pub(in super::super) fn new_code(&mut self) -> Vec<NamedCode> {
        self.scripts.take_new()
    }

    /// Looks for an interpreter among modules that have come.
    pub(in super::super) fn look(&mut self, space: &Space) {
        if self.is_wanted && self.interpreter.is_none() && self.modules < space.modules.len() {
            let new = &space.modules[self.modules..];
            self.interpreter = found::interpreter(space, new, &mut self.pages).map(Shared::new);
            self.modules = space.modules.len();
        }
    }

    /// Puts functions of Python into a stack, in the place of runs of the evaluator. The stack was followed to its start, or not.
    /// The time is in nanoseconds since the profile began.
    pub(in super::super) fn merge(
        &mut self,
        space: &Space,
        (sample, time): (&Sample<'_>, u64),
        frames: &mut Vec<Frame>,
        is_complete: bool,
    ) {
        self.look(space);
        let Some(interpreter) = self.interpreter.clone() else { return };
        let (places, runs) = runs(&interpreter, frames);
        let (Some(memory), Some(registers)) = (space.memory(), &sample.registers) else {
            self.left += runs.len() as u64;
            return;
        };
        if runs.is_empty() {
            return;
        }
        let stack_pointer = registers.get(Native::STACK_POINTER).copied().unwrap_or(0);
        self.scripts.begin();
        let mut memory = Memory::new(memory, (stack_pointer, sample.stack), &mut self.pages);
        let mut reader = Reader {
            layout: &interpreter.layout,
            memory: &mut memory,
            scripts: &mut self.scripts,
            knowledge: &mut self.knowledge,
            registers,
            thread: sample.id.thread.into(),
            time,
            is_late: false,
        };
        let executed = reader.frames(&runs, is_complete);
        let shown: Vec<_> = executed.iter().map(|it| shown(&mut reader, it.as_ref()?)).collect();
        let replaced = shown.iter().flatten().count();
        let is_late = reader.is_late && shown.first().is_some_and(Option::is_some);
        self.replaced += replaced as u64;
        self.late += u64::from(is_late);
        self.left += (runs.len() - replaced) as u64;
        // From the first function of the thread on, so that places stay.
        for (at, pcs) in places.into_iter().zip(shown).rev() {
            let Some(pcs) = pcs else { continue };
            let is_inside = |inner: usize| interpreter.module.contains(&frames[inner].pc);
            // Functions that the evaluator jumps to have a frame inside of its own.
            let inner = at.checked_sub(1).filter(|inner| interpreter.jumps && is_inside(*inner));
            let functions = pcs.into_iter().map(|pc| Frame { pc, ..Frame::default() });
            frames.splice(inner.unwrap_or(at)..=at, functions);
        }
    }
}

/// Runs of the evaluator in a stack, and their places there.
fn runs(interpreter: &Interpreter, frames: &[Frame]) -> (Vec<usize>, Vec<Run>) {
    let mut inner: Option<u64> = None;
    let pairs = frames.iter().zip(frames.iter().skip(1)).enumerate();
    let evaluators =
        pairs.filter(|(_, (frame, _))| interpreter.evaluates(frame.pc) && !frame.is_guess);
    evaluators
        .map(|(place, (frame, caller))| {
            let own = frame.stack_pointer..caller.stack_pointer;
            let other = inner.replace(own.end);
            let inner = other.map(|end| end.saturating_sub(SAVED));
            let is_inmost = inner.is_none();
            let inner = inner.unwrap_or(frames[0].stack_pointer);
            (place, Run { frame: own, inner, is_inmost })
        })
        .unzip()
}

/// The addresses that stand for frames in a stack; `None` if one of them is not known, or none is to be seen.
fn shown(reader: &mut Reader<'_, '_>, executed: &Executed) -> Option<Vec<u64>> {
    let mut pcs: Vec<u64> = Vec::new();
    for (_, frame) in executed {
        let script = reader.scripts.at(reader.memory, reader.layout, frame.code, reader.time)?;
        let pc = reader.scripts.address(reader.memory, reader.layout, frame, &script)?;
        let is_third = |pc: &u64| pcs.ends_with(&[*pc, *pc]);
        if let Some(pc) = pc.filter(|pc| !is_third(pc)) {
            (pcs.len() < MOST_SHOWN).then_some(())?;
            pcs.push(pc);
        }
    }
    (!pcs.is_empty()).then_some(pcs)
}
