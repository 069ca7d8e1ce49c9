//! Fate of a function's address that code has loaded into a register: is it only called?
//!
//! Optimised code loads the address of a function that it calls several times into a register. Code that passes a
//! function on, or compares it, begins alike. What follows tells them apart: every way is followed on which a register may
//! hold the address, through copies, jumps, and to where exceptions go on.

use core::ops::Range;

use super::functions::{Function, Functions};
use crate::Scratch;
use crate::elf::{Image, word_at};
use crate::instruction::{Instruction, Registers, Then, Word, WordUse};
use crate::processor::{Native, Processor};

/// Fate of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Called, and nothing else.
    Called,
    /// Passed on, stored or compared, and not called where it was loaded.
    Address,
    /// Both, or nobody knows.
    Unknown,
}

/// Instructions that are followed at most.
const MOST: usize = 3000;
/// Places for them, and for ways that are still to be followed.
const SEEN: usize = 4096;
const PENDING: usize = 512;

/// Follows addresses in the code of a module.
pub(super) struct Flow<'f, 'i, 'm, S> {
    image: &'i Image<'m>,
    functions: &'f Functions<'i, 'm>,
    /// The registers in which a function gets arguments, by the word through which it is called.
    arguments: &'f dyn Fn(usize) -> Registers,
    /// The word that is loaded.
    word: usize,
    seen: Table<S>,
    pending: Table<S>,
}

/// Place at which code goes on, and the registers that may hold the address there.
#[derive(Clone, Copy)]
struct State {
    at: usize,
    held: Registers,
}

impl<'f, 'i, 'm, S: Scratch> Flow<'f, 'i, 'm, S> {
    /// `None` if there is no memory.
    pub(super) fn new(
        image: &'i Image<'m>,
        functions: &'f Functions<'i, 'm>,
        arguments: &'f dyn Fn(usize) -> Registers,
    ) -> Option<Self> {
        let (seen, pending) = (Table::new(SEEN)?, Table::new(PENDING)?);
        Some(Self { image, functions, arguments, word: 0, seen, pending })
    }

    /// Fate of the address that is loaded from a word into a register before `at`.
    pub(super) fn follow(&mut self, at: usize, (word, register): (usize, u8)) -> Fate {
        self.word = word;
        let begin = State { at, held: Registers::one(register) };
        let mut search = Search::default();
        let done = self.run(&mut search, begin);
        if search.is_passed && search.is_called && !search.is_address {
            // What is left in a register of arguments is no argument yet: the function may not read it.
            let mut again = Search { enters_functions: true, ..Search::default() };
            let done = done.and_then(|()| self.run(&mut again, begin));
            return if done.is_some() && !again.is_address { Fate::Called } else { Fate::Unknown };
        }
        match (done, search.is_called, search.is_address) {
            (Some(()), true, false) => Fate::Called,
            // A load that leads nowhere is none.
            (Some(()), false, _) => Fate::Address,
            _ => Fate::Unknown,
        }
    }

    fn push(&mut self, search: &mut Search, state: State) -> Option<()> {
        if state.held.is_empty() {
            return Some(());
        }
        self.pending.set(search.pending, state)?;
        search.pending += 1;
        Some(())
    }

    /// Follows all ways from a state; `None` if one leads who knows where.
    fn run(&mut self, search: &mut Search, begin: State) -> Option<()> {
        self.seen.clear();
        self.push(search, begin)?;
        while let Some(last) = search.pending.checked_sub(1) {
            search.pending = last;
            let state = self.pending.get(last)?;
            let function = self.functions.around(state.at)?;
            self.straight(search, state, &function)?;
        }
        Some(())
    }

    /// Follows code to its next jump that always jumps.
    fn straight(&mut self, search: &mut Search, from: State, function: &Function) -> Option<()> {
        let State { mut at, mut held } = from;
        // Code does not run into the next function: before its end is a call that does not return.
        while at < function.end {
            match self.seen.add(State { at, held })? {
                Some(all) => held = all,
                None => return Some(()),
            }
            search.steps += 1;
            let code = self.image.tail(at).filter(|_| search.steps <= MOST)?;
            let found = Native::decode(code, at)?;
            if !found.reads.and(held).is_empty() {
                return None;
            }
            if !found.stores.and(held).is_empty() {
                // What is on the stack may be loaded again, and called.
                search.is_address = (!found.to_stack).then_some(true)?;
            }
            search.is_address |= !found.compares.and(held).is_empty();
            let before = held;
            held = held.without(found.writes);
            if let Some((from, to)) = found.copies {
                let to = Registers::one(to);
                if before.has(from) {
                    held = held.with(to);
                } else if !found.is_conditional {
                    held = held.without(to);
                }
            }
            let next = at.checked_add(found.len)?;
            match found.then {
                Then::Next => {}
                Then::Jump(to) => return self.push(search, State { at: to, held }),
                Then::Branch(to) => self.push(search, State { at: to, held })?,
                Then::Call(_) | Then::CallWord | Then::CallRegister(_) => {
                    held = self.call(search, held, &found, (function, at..next))?;
                }
                Then::JumpRegister(register) if held.has(register) => {
                    search.is_called = true;
                    let others = held.without(Registers::one(register));
                    search.is_address |= !others.and(Native::ARGUMENTS).is_empty();
                    return others.and(Native::KEPT).is_empty().then_some(());
                }
                Then::JumpRegister(_) => return self.by_tables(search, held, function),
                Then::JumpWord => {
                    // By a word that has a name it is a call in a function's place, by others one way of many.
                    search.is_address |= !held.and(Native::ARGUMENTS).is_empty();
                    return found
                        .word
                        .filter(|_| held.and(Native::KEPT).is_empty())
                        .map(|_: Word| ());
                }
                Then::Return => {
                    search.is_address |= !held.and(Native::RESULTS).is_empty();
                    return held.and(Native::KEPT).is_empty().then_some(());
                }
                Then::End => return Some(()),
            }
            if held.is_empty() {
                return Some(());
            }
            at = next;
        }
        Some(())
    }

    /// A call, with what registers hold then; what they hold when it returns, nothing if it does not.
    fn call(
        &mut self,
        search: &mut Search,
        held: Registers,
        found: &Instruction,
        (function, at): (&Function, Range<usize>),
    ) -> Option<Registers> {
        let arguments = held.and(Native::ARGUMENTS);
        let to = match (found.then, found.word) {
            (Then::Call(to), _) => Some(to),
            (_, Some(word)) => self.own_function(word.address),
            _ => None,
        };
        match (found.then, found.word) {
            _ if arguments.is_empty() => {}
            (Then::CallRegister(register), _) if held.has(register) => {
                let taken = (self.arguments)(self.word).without(Registers::one(register));
                search.is_address |= !arguments.and(taken).is_empty();
            }
            _ if to.is_some() && !search.enters_functions => search.is_passed = true,
            (_, Some(word)) if to.is_none() => {
                let taken = (self.arguments)(word.address);
                search.is_address |= !arguments.and(taken).is_empty();
            }
            _ => match to {
                Some(at) => self.push(search, State { at, held: arguments })?,
                None => search.is_address = true,
            },
        }
        if let Then::CallRegister(register) = found.then {
            search.is_called |= held.has(register);
        }
        let kept = held.and(Native::KEPT);
        if kept.is_empty() {
            return Some(kept);
        }
        let (mut own, mut is_landing) = (None, false);
        self.functions.each_landing(function, |code, landing| {
            if code.contains(&at.start) {
                own = Some(landing);
            }
            // Only exceptions come there: the function before it does not return.
            is_landing |= landing == at.end;
        })?;
        if let Some(landing) = own {
            self.push(search, State { at: landing, held: kept })?;
        }
        Some(if is_landing { Registers::NONE } else { kept })
    }

    /// The function of the module that a word leads to, which nobody changes any more.
    fn own_function(&self, word: usize) -> Option<usize> {
        let is_fixed = self.image.relro.contains(&word);
        let value = word_at(self.image.tail(word).filter(|_| is_fixed)?, 0)?;
        let address = value.wrapping_sub(self.image.bias);
        self.functions.around(address).filter(|function| function.start == address)?;
        Some(address)
    }

    /// A jump to where a table says: one of those whose addresses the function takes. Their entries are distances
    /// from the table to places in the function.
    fn by_tables(
        &mut self,
        search: &mut Search,
        held: Registers,
        function: &Function,
    ) -> Option<()> {
        /// Entries that are read at most.
        const ENTRIES: usize = 512;
        let mut has_one = false;
        let mut at = function.start;
        while at < function.end {
            let found = Native::decode(self.image.tail(at)?, at)?;
            at = at.checked_add(found.len)?;
            let table = found.word.filter(|word| word.used == WordUse::Taken);
            let Some(table) = table.map(|word| word.address) else { continue };
            let Some(entries) = self.image.tail(table) else { continue };
            let (entries, _) = entries.split_at(entries.len().min(4 * ENTRIES));
            for entry in entries.chunks_exact(4) {
                let distance = entry.first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
                let to = table.wrapping_add_signed(distance as isize);
                if !(function.start..function.end).contains(&to) {
                    break;
                }
                has_one = true;
                self.push(search, State { at: to, held })?;
            }
        }
        has_one.then_some(())
    }
}

/// Extent of a search.
#[derive(Default)]
struct Search {
    pending: usize,
    steps: usize,
    is_called: bool,
    is_address: bool,
    /// True if a register of arguments has the address where a function of the module is called.
    is_passed: bool,
    /// True if to follow it into such functions.
    enters_functions: bool,
}

/// Memory for states.
struct Table<S> {
    memory: S,
    capacity: usize,
}

/// A state as a number: no address has more bits than are left.
const ADDRESS_BITS: u32 = 48;
const ENTRY: usize = size_of::<u64>();

impl<S: Scratch> Table<S> {
    fn new(capacity: usize) -> Option<Self> {
        Some(Self { memory: S::zeroed(capacity * ENTRY)?, capacity })
    }

    fn clear(&mut self) {
        self.memory.fill(0);
    }

    fn get(&self, index: usize) -> Option<State> {
        let entry = u64::from_ne_bytes(*self.memory.get(index * ENTRY..)?.first_chunk()?);
        let address = entry & ((1 << ADDRESS_BITS) - 1);
        Some(State { at: address as usize, held: Registers((entry >> ADDRESS_BITS) as u16) })
    }

    fn set(&mut self, index: usize, state: State) -> Option<()> {
        let entry = state.at as u64 & ((1 << ADDRESS_BITS) - 1);
        let entry = entry | u64::from(state.held.0) << ADDRESS_BITS;
        *self.memory.get_mut(index * ENTRY..)?.first_chunk_mut()? = entry.to_ne_bytes();
        Some(())
    }

    /// Adds registers that may hold the address at a place: all that may, or nothing if these were known. `None` if there
    /// is no room.
    fn add(&mut self, state: State) -> Option<Option<Registers>> {
        let hash = (state.at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let mut index = hash as usize % self.capacity;
        for _ in 0..self.capacity {
            let known = self.get(index)?;
            if known.held.is_empty() {
                self.set(index, state)?;
                return Some(Some(state.held));
            }
            if known.at == state.at {
                if state.held.without(known.held).is_empty() {
                    return Some(None);
                }
                let held = known.held.with(state.held);
                self.set(index, State { held, ..state })?;
                return Some(Some(held));
            }
            index = (index + 1) % self.capacity;
        }
        None
    }
}
