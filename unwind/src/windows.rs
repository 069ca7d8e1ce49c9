//! Callers by register windows, which SPARC has.
//!
//! A function takes a window by the instruction `save`, and has its caller's stack pointer and the address of the call
//! there. One that calls no other may do without: then both are still where the call left them. Rules tell which it is;
//! where there are none, the code does, from where the call leads to.

use crate::memory::Memory;
use crate::processor::{Call, Processor, Windows};
use crate::program::Program;
use crate::rules::{Row, Saved};
use crate::walk::{Next, Stop, Walk};
use crate::word::Word;

/// Length of the longest function that is believed in, in bytes.
const LONGEST_FUNCTION: usize = 64 * 1024;

/// Whose window a function uses.
enum Window {
    Own,
    /// The caller's, of whose call this register has the address.
    Callers(usize),
    /// The caller's, as far as one can see.
    PerhapsCallers,
}

impl<'t, P: Processor, M: Memory, G: Program<'t, P>> Walk<'_, 't, P, M, G> {
    /// Goes on to the caller.
    #[inline(never)]
    pub(crate) fn step_by_window(
        &mut self,
        pc: P::Word,
        windows: Windows,
    ) -> Result<Next, Stop<G::Unsure>> {
        let is_interrupted = self.frame.is_interrupted;
        if !is_interrupted && self.leave_handler() {
            return Ok(Next::Caller);
        }
        let window = if is_interrupted { self.window(pc)? } else { Window::Own };
        let (link, is_guess) = match window {
            Window::Own => return self.leave_window(windows),
            Window::Callers(link) => (link, false),
            Window::PerhapsCallers => (Windows::LINK, true),
        };
        let (caller, outer) = (self.frame.get(link), self.frame.get(Windows::FRAME_POINTER));
        self.frame.enter(caller, self.frame.get(P::STACK_POINTER), outer, is_guess);
        Ok(Next::Caller)
    }

    fn leave_window(&mut self, windows: Windows) -> Result<Next, Stop<G::Unsure>> {
        let (caller, outer) =
            (self.frame.get(Windows::CALL), self.frame.get(Windows::FRAME_POINTER));
        if [caller, outer].contains(&P::Word::default()) {
            return Ok(Next::Nobody);
        }
        self.check(outer, false)?;
        self.frame.enter(caller, outer, P::Word::default(), false);
        let first = outer.behind(windows.bias);
        for n in 0..Windows::LEN {
            let word = self.word(first.behind(n * P::Word::SIZE))?;
            self.frame.set(Windows::FIRST + n, word);
        }
        Ok(Next::Caller)
    }

    /// Whose window a function uses that was interrupted.
    fn window(&mut self, pc: P::Word) -> Result<Window, Stop<G::Unsure>> {
        let mut row = Row::new();
        if self.find(pc, &mut row)? {
            return Ok(match row.saved(P::RETURN_ADDRESS) {
                Saved::Unchanged => Window::Callers(Windows::LINK),
                Saved::Register(register) if register < Windows::FIRST => Window::Callers(register),
                _ => Window::Own,
            });
        }
        let link = self.frame.get(Windows::LINK);
        let call = P::call_before(self.memory, link).filter(|_| self.program.is_code(link.get()));
        Ok(match call {
            Some(Call::Direct(target)) if pc.distance(target) < LONGEST_FUNCTION => {
                let mut code = (0..pc.distance(target)).step_by(4).map(|at| target.behind(at));
                let saves = code.any(|pc| self.instruction(pc).is_some_and(is_save));
                if saves { Window::Own } else { Window::Callers(Windows::LINK) }
            }
            Some(Call::Indirect) => self.window_by_code(pc),
            Some(Call::Direct(_)) | None => Window::Own,
        })
    }

    /// Whose window a function uses whose start is not known, by the code before. A return there ends the function
    /// before this one, or is one of several of this.
    fn window_by_code(&mut self, pc: P::Word) -> Window {
        // Where nothing can be read, the code has begun.
        for distance in (4..=LONGEST_FUNCTION).step_by(4) {
            match self.instruction(pc.before(distance)) {
                Some(RETURN | RETURN_OF_LEAF) => return Window::PerhapsCallers,
                Some(instruction) if !is_save(instruction) => {}
                Some(_) | None => return Window::Own,
            }
        }
        Window::Own
    }

    fn instruction(&mut self, pc: P::Word) -> Option<u32> {
        self.memory.bytes(pc.get()).map(u32::from_be_bytes)
    }
}

/// `ret` and `retl`, the jumps behind the calls.
const RETURN: u32 = 0x81c7_e008;
const RETURN_OF_LEAF: u32 = 0x81c3_e008;

fn is_save(instruction: u32) -> bool {
    instruction & 0xc1f8_0000 == 0x81e0_0000
}
