//! The callers of code that has no unwind rules.
//!
//! Where calls leave the return address in a register, interrupted code may not have saved it yet. Else a frame
//! pointer that makes sense leads on, else the nearest word of the stack that can be a return address; where all
//! functions leave their callers in a chain, that does instead. What was found so is marked as a guess, unless the
//! call that it would return to leads nowhere else.

use crate::memory::Memory;
use crate::processor::{Call, Chained, Processor, Record, Registers};
use crate::program::Program;
use crate::walk::{Frame, Incomplete, Next, Stop, Walk};
use crate::word::Word;

/// Words of the stack among which a return address is looked for.
const SCANNED: usize = 64;

/// Words among which one is looked for behind a call that names the function: arrays in its frame may lie before it, and hold
/// return addresses of earlier calls.
const SCANNED_FOR_ITS_CALL: usize = 512;

/// Frame pointers further up than this are not believed, in bytes.
const LONGEST_FRAME: usize = 1 << 20;

/// Length of the longest function that is believed in, in bytes.
const LONGEST_FUNCTION: usize = 64 * 1024;

/// Bytes between a function and one before it that it jumps to at its end, as musl's `qsort` does.
const LONGEST_JUMP: usize = 4096;

/// Length of most functions that are made at run time, in bytes, up to where they make calls.
const LONGEST_MADE: usize = 4096;

/// Bytes behind a function's first instruction within which it may still be about to save
/// registers.
const LONGEST_START: usize = 24;

/// Bytes behind the program's first instruction within which it calls the C library.
const LONGEST_ENTRY: usize = 96;

/// Bytes of a stub of the linker, from its first instruction on.
const LONGEST_STUB: usize = 16;

/// Frame that may be the caller's.
struct Guess<W> {
    pc: W,
    stack_pointer: W,
    /// True if the caller's stack pointer may be higher.
    is_above: bool,
    /// Unchanged if nothing is known about it.
    frame_pointer: Option<W>,
    is_certain: bool,
    /// True if the chain led there, which has no frame pointers.
    is_chained: bool,
}

impl<'t, P: Processor, M: Memory, G: Program<'t, P>> Walk<'_, 't, P, M, G> {
    /// Goes on from code without rules.
    #[inline(never)]
    pub(crate) fn guess(&mut self, pc: P::Word) -> Result<Next, Stop<G::Unsure>> {
        if self.leave_handler() {
            return Ok(Next::Caller);
        }
        if self.is_first_function(pc) || self.is_first_of_thread() {
            return Ok(Next::Nobody);
        }
        self.memory.doubt();
        let guess = match self.by_link(pc).or_else(|| self.stub(pc)) {
            Some(guess) => Some(guess),
            None if self.is_end_of_chain() => return Ok(Next::Nobody),
            None if P::IS_CHAINED => self.by_chain(),
            None => self.by_frame_pointer().or_else(|| self.scan(pc)),
        };
        let Some(guess) = guess else {
            if self.is_marked_as_first() {
                return Ok(Next::Nobody);
            }
            let is_known = self.program.is_code(pc.get());
            return Err(Stop::For(if is_known {
                Incomplete::NoRules
            } else {
                Incomplete::NoModule
            }));
        };
        // The code may have used the register for something else: what lies in no frame of a caller is not the caller's.
        let is_of_caller =
            |pointer: &P::Word| pointer.distance(guess.stack_pointer) < LONGEST_FRAME;
        let kept = self.frame.known(P::FRAME_POINTER).filter(is_of_caller);
        let frame_pointer = guess.frame_pointer.or(kept);
        self.frame.enter(
            guess.pc,
            guess.stack_pointer,
            frame_pointer.unwrap_or_default(),
            !guess.is_certain,
        );
        if frame_pointer.is_none() {
            self.frame.lose_frame_pointer();
        }
        if guess.is_above {
            self.frame.lose_stack_pointer();
        }
        if guess.is_chained {
            self.frame.lose_frame_pointer();
        }
        Ok(Next::Caller)
    }

    /// True if the program began with this code, which has called the C library. It has no rules on MIPS.
    fn is_first_function(&self, pc: P::Word) -> bool {
        !self.frame.is_interrupted && self.is_entry(pc)
    }

    /// True if the program begins with this code.
    fn is_entry(&self, pc: P::Word) -> bool {
        let distance = |entry| pc.distance(P::Word::of(entry));
        self.program.entry().is_some_and(|entry| distance(entry) < LONGEST_ENTRY)
    }

    /// True if the frame pointer is zero, or the one that the function has saved, as ABIs have it in the first function of a
    /// thread. Goroutines begin so: their first function returns to code that calls nothing there.
    fn is_marked_as_first(&mut self) -> bool {
        let Some(frame) = self.frame.known(P::FRAME_POINTER) else { return false };
        if frame == P::Word::default() {
            return !self.frame.is_interrupted;
        }
        if frame.distance(self.frame.get(P::STACK_POINTER)) >= LONGEST_FRAME {
            return false;
        }
        P::RECORDS.first().is_some_and(|record| {
            let mut saved = |offset| self.memory.word::<P>(frame.moved(offset));
            let (outer, caller) = (saved(record.frame_pointer), saved(record.return_address));
            outer == Some(P::Word::default())
                && caller.is_some_and(|pc| self.program.is_code(P::plain(pc).get()))
        })
    }

    /// True if a thread began with this code.
    fn is_first_of_thread(&mut self) -> bool {
        let pc = self.frame.get(P::RETURN_ADDRESS);
        !self.frame.is_interrupted && P::ends_thread(self.memory, pc)
    }

    /// Goes from where a signal handler returns to on to what the signal has interrupted; false if the frame is not
    /// there.
    pub(crate) fn leave_handler(&mut self) -> bool {
        let pc = self.frame.get(P::RETURN_ADDRESS);
        let found = match self.frame.known(P::STACK_POINTER) {
            Some(stack_pointer) => P::interrupted(self.memory, pc, stack_pointer),
            None => self.interrupted_above(pc),
        };
        found.map(|registers| self.frame = Frame::new(&registers)).is_some()
    }

    /// The registers of interrupted code, if the frame of the signal lies not far above the stack pointer. The kernel
    /// leaves two of them where the frame pointer points to as well.
    fn interrupted_above(&mut self, pc: P::Word) -> Option<Registers<P>> {
        if !self.is_end_of_handler(pc) {
            return None;
        }
        let (record, frame) = (P::RECORDS.first()?, self.frame.get(P::FRAME_POINTER));
        let outer = self.memory.word::<P>(frame.moved(record.frame_pointer))?;
        let link = self.memory.word::<P>(frame.moved(record.return_address))?;
        self.places(SCANNED).find_map(|place| {
            let registers = P::interrupted(self.memory, pc, place)?;
            let has = |number: usize, value| registers.as_ref().get(number) == Some(&value);
            (has(P::FRAME_POINTER, outer) && has(P::LINK?, link)).then_some(registers)
        })
    }

    /// True if an address is where signal handlers return to.
    fn is_end_of_handler(&mut self, pc: P::Word) -> bool {
        P::interrupted(self.memory, pc, self.frame.get(P::STACK_POINTER)).is_some()
    }

    /// True if a function can return to an address.
    fn is_returned_to(&mut self, pc: P::Word) -> bool {
        P::call_before(self.memory, pc).is_some() || self.is_end_of_handler(pc)
    }

    /// The caller by the register that calls leave the return address in. If the function has called others since, the
    /// register may be left over from one of them, and then leads into the function itself.
    fn by_link(&mut self, pc: P::Word) -> Option<Guess<P::Word>> {
        let link = P::LINK.filter(|_| self.frame.is_interrupted)?;
        let caller = P::plain(self.frame.known(link)?);
        let call =
            P::call_before(self.memory, caller).filter(|_| self.program.is_code(caller.get()))?;
        if !leads_to(call, pc) {
            return None;
        }
        let stack_pointer = self.frame.get(P::STACK_POINTER);
        let leaf = Guess {
            pc: caller,
            stack_pointer,
            is_above: false,
            frame_pointer: None,
            is_certain: call.target().is_some_and(|target| pc.distance(target) <= LONGEST_STUB),
            is_chained: false,
        };
        // If the function has saved the register already, its frame ends above.
        if P::IS_CHAINED {
            return Some(self.by_chain().filter(|guess| guess.pc == caller).unwrap_or(leaf));
        }
        if let Some(guess) = self.by_frame_pointer().filter(|guess| guess.pc == caller) {
            return Some(guess);
        }
        let saved = self.places(SCANNED).find(|place| {
            let word = self.memory.word::<P>(*place);
            word.is_some_and(|word| P::plain(word) == caller)
        });
        Some(saved.map_or(leaf, |place| self.saved_at(place, caller)))
    }

    /// Goes on from the first instructions of a function, where rules do not hold, or from a hook that these call.
    pub(crate) fn leave_first_instructions(&mut self, pc: P::Word) -> Option<()> {
        let link = self.frame.known(P::LINK?)?;
        if self.program.is_hook(pc.get()) {
            return self.leave_returning_hook().or_else(|| self.leave_hook(P::plain(link)));
        }
        let target = P::call_before(self.memory, P::plain(link))?.target()?;
        if pc.distance(target) >= LONGEST_START {
            return None;
        }
        let guess = self.by_link(pc)?;
        let frame_pointer = guess.frame_pointer.unwrap_or(self.frame.get(P::FRAME_POINTER));
        self.frame.enter(guess.pc, guess.stack_pointer, frame_pointer, !guess.is_certain);
        Some(())
    }

    /// Goes from a hook to the function that calls it, as if that was interrupted when the hook returned. What the hook
    /// leaves on the stack ends with the function's return address, which it then has in the register again.
    fn leave_hook(&mut self, function: P::Word) -> Option<()> {
        for place in self.places(SCANNED) {
            let caller = self.memory.word::<P>(place)?;
            let call = P::call_before(self.memory, P::plain(caller));
            let leads = |call: Call<P::Word>| {
                let distance = call.target().map(|target| function.distance(target));
                distance.is_none_or(|distance| distance < LONGEST_START)
            };
            if call.is_some_and(leads) {
                self.frame.set(P::LINK?, caller);
                self.frame.set(P::STACK_POINTER, place.behind(P::Word::SIZE));
                self.frame.set(P::RETURN_ADDRESS, function);
                return Some(());
            }
        }
        None
    }

    /// Goes from a hook to the function that calls it where the register has something else already.
    fn leave_returning_hook(&mut self) -> Option<()> {
        let hooked = self.program.hooked(self.memory, self.frame.all())?;
        self.frame.set(P::LINK?, hooked.caller);
        self.frame.set(P::STACK_POINTER, hooked.stack_pointer);
        self.frame.set(P::RETURN_ADDRESS, P::plain(hooked.function));
        Some(())
    }

    /// A stub of the linker has nothing on the stack but its caller.
    fn stub(&mut self, pc: P::Word) -> Option<Guess<P::Word>> {
        let stack_pointer = self.frame.get(P::STACK_POINTER);
        let is_pushed = self.frame.is_interrupted && P::LINK.is_none();
        let caller = self.memory.word::<P>(stack_pointer).filter(|_| is_pushed)?;
        let target = P::call_before(self.memory, caller)?.target()?;
        (pc.distance(target) <= LONGEST_STUB).then_some(Guess {
            pc: caller,
            stack_pointer: stack_pointer.behind(P::Word::SIZE),
            is_above: false,
            frame_pointer: None,
            is_certain: true,
            is_chained: false,
        })
    }

    /// Words that the function has left in its frame.
    fn chained(&mut self) -> Option<Chained<P::Word>> {
        P::chain(self.memory, self.frame.known(P::STACK_POINTER)?)
    }

    fn is_end_of_chain(&mut self) -> bool {
        self.chained().is_some_and(|chained| chained.stack_pointer == P::Word::default())
    }

    /// The caller by what the function has left in its frame.
    fn by_chain(&mut self) -> Option<Guess<P::Word>> {
        let chained = self.chained()?;
        let pc = P::plain(chained.return_address);
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
    fn by_frame_pointer(&mut self) -> Option<Guess<P::Word>> {
        let (frame, stack_pointer) =
            (self.frame.get(P::FRAME_POINTER), self.frame.get(P::STACK_POINTER));
        let distance = frame.distance(stack_pointer);
        if frame.get() % P::Word::SIZE as u64 != 0 || distance >= LONGEST_FRAME {
            return None;
        }
        P::RECORDS.iter().find_map(|record| self.by_record(frame, record))
    }

    fn by_record(&mut self, frame: P::Word, record: &Record) -> Option<Guess<P::Word>> {
        let (guess, is_further_up) = self.recorded(frame, record)?;
        let is_made = is_further_up && self.program.is_made(guess.pc.get());
        (is_made || self.is_returned_to(guess.pc)).then_some(guess)
    }

    /// The caller that a record at an address tells, and `true` if that caller's own would lie further up.
    fn recorded(&mut self, frame: P::Word, record: &Record) -> Option<(Guess<P::Word>, bool)> {
        let word = self.memory.word::<P>(frame.moved(record.return_address))?;
        let outer = self.memory.word::<P>(frame.moved(record.frame_pointer))?;
        let guess = Guess {
            pc: P::plain(word),
            stack_pointer: frame.behind(record.end),
            is_above: !record.ends_frame,
            frame_pointer: Some(outer),
            is_certain: false,
            is_chained: false,
        };
        Some((guess, outer > frame && outer.distance(frame) < LONGEST_FRAME))
    }

    /// The caller in code that was made at run time whose return address lies at a place, behind a frame pointer that makes sense:
    /// there need be no call before it.
    fn made_at(&mut self, place: P::Word) -> Option<Guess<P::Word>> {
        let record = P::RECORDS.first()?;
        let (guess, is_further_up) = self.recorded(place.moved(-record.return_address), record)?;
        (is_further_up && self.program.is_made(guess.pc.get())).then_some(guess)
    }

    /// The nearest word that can be a return address: it follows a call that may lead here.
    #[inline(never)]
    fn scan(&mut self, pc: P::Word) -> Option<Guess<P::Word>> {
        if self.program.is_made(pc.get()) {
            return self.scan_made(pc);
        }
        for (n, place) in self.places(SCANNED_FOR_ITS_CALL).enumerate() {
            let address = P::plain(self.memory.word::<P>(place)?);
            let call =
                if self.is_code(address) { P::call_before(self.memory, address) } else { None };
            let is_near = n < SCANNED;
            let is_caller = call.is_some_and(|call| self.may_lead(address, call, pc, is_near));
            if is_caller || is_near && self.is_end_of_handler(address) {
                return Some(self.saved_at(place, address));
            }
        }
        None
    }

    /// Finds the caller of code that was made at run time. Functions of a compiler lie side by side, so calls that earlier ones left
    /// on the stack may seem to lead here as well: the one counts whose function begins nearest. Where an interpreter has a
    /// frame, too, that must be near indeed, or the interpreter is the caller. Without both it is the compiler's own code.
    #[inline(never)]
    fn scan_made(&mut self, pc: P::Word) -> Option<Guess<P::Word>> {
        let mut nearest: Option<(usize, P::Word, P::Word)> = None;
        let (mut interpreted, mut outside) = (None, None);
        for (n, place) in self.places(SCANNED_FOR_ITS_CALL).enumerate() {
            let Some(word) = self.memory.word::<P>(place) else { break };
            let address = P::plain(word);
            let is_made = self.program.is_made(address.get());
            let is_wanted = is_made || outside.is_none() && n < SCANNED && self.is_code(address);
            let call = if is_wanted { P::call_before(self.memory, address) } else { None };
            match call {
                Some(call) if !is_made && leads_to(call, pc) => outside = Some((place, address)),
                Some(Call::Direct(target)) => {
                    let distance = pc.distance(target);
                    if nearest.is_none_or(|(least, ..)| distance < least) {
                        nearest = Some((distance, place, address));
                    }
                }
                None if is_made && interpreted.is_none() => interpreted = self.made_at(place),
                _ => {}
            }
        }
        let longest = if interpreted.is_some() { LONGEST_MADE } else { LONGEST_FUNCTION };
        let nearest = nearest.filter(|(distance, ..)| *distance < longest);
        let nearest = nearest.map(|(_, place, address)| self.saved_at(place, address));
        let outside = || outside.map(|(place, address)| self.saved_at(place, address));
        nearest.or(interpreted).or_else(outside)
    }

    /// True if an address is in a module, and not in the profiler's own code behind the program's.
    fn is_code(&mut self, address: P::Word) -> bool {
        let address = address.get();
        self.program.is_code(address) && !(self.has_left_own && self.program.is_own(address))
    }

    /// True if the call before a return address may lead into the function around `pc`. A call that tells nothing of where it
    /// leads does so near the function's frame only.
    fn may_lead(
        &mut self,
        address: P::Word,
        call: Call<P::Word>,
        pc: P::Word,
        is_near: bool,
    ) -> bool {
        if self.is_entry(address) {
            return true;
        }
        let target = P::through_memory(self.memory, address, call).or(call.target());
        target.map_or(is_near, |target| {
            pc.distance(target) < LONGEST_FUNCTION || target.distance(pc) < LONGEST_JUMP
        })
    }

    /// A caller whose address was found on the stack.
    fn saved_at(&mut self, place: P::Word, pc: P::Word) -> Guess<P::Word> {
        let above = P::RECORDS.first().filter(|record| !record.ends_frame);
        let outer = above.and_then(|record| {
            let frame = place.moved(-record.return_address);
            self.memory.word::<P>(frame.moved(record.frame_pointer))
        });
        Guess {
            pc,
            stack_pointer: place.behind(P::Word::SIZE),
            is_above: above.is_some(),
            frame_pointer: outer.filter(|outer| *outer > place),
            is_certain: false,
            is_chained: false,
        }
    }

    /// Words of the stack that may be of this frame.
    pub(crate) fn places(&self, count: usize) -> impl Iterator<Item = P::Word> + use<'t, P, M, G> {
        let stack_pointer = self.frame.get(P::STACK_POINTER);
        let first = stack_pointer.before(stack_pointer.get() as usize % P::Word::SIZE);
        (0..count).map(move |n| first.behind(n * P::Word::SIZE))
    }
}

/// True if a call can lead into the function around an address.
pub(crate) fn leads_to<W: Word>(call: Call<W>, pc: W) -> bool {
    call.target().is_none_or(|target| pc.distance(target) < LONGEST_FUNCTION)
}
