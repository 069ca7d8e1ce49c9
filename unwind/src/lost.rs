//! Callers of functions that go by their frame pointer, where nobody knows that: of a thread that waits in a system call, the system
//! tells the stack pointer alone.
//!
//! The function's frame ends with the address of a call, below which lies the caller's frame pointer as the rules say.
//! A call that leads to the function's first instruction can be no other; else the first that makes sense is a guess.

use crate::memory::Memory;
use crate::processor::Processor;
use crate::program::Program;
use crate::walk::{Incomplete, Next, Stop, Walk};
use crate::word::Word;

/// Words of the stack among which a frame's end is looked for.
const SCANNED: usize = 256;

/// Frame pointers further up than this are not believed, in bytes.
const LONGEST_FRAME: usize = 1 << 20;

impl<'t, P: Processor, M: Memory, G: Program<'t, P>> Walk<'_, 't, P, M, G> {
    /// Goes on from the code at an address, whose frame has the caller's frame pointer and its return address so many bytes below the
    /// canonical frame address.
    #[inline(never)]
    pub(crate) fn find_frame(
        &mut self,
        pc: P::Word,
        frame_pointer: usize,
        return_address: usize,
    ) -> Result<Next, Stop<G::Unsure>> {
        let tables = self.program.tables(pc.get());
        let tables = tables.map_err(|unsure| Stop::For(Incomplete::Unsure(unsure)))?;
        let start = tables.and_then(|tables| tables.function(pc)).map(|function| function.start);
        let mut likely = None;
        for place in self.places(SCANNED) {
            let Some(word) = self.memory.word::<P>(place) else { break };
            let caller = P::plain(word);
            if !self.program.is_code(caller.get()) {
                continue;
            }
            let Some(call) = P::call_before(self.memory, caller) else { continue };
            let cfa = place.behind(return_address).before(P::LINKAGE);
            let Some(outer) = self.memory.word::<P>(cfa.before(frame_pointer)) else { continue };
            let found = (caller, cfa.before(P::ABOVE_CALLER), outer);
            if start.is_some() && call.target() == start {
                return Ok(self.enter_caller(found, false));
            }
            let makes_sense = outer > place && outer.distance(place) < LONGEST_FRAME;
            if likely.is_none() && makes_sense && crate::guess::leads_to(call, pc) {
                likely = Some(found);
            }
        }
        match likely {
            Some(found) => Ok(self.enter_caller(found, true)),
            None => self.guess(pc),
        }
    }

    fn enter_caller(
        &mut self,
        (pc, stack_pointer, frame_pointer): (P::Word, P::Word, P::Word),
        is_guess: bool,
    ) -> Next {
        self.frame.enter(pc, stack_pointer, frame_pointer, is_guess);
        Next::Caller
    }
}
