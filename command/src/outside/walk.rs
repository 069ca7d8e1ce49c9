//! Follows the stack of a sample, of which there are registers and a copy.

use std::collections::HashMap;
use std::convert::Infallible;

use gmon_events::Sample;
use gmon_format::live::Label;
use gmon_unwind::{
    Array, Frame, Frames, Incomplete, Memory, Native, Packed, Processor, Program, Registers,
    Tables, Word,
};

use super::beyond::Beyond;
use super::space::{Module, Space};

/// Unwind rules of the code of a process, by addresses.
#[derive(Debug, Default)]
pub(super) struct Rules(HashMap<u64, Packed>);

/// The most rules that are kept.
const MOST_RULES: usize = 1 << 20;

/// The longest stack that is kept: at 1,000 Hz, following it takes most of the time until the next sample.
const MOST_FRAMES: usize = 4096;

impl Rules {
    /// Forgets all: modules have changed.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The frames of a stack, the innermost first.
#[derive(Debug, Default)]
pub(super) struct Found(pub(super) Vec<Frame>);

impl Frames for Found {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, frame: Frame) -> bool {
        let has_room = self.0.len() < MOST_FRAMES;
        if has_room {
            self.0.push(frame);
        }
        has_room
    }
}

/// Fills in the frames of a sample. Returns why they are not all; `None` if they are.
pub(super) fn walk(
    sample: &Sample<'_>,
    space: &Space,
    rules: &mut Rules,
    frames: &mut Found,
) -> Option<Label> {
    type Address = <Native as Processor>::Word;
    frames.clear();
    let Some(values) = sample.registers else { return Some(Label::Unsupported) };
    let value = |number: usize| values.get(number).copied().unwrap_or_default();
    let registers = Registers::<Native>::from_fn(|number| Address::of(value(number)));
    let stack_pointer = value(Native::STACK_POINTER);
    let beyond = Beyond::new(space.memory(), stack_pointer, sample.stack);
    let mut memory =
        Copied { stack_pointer, stack: sample.stack, beyond, space, time: sample.time };
    let mut code = Code { space, time: sample.time, rules };
    let end = gmon_unwind::walk::<Native, _>(&mut memory, &mut code, &registers, frames);
    Some(match end {
        Ok(()) => return None,
        Err(Incomplete::Deeper) => Label::Deeper,
        Err(Incomplete::NoModule) => Label::NoModule,
        Err(Incomplete::NoRules) => Label::NoRules,
        // What was copied ends where the stack goes on, and the rest may not be read or is another by now.
        Err(Incomplete::Unreadable) => Label::Unreadable,
        Err(Incomplete::NoProgress) => Label::NoProgress,
        Err(Incomplete::BadRules) => Label::BadRules,
        Err(Incomplete::RegisterLost) => Label::RegisterLost,
        Err(Incomplete::Unsure(never)) => match never {},
    })
}

/// The copy of a stack with what lies beyond it, and code as files have it.
struct Copied<'s> {
    stack_pointer: u64,
    stack: &'s [u8],
    beyond: Beyond<'s>,
    space: &'s Space,
    time: u64,
}

impl Memory for Copied<'_> {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        let above = address.checked_sub(self.stack_pointer);
        let at = above.and_then(|above| usize::try_from(above).ok());
        let on_stack = at.and_then(|at| self.stack.get(at..)?.first_chunk().copied());
        on_stack.or_else(|| match self.space.find(address, self.time) {
            Some(Module { elf: Some(elf), bias, .. }) => elf.bytes(address.wrapping_sub(*bias)),
            Some(_) => self.space.made_code(address),
            None => self.beyond.bytes(address),
        })
    }
}

/// The code of a process at a time.
struct Code<'s> {
    space: &'s Space,
    time: u64,
    rules: &'s mut Rules,
}

impl<'s> Code<'s> {
    fn around(&self, pc: u64) -> Option<&'s Module> {
        self.space.find(pc, self.time)
    }
}

impl<'s> Program<'s, Native> for Code<'s> {
    type Unsure = Infallible;

    fn tables(&mut self, pc: u64) -> Result<Option<Tables<'s, Native>>, Infallible> {
        let module = self.around(pc);
        Ok(module.and_then(|module| module.elf.as_ref()?.tables(module.bias)))
    }

    fn is_code(&mut self, address: u64) -> bool {
        self.around(address).is_some()
    }

    fn is_made(&mut self, address: u64) -> bool {
        self.around(address).is_some_and(Module::is_made)
    }

    fn entry(&self) -> Option<u64> {
        self.space.entry
    }

    fn kept(&mut self, pc: u64) -> Option<Packed> {
        self.rules.0.get(&pc).copied()
    }

    fn keep(&mut self, pc: u64, rule: Packed) {
        if self.rules.0.len() >= MOST_RULES {
            self.rules.0.clear();
        }
        self.rules.0.insert(pc, rule);
    }
}
