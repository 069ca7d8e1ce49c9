//! The walk from interrupted code to its callers, up to the first function of the thread.
//!
//! The unwind rules of the code lead, by way of the cache; where there are none, `guess` does. Where functions have
//! register windows, `windows` does.
//!
//! *Context:* signal, on a stack of its own.

use gmon_format::live::Label;

use super::cache;
use super::expression::{self, Failure};
use super::frames::Frames;
use super::made;
use super::memory::Memory;
use super::modules::{self, Code};
use super::processor::{Native, Processor, Values};
use super::rules::{Cfa, Row, Rule, Saved};
use crate::arch;
use crate::charge::charged_pc;

/// Frames that are stepped over at most, also those that are not kept.
const STEPS: usize = 16_384;

/// Fills `frames`, the innermost first, with the stack of code that was interrupted with these registers.
/// Says why it is not complete; `None` if it is.
///
/// # Errors
///
/// Somebody is about to learn whose code lies where, without which callers could only be guessed.
pub(super) fn walk(
    memory: &mut Memory,
    registers: &Values,
    frames: &mut Frames,
) -> Result<Option<Label>, TooEarly> {
    memory.begin();
    // Packed rules follow three registers. The whole ones are needed where code says by another one
    // where its frame is.
    for keeps_all in [false, true] {
        frames.clear();
        let mut walk = Walk { memory, frame: Frame::new(registers), keeps_all };
        match walk.run(frames) {
            Ok(()) => return Ok(None),
            Err(Stop::NeedsRegisters) => {}
            Err(Stop::For(label)) => return Ok(Some(label)),
            Err(Stop::TooEarly) => return Err(TooEarly),
        }
    }
    Ok(Some(Label::RegisterLost))
}

/// More will be known in a moment.
pub(super) struct TooEarly;

/// Why a walk ends before its end.
pub(super) enum Stop {
    For(Label),
    /// A register is needed that was not kept.
    NeedsRegisters,
    /// See [`TooEarly`].
    TooEarly,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Senseless => Self::For(Label::BadRules),
            Failure::Unreadable => Self::For(Label::Unreadable),
            Failure::RegisterLost => Self::NeedsRegisters,
        }
    }
}

/// What comes after a frame.
pub(super) enum Next {
    Caller,
    Nobody,
}

/// A frame on the way.
pub(super) struct Frame {
    registers: Values,
    /// Which registers are not known, by bits.
    lost: u64,
    /// Whether the code was interrupted, and is not in a call.
    pub(super) is_interrupted: bool,
    is_guess: bool,
}

pub(super) struct Walk<'m> {
    pub(super) memory: &'m mut Memory,
    pub(super) frame: Frame,
    keeps_all: bool,
}

impl Frame {
    pub(super) fn new(registers: &Values) -> Self {
        Self { registers: *registers, lost: 0, is_interrupted: true, is_guess: false }
    }

    /// All registers, of which some may be lost.
    pub(super) fn all(&self) -> &Values {
        &self.registers
    }

    pub(super) fn get(&self, register: usize) -> usize {
        self.registers.get(register).copied().unwrap_or(0)
    }

    pub(super) fn known(&self, register: usize) -> Option<usize> {
        let is_known = register < Native::REGISTERS && self.lost >> register & 1 == 0;
        is_known.then(|| self.get(register))
    }

    pub(super) fn set(&mut self, register: usize, value: usize) {
        if let Some(place) = self.registers.get_mut(register) {
            *place = value;
        }
    }

    /// The address that rules and lines are looked up by: of a call, not of what comes after it.
    fn pc(&self) -> usize {
        let offset = if self.is_interrupted { 0 } else { arch::CALL_OFFSET };
        self.get(Native::RETURN_ADDRESS).wrapping_sub(offset)
    }

    /// Goes on to a caller of which these three are known.
    pub(super) fn enter(
        &mut self,
        pc: usize,
        stack_pointer: usize,
        frame_pointer: usize,
        is_guess: bool,
    ) {
        const KNOWN: u64 =
            1 << Native::RETURN_ADDRESS | 1 << Native::STACK_POINTER | 1 << Native::FRAME_POINTER;
        self.set(Native::RETURN_ADDRESS, pc);
        self.set(Native::STACK_POINTER, stack_pointer);
        self.set(Native::FRAME_POINTER, frame_pointer);
        self.lost = !KNOWN;
        self.is_interrupted = false;
        self.is_guess = is_guess;
    }

    /// Notes that the stack pointer is only known not to be below what it is taken for.
    pub(super) fn lose_stack_pointer(&mut self) {
        self.lost |= 1 << Native::STACK_POINTER;
    }

    /// Notes that the frame pointer may be that of a function that was called.
    pub(super) fn lose_frame_pointer(&mut self) {
        self.lost |= 1 << Native::FRAME_POINTER;
    }
}

impl Walk<'_> {
    fn run(&mut self, frames: &mut Frames) -> Result<(), Stop> {
        for step in 0..STEPS {
            // What the runtime does is no part of the program, but its time is shown.
            let pc = self.frame.pc();
            let charged = if made::has(pc) { arch::hooks().start } else { charged_pc(pc) };
            let is_ours = arch::runtime_text().contains(&pc) && !arch::hooks().contains(&pc);
            if (step == 0 || !is_ours) && !frames.push(charged, self.frame.is_guess) {
                return Err(Stop::For(Label::Deeper));
            }
            match self.step(pc)? {
                Next::Caller => {}
                Next::Nobody => return Ok(()),
            }
        }
        Err(Stop::For(Label::Deeper))
    }

    /// Goes on to the caller.
    fn step(&mut self, pc: usize) -> Result<Next, Stop> {
        if let Some(windows) = Native::WINDOWS {
            return self.step_by_window(pc, windows);
        }
        let is_doubtful = !Native::ARE_RULES_EXACT && self.frame.is_interrupted;
        let own = rule_of_library_call(pc);
        if own.is_none() && is_doubtful && self.leave_first_instructions(pc).is_some() {
            return Ok(Next::Caller);
        }
        let knows_stack = self.frame.known(Native::STACK_POINTER).is_some();
        let knows_frame = self.frame.known(Native::FRAME_POINTER).is_some();
        let rule = match own {
            Some(rule) => rule,
            None => self.rule(pc)?,
        };
        match rule {
            Rule::Outermost if !is_doubtful => Ok(Next::Nobody),
            Rule::Outermost | Rule::None => self.guess(pc),
            Rule::Frame { by_frame_pointer: false, .. } | Rule::Slow if !knows_stack => {
                self.guess(pc)
            }
            Rule::Frame { by_frame_pointer: true, .. } if !knows_frame => self.guess(pc),
            Rule::Frame { by_frame_pointer, size, frame_pointer, return_address }
                if !self.keeps_all =>
            {
                let base =
                    if by_frame_pointer { Native::FRAME_POINTER } else { Native::STACK_POINTER };
                let knows_frame = knows_frame || frame_pointer.is_some();
                let cfa = self.frame.get(base).wrapping_add(size);
                let stack_pointer = cfa.wrapping_sub(Native::ABOVE_CALLER);
                self.check(stack_pointer, return_address.is_some())?;
                let frame_pointer = match frame_pointer {
                    Some(offset) => self.word(cfa.wrapping_sub(offset))?,
                    None => self.frame.get(Native::FRAME_POINTER),
                };
                let caller = match return_address {
                    Some(offset) => {
                        self.word(cfa.wrapping_add(Native::LINKAGE).wrapping_sub(offset))?
                    }
                    None if Native::ARE_RULES_EXACT => self.link()?,
                    None => match self.link() {
                        Ok(link) => link,
                        Err(_) => return self.guess(pc),
                    },
                };
                let caller = Native::plain(caller);
                if is_doubtful && Native::call_before(self.memory, caller).is_none() {
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

    fn call_from(&mut self, pc: usize, stack_pointer: usize, frame_pointer: usize) -> Next {
        if pc == 0 {
            return Next::Nobody;
        }
        self.frame.enter(pc, stack_pointer, frame_pointer, false);
        Next::Caller
    }

    /// The rule for an address, which is remembered.
    fn rule(&mut self, pc: usize) -> Result<Rule, Stop> {
        if let Some(packed) = cache::get(pc) {
            return Ok(packed.unpack());
        }
        let epoch = cache::epoch();
        let rule = match self.found(pc)? {
            Some(row) => Rule::of(&row),
            None => Rule::None,
        };
        cache::put(pc, rule.pack(), epoch);
        Ok(rule)
    }

    /// The row for an address, if there is one.
    #[inline(never)]
    pub(super) fn found(&mut self, pc: usize) -> Result<Option<Row>, Stop> {
        match modules::code(pc) {
            Code::Of(tables) => tables.find(pc).ok_or(Stop::For(Label::BadRules)),
            Code::WithoutRules => Ok(None),
            Code::Leaving => Err(Stop::For(Label::RuntimeBusy)),
            Code::Awaited => Err(Stop::TooEarly),
        }
    }

    pub(super) fn word(&mut self, address: usize) -> Result<usize, Stop> {
        self.memory.word(address).ok_or(Stop::For(Label::Unreadable))
    }

    /// The return address that the last call has left in a register, as long as no other call was made.
    fn link(&self) -> Result<usize, Stop> {
        let link = Native::LINK.filter(|_| self.frame.is_interrupted);
        link.map(|link| self.frame.get(link)).ok_or(Stop::For(Label::RegisterLost))
    }

    /// A caller's frame is further up the stack. Only a function that has not called another yet, and
    /// needs nothing of the stack, may share it with its caller; or, where it saves the return address in its caller's
    /// frame, one that has called a hook before it opens its own.
    pub(super) fn check(&self, stack_pointer: usize, is_saved: bool) -> Result<(), Stop> {
        let is_at_start = self.frame.is_interrupted || is_saved && Native::ABOVE_CALLER != 0;
        let own = self.frame.get(Native::STACK_POINTER);
        let grows = stack_pointer > own || stack_pointer == own && is_at_start;
        if grows { Ok(()) } else { Err(Stop::For(Label::NoProgress)) }
    }

    /// Goes on by everything that the rules say.
    #[inline(never)]
    fn step_by_row(&mut self, pc: usize) -> Result<Next, Stop> {
        let Some(row) = self.found(pc)? else { return self.guess(pc) };
        if row.is_signal && self.leave_handler() {
            return Ok(Next::Caller);
        }
        let cfa = match row.cfa {
            Cfa::Register(register, offset) => self.known(register)?.wrapping_add_signed(offset),
            Cfa::Expression(expression) => self.evaluate(expression, None)?,
        };
        let mut caller = Frame {
            registers: self.frame.registers,
            lost: self.frame.lost,
            is_interrupted: row.is_signal,
            is_guess: false,
        };
        let stack_pointer = cfa.wrapping_sub(Native::ABOVE_CALLER);
        caller.set(Native::STACK_POINTER, stack_pointer);
        for (register, saved) in row.saved.iter().enumerate() {
            if let Some(value) = self.saved(register, *saved, cfa)? {
                caller.set(register, value);
                caller.lost &= !(1 << register);
            } else if *saved == Saved::Undefined {
                caller.lost |= 1 << register;
            }
        }
        if row.saved(Native::RETURN_ADDRESS) == Saved::Unchanged {
            caller.set(Native::RETURN_ADDRESS, self.link()?);
        }
        if !row.is_signal {
            let is_saved = matches!(row.saved(Native::RETURN_ADDRESS), Saved::Offset(_));
            self.check(stack_pointer, is_saved)?;
        }
        let pc = Native::plain(caller.get(Native::RETURN_ADDRESS));
        caller.set(Native::RETURN_ADDRESS, pc);
        self.frame = caller;
        Ok(if pc == 0 { Next::Nobody } else { Next::Caller })
    }

    fn known(&self, register: usize) -> Result<usize, Stop> {
        self.frame.known(register).ok_or(self.lost())
    }

    /// What it means that a register is not known.
    fn lost(&self) -> Stop {
        if self.keeps_all { Stop::For(Label::RegisterLost) } else { Stop::NeedsRegisters }
    }

    fn evaluate(&mut self, expression: &'static [u8], first: Option<usize>) -> Result<usize, Stop> {
        let frame = &self.frame;
        let known = |number| frame.known(Native::index(number));
        let value = expression::evaluate(expression, first, known, self.memory);
        value.map_err(|failure| match failure {
            Failure::RegisterLost => self.lost(),
            failure => failure.into(),
        })
    }

    /// The caller's value of a register, if it is not that of now. The value of a register that nobody
    /// asks for yet may be lost.
    fn saved(&mut self, register: usize, saved: Saved, cfa: usize) -> Result<Option<usize>, Stop> {
        Ok(Some(match saved {
            Saved::Unchanged | Saved::Undefined => return Ok(None),
            Saved::Offset(offset) => self.word(cfa.wrapping_add_signed(offset))?,
            Saved::Value(offset) => cfa.wrapping_add_signed(offset),
            Saved::Register(other) => {
                let is_needed =
                    [Native::RETURN_ADDRESS, Native::STACK_POINTER, Native::FRAME_POINTER]
                        .contains(&register);
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

/// The rule for what the runtime does between a call into a library and the function: in a stub nothing is on the stack but
/// what the call has left there.
fn rule_of_library_call(pc: usize) -> Option<Rule> {
    const WORD: usize = size_of::<usize>();
    let (size, return_address) = match (made::has(pc), Native::LINK) {
        (true, Some(_)) => (0, None),
        (true, None) => (WORD, Some(WORD)),
        (false, _) => Native::LIBRARY_CALL?(pc)?,
    };
    let size = size + Native::ABOVE_CALLER;
    Some(Rule::Frame { by_frame_pointer: false, size, frame_pointer: None, return_address })
}
