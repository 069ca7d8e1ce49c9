//! The walk from interrupted code to its callers, up to the first function of the thread.
//!
//! The unwind rules of the code lead; where there are none, `guess` does. Where functions have
//! register windows, `windows` does.

use core::marker::PhantomData;

use crate::expression::{self, Failure};
use crate::frames::{self, Frames};
use crate::memory::Memory;
use crate::processor::{Processor, Registers};
use crate::program::Program;
use crate::rules::{Cfa, Row, Rule, Saved};
use crate::word::Word;

/// Frames that are stepped over at most, also those that are not kept.
const STEPS: usize = 16_384;

/// Why the callers of a frame are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete<U> {
    /// The stack goes on, but deeper than was taken, or than anybody steps.
    Deeper,
    /// The code belongs to no module, as that of a compiler at run time.
    NoModule,
    /// The module has no unwind rules for the code, and nothing else led on.
    NoRules,
    /// The stack could not be read.
    Unreadable,
    /// The caller's frame would be no further up the stack.
    NoProgress,
    /// The unwind rules make no sense.
    BadRules,
    /// The unwind rules need a register whose value is not known.
    RegisterLost,
    /// See [`Program::Unsure`].
    Unsure(U),
}

/// Fills `frames`, the innermost first, with the stack of code that was interrupted with these registers.
///
/// # Errors
///
/// The stack is not complete: `frames` has its innermost part.
pub fn walk<'t, P: Processor, G: Program<'t, P>>(
    memory: &mut impl Memory,
    program: &mut G,
    registers: &Registers<P>,
    frames: &mut impl Frames,
) -> Result<(), Incomplete<G::Unsure>> {
    walk_knowing(memory, program, registers, !0, frames)
}

/// Like [`walk()`], where only some of the registers are known, by bits; the program counter and the stack pointer are
/// among them. So is the stack of a thread that waits in a system call: its system tells no more.
///
/// # Errors
///
/// As for [`walk()`].
pub fn walk_knowing<'t, P: Processor, G: Program<'t, P>>(
    memory: &mut impl Memory,
    program: &mut G,
    registers: &Registers<P>,
    known: u64,
    frames: &mut impl Frames,
) -> Result<(), Incomplete<G::Unsure>> {
    // Packed rules follow three registers. The whole ones are needed where code says by another one
    // where its frame is.
    for keeps_all in [false, true] {
        frames.clear();
        let frame = Frame::<P> { lost: !known, ..Frame::new(registers) };
        let mut walk =
            Walk { memory, program, frame, keeps_all, has_left_own: false, tables: PhantomData };
        match walk.run(frames) {
            Err(Stop::NeedsRegisters) => {}
            Err(Stop::For(reason)) => return Err(reason),
            Ok(()) => return Ok(()),
        }
    }
    Err(Incomplete::RegisterLost)
}

/// Why a walk ends before its end.
pub(crate) enum Stop<U> {
    For(Incomplete<U>),
    /// A register is needed that was not kept.
    NeedsRegisters,
}

impl<U> From<Failure> for Stop<U> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Senseless => Self::For(Incomplete::BadRules),
            Failure::Unreadable => Self::For(Incomplete::Unreadable),
            Failure::RegisterLost => Self::NeedsRegisters,
        }
    }
}

/// Step after a frame.
pub(crate) enum Next {
    Caller,
    Nobody,
}

/// A frame on the way.
pub(crate) struct Frame<P: Processor> {
    registers: Registers<P>,
    /// Registers that are not known, by bits.
    lost: u64,
    /// True if the code was interrupted, and is not in a call.
    pub(crate) is_interrupted: bool,
    is_guess: bool,
}

pub(crate) struct Walk<'m, 't, P: Processor, M, G> {
    pub(crate) memory: &'m mut M,
    pub(crate) program: &'m mut G,
    pub(crate) frame: Frame<P>,
    keeps_all: bool,
    /// True once code with rules was met that is the program's: the profiler's own is on no stack behind it, but where threads
    /// begin.
    pub(crate) has_left_own: bool,
    tables: PhantomData<&'t ()>,
}

impl<P: Processor> Frame<P> {
    pub(crate) fn new(registers: &Registers<P>) -> Self {
        Self { registers: *registers, lost: 0, is_interrupted: true, is_guess: false }
    }

    /// All registers, of which some may be lost.
    pub(crate) fn all(&self) -> &Registers<P> {
        &self.registers
    }

    pub(crate) fn get(&self, register: usize) -> P::Word {
        self.registers.as_ref().get(register).copied().unwrap_or_default()
    }

    pub(crate) fn known(&self, register: usize) -> Option<P::Word> {
        let is_known = register < P::REGISTERS && self.lost >> register & 1 == 0;
        is_known.then(|| self.get(register))
    }

    pub(crate) fn set(&mut self, register: usize, value: P::Word) {
        if let Some(place) = self.registers.as_mut().get_mut(register) {
            *place = value;
        }
    }

    /// The address that rules and lines are looked up by: of a call, not of what comes after it.
    fn pc(&self) -> P::Word {
        let offset = if self.is_interrupted { 0 } else { P::CALL_OFFSET };
        self.get(P::RETURN_ADDRESS).before(offset)
    }

    /// Goes on to a caller of which these three are known.
    pub(crate) fn enter(
        &mut self,
        pc: P::Word,
        stack_pointer: P::Word,
        frame_pointer: P::Word,
        is_guess: bool,
    ) {
        let known = 1 << P::RETURN_ADDRESS | 1 << P::STACK_POINTER | 1 << P::FRAME_POINTER;
        self.set(P::RETURN_ADDRESS, pc);
        self.set(P::STACK_POINTER, stack_pointer);
        self.set(P::FRAME_POINTER, frame_pointer);
        self.lost = !known;
        self.is_interrupted = false;
        self.is_guess = is_guess;
    }

    /// Notes that the stack pointer is only known not to be below what it is taken for.
    pub(crate) fn lose_stack_pointer(&mut self) {
        self.lost |= 1 << P::STACK_POINTER;
    }

    /// Notes that the frame pointer may be that of a function that was called.
    pub(crate) fn lose_frame_pointer(&mut self) {
        self.lost |= 1 << P::FRAME_POINTER;
    }
}

impl<'t, P: Processor, M: Memory, G: Program<'t, P>> Walk<'_, 't, P, M, G> {
    fn run(&mut self, frames: &mut impl Frames) -> Result<(), Stop<G::Unsure>> {
        for _ in 0..STEPS {
            let pc = self.frame.pc();
            let stack_pointer = self.frame.known(P::STACK_POINTER).map_or(0, Word::get);
            let is_guess = self.frame.is_guess;
            if !frames.push(frames::Frame { pc: pc.get(), is_guess, stack_pointer }) {
                return Err(Stop::For(Incomplete::Deeper));
            }
            match self.step(pc)? {
                Next::Caller => {}
                Next::Nobody => return Ok(()),
            }
        }
        Err(Stop::For(Incomplete::Deeper))
    }

    /// Goes on to the caller.
    fn step(&mut self, pc: P::Word) -> Result<Next, Stop<G::Unsure>> {
        if let Some(windows) = P::WINDOWS {
            return self.step_by_window(pc, windows);
        }
        let is_doubtful = !P::ARE_RULES_EXACT && self.frame.is_interrupted;
        let own = self.rule_of_own_frame(pc);
        if own.is_none() && is_doubtful && self.leave_first_instructions(pc).is_some() {
            return Ok(Next::Caller);
        }
        let knows_stack = self.frame.known(P::STACK_POINTER).is_some();
        let knows_frame = self.frame.known(P::FRAME_POINTER).is_some();
        let rule = match own {
            Some(rule) => rule,
            None => self.rule(pc)?,
        };
        self.has_left_own |= !matches!(rule, Rule::None) && !self.program.is_own(pc.get());
        match rule {
            Rule::Outermost if !is_doubtful => Ok(Next::Nobody),
            Rule::Outermost | Rule::None => self.guess(pc),
            Rule::Frame { by_frame_pointer: false, .. } | Rule::Slow if !knows_stack => {
                self.guess(pc)
            }
            Rule::Frame {
                by_frame_pointer: true,
                frame_pointer: Some(frame_pointer),
                return_address: Some(return_address),
                ..
            } if !knows_frame && knows_stack => self.find_frame(pc, frame_pointer, return_address),
            Rule::Frame { by_frame_pointer: true, .. } if !knows_frame => self.guess(pc),
            Rule::Frame { by_frame_pointer, size, frame_pointer, return_address }
                if !self.keeps_all =>
            {
                let base = if by_frame_pointer { P::FRAME_POINTER } else { P::STACK_POINTER };
                let knows_frame = knows_frame || frame_pointer.is_some();
                let cfa = self.frame.get(base).behind(size);
                let stack_pointer = cfa.before(P::ABOVE_CALLER);
                self.check(stack_pointer, return_address.is_some())?;
                let saved = frame_pointer.map(|offset| self.restored(cfa.before(offset)));
                let frame_pointer = saved.transpose()?.flatten();
                let frame_pointer =
                    frame_pointer.unwrap_or_else(|| self.frame.get(P::FRAME_POINTER));
                let caller = match return_address {
                    Some(offset) => self.word(cfa.behind(P::LINKAGE).before(offset))?,
                    None if P::ARE_RULES_EXACT => self.link()?,
                    None => match self.link() {
                        Ok(link) => link,
                        Err(_) => return self.guess(pc),
                    },
                };
                let caller = P::plain(caller);
                if is_doubtful && P::call_before(self.memory, caller).is_none() {
                    return self.guess(pc);
                }
                let next = self.call_from(caller, stack_pointer, frame_pointer);
                if !knows_frame {
                    self.frame.lose_frame_pointer();
                }
                Ok(next)
            }
            Rule::Frame { .. } | Rule::Slow => self.step_by_row(pc),
        }
    }

    fn call_from(&mut self, pc: P::Word, stack_pointer: P::Word, frame_pointer: P::Word) -> Next {
        if pc == P::Word::default() {
            return Next::Nobody;
        }
        self.frame.enter(pc, stack_pointer, frame_pointer, false);
        Next::Caller
    }

    /// The rule for an address, which is kept.
    fn rule(&mut self, pc: P::Word) -> Result<Rule, Stop<G::Unsure>> {
        if let Some(packed) = self.program.kept(pc.get()) {
            return Ok(packed.unpack::<P>());
        }
        let rule = self.new_rule(pc)?;
        self.program.keep(pc.get(), rule.pack::<P>());
        Ok(rule)
    }

    #[inline(never)]
    fn new_rule(&mut self, pc: P::Word) -> Result<Rule, Stop<G::Unsure>> {
        let mut row = Row::new();
        Ok(if self.find(pc, &mut row)? { Rule::of(&row) } else { Rule::None })
    }

    /// The rule for code whose frame the program knows.
    fn rule_of_own_frame(&self, pc: P::Word) -> Option<Rule> {
        let own = self.program.frame(pc.get())?;
        let size = own.size + P::ABOVE_CALLER;
        let return_address = own.return_address;
        Some(Rule::Frame { by_frame_pointer: false, size, frame_pointer: None, return_address })
    }

    /// Fills an empty row with the rules for an address; false if there are none.
    #[inline(never)]
    pub(crate) fn find(
        &mut self,
        pc: P::Word,
        row: &mut Row<'t, P>,
    ) -> Result<bool, Stop<G::Unsure>> {
        match self.program.tables(pc.get()) {
            Ok(Some(tables)) => tables.fill(pc, row).ok_or(Stop::For(Incomplete::BadRules)),
            Ok(None) => Ok(false),
            Err(unsure) => Err(Stop::For(Incomplete::Unsure(unsure))),
        }
    }

    pub(crate) fn word(&mut self, address: P::Word) -> Result<P::Word, Stop<G::Unsure>> {
        self.memory.word::<P>(address).ok_or(Stop::For(Incomplete::Unreadable))
    }

    /// The register that was saved at an address. A function that is about to return has given registers their values back,
    /// while its rules may still name their places, which then lie below the stack pointer. Copies of stacks do not go so
    /// far down, so there the register's own value counts: `None`.
    fn restored(&mut self, address: P::Word) -> Result<Option<P::Word>, Stop<G::Unsure>> {
        let is_below = self.frame.is_interrupted && address < self.frame.get(P::STACK_POINTER);
        match self.word(address) {
            Err(Stop::For(Incomplete::Unreadable)) if is_below => Ok(None),
            word => word.map(Some),
        }
    }

    /// The return address that the last call has left in a register, as long as no other call was made.
    fn link(&self) -> Result<P::Word, Stop<G::Unsure>> {
        let link = P::LINK.filter(|_| self.frame.is_interrupted);
        link.and_then(|link| self.frame.known(link)).ok_or(Stop::For(Incomplete::RegisterLost))
    }

    /// A caller's frame is further up the stack. Only a function that has not called another yet, and
    /// needs nothing of the stack, may share it with its caller; or, where it saves the return address in its caller's
    /// frame, one that has called a hook before it opens its own.
    pub(crate) fn check(
        &self,
        stack_pointer: P::Word,
        is_saved: bool,
    ) -> Result<(), Stop<G::Unsure>> {
        let is_at_start = self.frame.is_interrupted || is_saved && P::ABOVE_CALLER != 0;
        let own = self.frame.get(P::STACK_POINTER);
        let grows = stack_pointer > own || stack_pointer == own && is_at_start;
        if grows { Ok(()) } else { Err(Stop::For(Incomplete::NoProgress)) }
    }

    /// Goes on by everything that the rules say.
    #[inline(never)]
    fn step_by_row(&mut self, pc: P::Word) -> Result<Next, Stop<G::Unsure>> {
        let mut row = Row::new();
        if !self.find(pc, &mut row)? {
            return self.guess(pc);
        }
        if row.is_signal && self.leave_handler() {
            return Ok(Next::Caller);
        }
        let cfa = match row.cfa {
            Cfa::Register(register, offset) => self.known(register)?.moved(offset),
            Cfa::Expression(expression) => self.evaluate(expression, None)?,
        };
        let mut caller = Frame {
            registers: self.frame.registers,
            lost: self.frame.lost,
            is_interrupted: row.is_signal,
            is_guess: false,
        };
        let stack_pointer = cfa.before(P::ABOVE_CALLER);
        caller.set(P::STACK_POINTER, stack_pointer);
        for (register, saved) in row.saved.as_ref().iter().enumerate() {
            if let Some(value) = self.saved(register, *saved, cfa)? {
                caller.set(register, value);
                caller.lost &= !(1 << register);
            } else if *saved == Saved::Undefined {
                caller.lost |= 1 << register;
            }
        }
        if row.saved(P::RETURN_ADDRESS) == Saved::Unchanged {
            caller.set(P::RETURN_ADDRESS, self.link()?);
        }
        if !row.is_signal {
            let is_saved = matches!(row.saved(P::RETURN_ADDRESS), Saved::Offset(_));
            self.check(stack_pointer, is_saved)?;
        }
        let pc = P::plain(caller.get(P::RETURN_ADDRESS));
        caller.set(P::RETURN_ADDRESS, pc);
        self.frame = caller;
        Ok(if pc == P::Word::default() { Next::Nobody } else { Next::Caller })
    }

    fn known(&self, register: usize) -> Result<P::Word, Stop<G::Unsure>> {
        self.frame.known(register).ok_or(self.lost())
    }

    /// Meaning of a register that is not known.
    fn lost(&self) -> Stop<G::Unsure> {
        if self.keeps_all { Stop::For(Incomplete::RegisterLost) } else { Stop::NeedsRegisters }
    }

    fn evaluate(
        &mut self,
        expression: &[u8],
        first: Option<P::Word>,
    ) -> Result<P::Word, Stop<G::Unsure>> {
        let frame = &self.frame;
        let known = |number| frame.known(P::index(number));
        let value = expression::evaluate::<P>(expression, first, known, self.memory);
        value.map_err(|failure| match failure {
            Failure::RegisterLost => self.lost(),
            failure => failure.into(),
        })
    }

    /// The caller's value of a register, if it is not that of now. The value of a register that nobody
    /// asks for yet may be lost.
    fn saved(
        &mut self,
        register: usize,
        saved: Saved<'_>,
        cfa: P::Word,
    ) -> Result<Option<P::Word>, Stop<G::Unsure>> {
        Ok(Some(match saved {
            Saved::Unchanged | Saved::Undefined => return Ok(None),
            Saved::Offset(offset) if register != P::RETURN_ADDRESS => {
                return self.restored(cfa.moved(offset));
            }
            Saved::Offset(offset) => self.word(cfa.moved(offset))?,
            Saved::Value(offset) => cfa.moved(offset),
            Saved::Register(other) => {
                let is_needed =
                    [P::RETURN_ADDRESS, P::STACK_POINTER, P::FRAME_POINTER].contains(&register);
                match self.frame.known(other) {
                    None if !is_needed => return Ok(None),
                    None => return Err(self.lost()),
                    Some(value) => value,
                }
            }
            Saved::Expression(expression) => {
                let address = self.evaluate(expression, Some(cfa))?;
                self.word(address)?
            }
            Saved::ValueExpression(expression) => self.evaluate(expression, Some(cfa))?,
        }))
    }
}
