//! What a walk asks about the program whose stack it is.

use crate::memory::Memory;
use crate::processor::{Hooked, Processor, Registers};
use crate::rules::Packed;
use crate::tables::Tables;

/// The program whose stack is walked: its modules, and what else somebody may know about its code.
pub trait Program<'t, P: Processor> {
    /// Why it cannot be said just now whose code lies where; [`core::convert::Infallible`] if it always can.
    type Unsure;

    /// The unwind rules of the module around an address; `None` if it has none, or there is no module.
    ///
    /// # Errors
    ///
    /// The walk ends, since a guess in place of rules could be wrong.
    fn tables(&mut self, pc: u64) -> Result<Option<Tables<'t, P>>, Self::Unsure>;

    /// True if an address is in a module.
    fn is_code(&mut self, address: u64) -> bool;

    /// True if an address is in code that was made at run time. Its interpreters may go on at such an address without a call
    /// before it, as those of Java do.
    fn is_made(&mut self, _address: u64) -> bool {
        false
    }

    /// The address that the program begins at, whose code has no caller.
    fn entry(&self) -> Option<u64> {
        None
    }

    /// The rule that was kept for an address.
    fn kept(&mut self, _pc: u64) -> Option<Packed> {
        None
    }

    /// Keeps the rule for an address, which [`kept`](Self::kept) has just been asked for.
    fn keep(&mut self, _pc: u64, _rule: Packed) {}

    /// The frame of code that has no rules but whose frame is known.
    fn frame(&self, _pc: u64) -> Option<OwnFrame> {
        None
    }

    /// True if an address is in the profiler's own code, where that is a part of the program.
    fn is_own(&self, _pc: u64) -> bool {
        false
    }

    /// True if an address is in a hook, code that functions call before they have saved their return address.
    fn is_hook(&self, _pc: u64) -> bool {
        false
    }

    /// The function that called the hook that was interrupted with these registers, where the hook has moved its return
    /// address elsewhere and no rules say so.
    fn hooked(
        &self,
        _memory: &mut impl Memory,
        _registers: &Registers<P>,
    ) -> Option<Hooked<P::Word>> {
        None
    }
}

/// A frame that lies at the stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFrame {
    /// Its bytes.
    pub size: usize,
    /// How far below its end the return address lies, unless the link register has it.
    pub return_address: Option<usize>,
}
