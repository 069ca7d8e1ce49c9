//! Callers by register windows, which SPARC has.
//!
//! A function takes a window by the instruction `save`, and has its caller's stack pointer and the address of the call
//! there. One that calls no other may do without: then both are still where the call left them. Rules tell which it is;
//! where there are none, the code does, from where the call leads to.
//!
//! *Context:* signal, on a stack of its own.

use super::modules;
use super::processor::{Call, Native, Processor, Windows};
use super::rules::Saved;
use super::walk::{Next, Stop, Walk};

/// How far behind a function's first instruction its code is believed to go, in bytes.
const LONGEST_FUNCTION: usize = 64 * 1024;

const WORD: usize = size_of::<usize>();

/// Whose window a function uses.
enum Window {
    Own,
    /// The caller's, of whose call this register has the address.
    Callers(usize),
    /// The caller's, as far as one can see.
    PerhapsCallers,
}

impl Walk<'_> {
    /// Goes on to the caller.
    #[inline(never)]
    pub(super) fn step_by_window(&mut self, pc: usize, windows: Windows) -> Result<Next, Stop> {
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
        self.frame.enter(caller, self.frame.get(Native::STACK_POINTER), outer, is_guess);
        Ok(Next::Caller)
    }

    fn leave_window(&mut self, windows: Windows) -> Result<Next, Stop> {
        let (caller, outer) =
            (self.frame.get(Windows::CALL), self.frame.get(Windows::FRAME_POINTER));
        if caller == 0 || outer == 0 {
            return Ok(Next::Nobody);
        }
        self.check(outer, false)?;
        self.frame.enter(caller, outer, 0, false);
        let first = outer.wrapping_add(windows.bias);
        for n in 0..Windows::LEN {
            let word = self.word(first.wrapping_add(n * WORD))?;
            self.frame.set(Windows::FIRST + n, word);
        }
        Ok(Next::Caller)
    }

    /// Whose window a function uses that was interrupted.
    fn window(&mut self, pc: usize) -> Result<Window, Stop> {
        if let Some(row) = self.found(pc)? {
            return Ok(match row.saved(Native::RETURN_ADDRESS) {
                Saved::Unchanged => Window::Callers(Windows::LINK),
                Saved::Register(register) if register < Windows::FIRST => Window::Callers(register),
                _ => Window::Own,
            });
        }
        let link = self.frame.get(Windows::LINK);
        let call = Native::call_before(self.memory, link).filter(|_| modules::has(link));
        Ok(match call {
            Some(Call::Direct(target)) if pc.wrapping_sub(target) < LONGEST_FUNCTION => {
                let mut code = (target..pc).step_by(4);
                let saves = code.any(|pc| self.instruction(pc).is_some_and(is_save));
                if saves { Window::Own } else { Window::Callers(Windows::LINK) }
            }
            Some(Call::Indirect) => self.window_by_code(pc),
            Some(Call::Direct(_)) | None => Window::Own,
        })
    }

    /// Whose window a function uses whose start is not known, by the code before. A return there ends the function
    /// before this one, or is one of several of this.
    fn window_by_code(&mut self, pc: usize) -> Window {
        let code = (pc.saturating_sub(LONGEST_FUNCTION)..pc).step_by(4).rev();
        for pc in code {
            match self.instruction(pc) {
                Some(RETURN | RETURN_OF_LEAF) => return Window::PerhapsCallers,
                Some(instruction) if !is_save(instruction) => {}
                Some(_) | None => return Window::Own,
            }
        }
        Window::Own
    }

    fn instruction(&mut self, pc: usize) -> Option<u32> {
        self.memory.bytes(pc).map(u32::from_be_bytes)
    }
}

/// `ret` and `retl`, the jumps behind the calls.
const RETURN: u32 = 0x81c7_e008;
const RETURN_OF_LEAF: u32 = 0x81c3_e008;

fn is_save(instruction: u32) -> bool {
    instruction & 0xc1f8_0000 == 0x81e0_0000
}
