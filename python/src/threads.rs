//! The states of threads: one for each thread in each interpreter that it has entered.

use gmon_unwind::Memory;

use crate::layout::Layout;
use crate::read::{pointer, word};

/// Interpreters, and threads of one, that are looked at.
const MOST_INTERPRETERS: usize = 256;
const MOST_THREADS: usize = 1 << 16;

/// A thread of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadId {
    /// Number by which the kernel knows it.
    pub native: u64,
    /// Its name in the C library, by which versions before 3.11 know it; 0 if that is not known.
    pub library: u64,
}

impl Layout {
    /// Calls `visit` with the state of each thread in each interpreter until that gives something.
    pub fn each_thread<M: Memory, T>(
        &self,
        memory: &mut M,
        mut visit: impl FnMut(&mut M, u64) -> Option<T>,
    ) -> Option<T> {
        let offsets = &self.offsets;
        let mut interpreter = pointer(memory, self.runtime.checked_add(offsets.interpreters)?);
        for _ in 0..MOST_INTERPRETERS {
            let current = interpreter?;
            let mut thread = pointer(memory, current.checked_add(offsets.interpreter.threads)?);
            for _ in 0..MOST_THREADS {
                let Some(state) = thread else { break };
                if let Some(found) = visit(memory, state) {
                    return Some(found);
                }
                thread = pointer(memory, state.checked_add(offsets.thread.next)?);
            }
            interpreter = pointer(memory, current.checked_add(offsets.interpreter.next)?);
        }
        None
    }

    /// True if there is more than one interpreter.
    pub fn has_several(&self, memory: &mut impl Memory) -> bool {
        let mut next = || {
            let first = pointer(memory, self.runtime.checked_add(self.offsets.interpreters)?)?;
            pointer(memory, first.checked_add(self.offsets.interpreter.next)?)
        };
        next().is_some()
    }

    /// The first state of a thread that is in none of `known`.
    pub fn thread(&self, memory: &mut impl Memory, id: ThreadId, known: &[u64]) -> Option<u64> {
        self.each_thread(memory, |memory, state| {
            let is_other = self.is_of(memory, state, id) && !known.contains(&state);
            is_other.then_some(state)
        })
    }

    /// Returns `true` if the state of a thread that was found earlier is still one: whatever stands before it in its list leads
    /// to it, and it is that thread's.
    pub fn is_thread(&self, memory: &mut impl Memory, state: u64, id: ThreadId) -> bool {
        let thread = &self.offsets.thread;
        let mut is_linked = || {
            let before = match word(memory, state.checked_add(thread.prev)?)? {
                0 => {
                    let interpreter = pointer(memory, state.checked_add(thread.interpreter)?)?;
                    interpreter.checked_add(self.offsets.interpreter.threads)?
                }
                before => before.checked_add(thread.next)?,
            };
            (word(memory, before)? == state).then_some(())
        };
        is_linked().is_some() && self.is_of(memory, state, id)
    }

    fn is_of(&self, memory: &mut impl Memory, state: u64, id: ThreadId) -> bool {
        let thread = &self.offsets.thread;
        let (at, wanted) = match thread.native_id {
            Some(at) => (at, id.native),
            None => (thread.id, id.library),
        };
        let own = state.checked_add(at).and_then(|at| word(memory, at));
        wanted != 0 && own == Some(wanted)
    }
}
