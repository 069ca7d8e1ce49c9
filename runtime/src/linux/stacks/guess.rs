//! The callers of code that has no unwind rules.
//!
//! Where calls leave the return address in a register, interrupted code may not have saved it yet. Else a frame
//! pointer that makes sense leads on, else the nearest word of the stack that can be a return address; where all
//! functions leave their callers in a chain, that does instead. What was found so is marked as a guess, unless the
//! call that it would return to leads nowhere else.
//!
//! *Context:* signal, on a stack of its own.

use gmon_format::live::Label;

use super::modules;
use super::processor::{Call, Chained, Native, Processor, Record, Values};
use super::walk::{Frame, Next, Stop, Walk};
use crate::arch;
use crate::linux::program::Program;

/// Words of the stack among which a return address is looked for.
const SCANNED: usize = 64;

/// Frame pointers further up than this are not believed, in bytes.
const LONGEST_FRAME: usize = 1 << 20;

/// How far behind a function's first instruction its code is believed to go, in bytes.
const LONGEST_FUNCTION: usize = 64 * 1024;

/// How far behind a function's first instruction it may still be about to save registers.
const LONGEST_START: usize = 24;

/// How far behind the program's first instruction it calls the C library.
const LONGEST_ENTRY: usize = 96;

/// How far behind its first instruction a stub of the linker goes.
const LONGEST_STUB: usize = 16;

const WORD: usize = size_of::<usize>();

/// What may be the caller.
struct Guess {
    pc: usize,
    stack_pointer: usize,
    /// Whether the caller's stack pointer may be higher.
    is_above: bool,
    /// Unchanged if nothing is known about it.
    frame_pointer: Option<usize>,
    is_certain: bool,
    /// Whether the chain led there, which has no frame pointers.
    is_chained: bool,
}

impl Walk<'_> {
    /// Goes on from code without rules.
    #[inline(never)]
    pub(super) fn guess(&mut self, pc: usize) -> Result<Next, Stop> {
        if self.leave_handler() {
            return Ok(Next::Caller);
        }
        if self.is_first_function(pc) {
            return Ok(Next::Nobody);
        }
        let guess = match self.by_link(pc).or_else(|| self.stub(pc)) {
            Some(guess) => Some(guess),
            None if self.is_end_of_chain() => return Ok(Next::Nobody),
            None if Native::CHAIN.is_some() => self.by_chain(),
            None => self.by_frame_pointer().or_else(|| self.scan(pc)),
        };
        let Some(guess) = guess else {
            let is_known = modules::has(pc);
            return Err(Stop::For(if is_known { Label::NoRules } else { Label::NoModule }));
        };
        let frame_pointer = guess.frame_pointer.unwrap_or(self.frame.get(Native::FRAME_POINTER));
        self.frame.enter(guess.pc, guess.stack_pointer, frame_pointer, !guess.is_certain);
        if guess.is_above {
            self.frame.lose_stack_pointer();
        }
        if guess.is_chained {
            self.frame.lose_frame_pointer();
        }
        Ok(Next::Caller)
    }

    /// Whether the program began with this code, which has called the C library. It has no rules on MIPS.
    fn is_first_function(&self, pc: usize) -> bool {
        let distance = |program: &Program| pc.wrapping_sub(program.entry);
        !self.frame.is_interrupted
            && Program::get().is_some_and(|program| distance(program) < LONGEST_ENTRY)
    }

    /// Goes from where a signal handler returns to on to what the signal has interrupted; false if the frame is not
    /// there.
    pub(super) fn leave_handler(&mut self) -> bool {
        let pc = self.frame.get(Native::RETURN_ADDRESS);
        let found = match self.frame.known(Native::STACK_POINTER) {
            Some(stack_pointer) => Native::interrupted(self.memory, pc, stack_pointer),
            None => self.interrupted_above(pc),
        };
        found.map(|registers| self.frame = Frame::new(&registers)).is_some()
    }

    /// The registers of interrupted code, if the frame of the signal lies not far above the stack pointer. The kernel
    /// leaves two of them where the frame pointer points to as well.
    fn interrupted_above(&mut self, pc: usize) -> Option<Values> {
        if !self.is_end_of_handler(pc) {
            return None;
        }
        let (record, frame) = (Native::RECORDS.first()?, self.frame.get(Native::FRAME_POINTER));
        let outer = self.memory.word(frame.checked_add_signed(record.frame_pointer)?)?;
        let link = self.memory.word(frame.checked_add_signed(record.return_address)?)?;
        self.places().find_map(|place| {
            let registers = Native::interrupted(self.memory, pc, place)?;
            let has = |number: usize, value| registers.get(number) == Some(&value);
            (has(Native::FRAME_POINTER, outer) && has(Native::LINK?, link)).then_some(registers)
        })
    }

    /// Whether an address is where signal handlers return to.
    fn is_end_of_handler(&mut self, pc: usize) -> bool {
        Native::interrupted(self.memory, pc, self.frame.get(Native::STACK_POINTER)).is_some()
    }

    /// Whether a function can return to an address.
    fn is_returned_to(&mut self, pc: usize) -> bool {
        Native::call_before(self.memory, pc).is_some() || self.is_end_of_handler(pc)
    }

    /// The caller by the register that calls leave the return address in. If the function has called others since, the
    /// register may be left over from one of them, and then leads into the function itself.
    fn by_link(&mut self, pc: usize) -> Option<Guess> {
        let link = Native::LINK.filter(|_| self.frame.is_interrupted)?;
        let caller = Native::plain(self.frame.known(link)?);
        let call = Native::call_before(self.memory, caller).filter(|_| modules::has(caller))?;
        if !leads_to(call, pc) {
            return None;
        }
        let stack_pointer = self.frame.get(Native::STACK_POINTER);
        let leaf = Guess {
            pc: caller,
            stack_pointer,
            is_above: false,
            frame_pointer: None,
            is_certain: call.target().is_some_and(|target| pc.wrapping_sub(target) <= LONGEST_STUB),
            is_chained: false,
        };
        // If the function has saved the register already, its frame ends above.
        if Native::CHAIN.is_some() {
            return Some(self.by_chain().filter(|guess| guess.pc == caller).unwrap_or(leaf));
        }
        if let Some(guess) = self.by_frame_pointer().filter(|guess| guess.pc == caller) {
            return Some(guess);
        }
        let saved = self.places().find(|place| {
            let word = self.memory.word(*place);
            word.is_some_and(|word| Native::plain(word) == caller)
        });
        Some(saved.map_or(leaf, |place| self.saved_at(place, caller)))
    }

    /// Goes on from the first instructions of a function, where rules do not hold, or from a hook that these call.
    pub(super) fn leave_first_instructions(&mut self, pc: usize) -> Option<()> {
        let link = self.frame.known(Native::LINK?)?;
        if arch::hooks().contains(&pc) {
            return self.leave_returning_hook().or_else(|| self.leave_hook(Native::plain(link)));
        }
        let target = Native::call_before(self.memory, Native::plain(link))?.target()?;
        if pc.wrapping_sub(target) >= LONGEST_START {
            return None;
        }
        let guess = self.by_link(pc)?;
        let frame_pointer = guess.frame_pointer.unwrap_or(self.frame.get(Native::FRAME_POINTER));
        self.frame.enter(guess.pc, guess.stack_pointer, frame_pointer, !guess.is_certain);
        Some(())
    }

    /// Goes from a hook to the function that calls it, as if that was interrupted when the hook returned. What the hook
    /// leaves on the stack ends with the function's return address, which it then has in the register again.
    fn leave_hook(&mut self, function: usize) -> Option<()> {
        for place in self.places() {
            let caller = self.memory.word(place)?;
            let call = Native::call_before(self.memory, Native::plain(caller));
            let leads = |call: Call| {
                let distance = call.target().map(|target| function.wrapping_sub(target));
                distance.is_none_or(|distance| distance < LONGEST_START)
            };
            if call.is_some_and(leads) {
                self.frame.set(Native::LINK?, caller);
                self.frame.set(Native::STACK_POINTER, place.wrapping_add(WORD));
                self.frame.set(Native::RETURN_ADDRESS, function);
                return Some(());
            }
        }
        None
    }

    /// Goes from a hook to the function that calls it where the register has something else already.
    fn leave_returning_hook(&mut self) -> Option<()> {
        let hooked = Native::HOOKED?(self.memory, self.frame.all())?;
        self.frame.set(Native::LINK?, hooked.caller);
        self.frame.set(Native::STACK_POINTER, hooked.stack_pointer);
        self.frame.set(Native::RETURN_ADDRESS, Native::plain(hooked.function));
        Some(())
    }

    /// A stub of the linker has nothing on the stack but its caller.
    fn stub(&mut self, pc: usize) -> Option<Guess> {
        let stack_pointer = self.frame.get(Native::STACK_POINTER);
        let is_pushed = self.frame.is_interrupted && Native::LINK.is_none();
        let caller = self.memory.word(stack_pointer).filter(|_| is_pushed)?;
        let target = Native::call_before(self.memory, caller)?.target()?;
        (pc.wrapping_sub(target) <= LONGEST_STUB).then_some(Guess {
            pc: caller,
            stack_pointer: stack_pointer.wrapping_add(WORD),
            is_above: false,
            frame_pointer: None,
            is_certain: true,
            is_chained: false,
        })
    }

    /// What the function has left in its frame.
    fn chained(&mut self) -> Option<Chained> {
        Native::CHAIN?(self.memory, self.frame.known(Native::STACK_POINTER)?)
    }

    fn is_end_of_chain(&mut self) -> bool {
        self.chained().is_some_and(|chained| chained.stack_pointer == 0)
    }

    /// The caller by what the function has left in its frame.
    fn by_chain(&mut self) -> Option<Guess> {
        let chained = self.chained()?;
        let pc = Native::plain(chained.return_address);
        let guess = Guess {
            pc,
            stack_pointer: chained.stack_pointer,
            is_above: false,
            frame_pointer: None,
            is_certain: false,
            is_chained: true,
        };
        self.is_returned_to(pc).then_some(guess)
    }

    /// The caller by what the frame pointer points to.
    fn by_frame_pointer(&mut self) -> Option<Guess> {
        let (frame, stack_pointer) =
            (self.frame.get(Native::FRAME_POINTER), self.frame.get(Native::STACK_POINTER));
        let distance = frame.checked_sub(stack_pointer)?;
        if frame % WORD != 0 || distance >= LONGEST_FRAME {
            return None;
        }
        Native::RECORDS.iter().find_map(|record| self.by_record(frame, record))
    }

    fn by_record(&mut self, frame: usize, record: &Record) -> Option<Guess> {
        let word = self.memory.word(frame.checked_add_signed(record.return_address)?)?;
        let outer = self.memory.word(frame.checked_add_signed(record.frame_pointer)?)?;
        let pc = Native::plain(word);
        let guess = Guess {
            pc,
            stack_pointer: frame.checked_add(record.end)?,
            is_above: !record.ends_frame,
            frame_pointer: Some(outer),
            is_certain: false,
            is_chained: false,
        };
        self.is_returned_to(pc).then_some(guess)
    }

    /// The nearest word that can be a return address: it follows a call that may lead here.
    #[inline(never)]
    fn scan(&mut self, pc: usize) -> Option<Guess> {
        for place in self.places() {
            let address = Native::plain(self.memory.word(place)?);
            let call = if modules::has(address) {
                Native::call_before(self.memory, address)
            } else {
                None
            };
            if call.is_some_and(|call| leads_to(call, pc)) || self.is_end_of_handler(address) {
                return Some(self.saved_at(place, address));
            }
        }
        None
    }

    /// A caller whose address was found on the stack.
    fn saved_at(&mut self, place: usize, pc: usize) -> Guess {
        let above = Native::RECORDS.first().filter(|record| !record.ends_frame);
        let outer = above.and_then(|record| {
            let frame = place.checked_add_signed(-record.return_address)?;
            self.memory.word(frame.checked_add_signed(record.frame_pointer)?)
        });
        Guess {
            pc,
            stack_pointer: place.wrapping_add(WORD),
            is_above: above.is_some(),
            frame_pointer: outer.filter(|outer| *outer > place),
            is_certain: false,
            is_chained: false,
        }
    }

    /// Where words of the stack are that may be of this frame.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let stack_pointer = self.frame.get(Native::STACK_POINTER) & !(WORD - 1);
        (0..SCANNED).map(move |n| stack_pointer.wrapping_add(n * WORD))
    }
}

/// Whether a call can lead into the function around an address.
fn leads_to(call: Call, pc: usize) -> bool {
    call.target().is_none_or(|target| pc.wrapping_sub(target) < LONGEST_FUNCTION)
}
