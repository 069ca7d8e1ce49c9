//! Places of code that call by a word whose address somebody else takes, too.
//!
//! Such a word stays as it is: pointers to the function compare as ever. Instead, each instruction that calls by
//! the word is led to another word, which we own, and so is each that loads it only to call. Only a distance of four bytes
//! changes, in pages that are this process's own.
//!
//! A word is left alone, with all its places, unless every one of them is understood: counts are all there, or
//! none. Where only stubs of the linkage table call by a word, loads that nobody can follow are taken to pass the address on. A
//! place is known by its function's start, from which all instructions up to it are read.

use super::flow::{Fate, Flow};
use super::functions::{Function, Functions};
use crate::Scratch;
use crate::called::Called;
use crate::elf::{Image, word_at};
use crate::instruction::{Instruction, Registers, Then, Word, WordUse};
use crate::processor::{Native, Processor};

/// Places that call by words, in the order of their addresses.
pub struct Sites<S> {
    memory: S,
    len: usize,
}

/// A place. All are addresses of the file.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The word by which it calls.
    pub word: usize,
    /// Address of the distance to it.
    pub distance_at: usize,
    /// Address from which that counts.
    pub end: usize,
}

const ENTRY: usize = size_of::<[usize; 3]>();

impl<S: Scratch> Sites<S> {
    /// Finds the places for the words that are called and used otherwise, too, and tells `called` which words cannot
    /// be helped. `arguments` gives the registers in which a function gets arguments, by a word that leads to it. `None` if
    /// there are none.
    pub fn find(
        image: &Image<'_>,
        called: &mut Called<S>,
        arguments: &dyn Fn(usize) -> Registers,
    ) -> Option<Self> {
        let most = called.mixed_uses();
        if most == 0 {
            return None;
        }
        let functions = Functions::of(image)?;
        let mut flow = Flow::<S>::new(image, &functions, arguments)?;
        let mut sites = Self { memory: S::zeroed(most.checked_mul(ENTRY)?)?, len: 0 };
        let mut reader =
            Reader { image, functions: &functions, function: None, is_stubs: false, next: 0 };
        for part in image.parts.iter().filter(|part| part.is_code) {
            let code = image.tail(part.start).unwrap_or_default();
            Native::each_use(code, part.start, &mut |address, _, distance_at| {
                if !called.is_mixed(address) {
                    return;
                }
                let found = reader.word_at(distance_at).filter(|it| it.word.address == address);
                let Some(Found { word, is_in_stubs }) = found else {
                    return called.give_up(address);
                };
                let fate = match word.used {
                    WordUse::Call => Fate::Called,
                    WordUse::Load(register) => flow.follow(word.end, (address, register)),
                    WordUse::Address => Fate::Address,
                    WordUse::Taken | WordUse::Other => return called.give_up(address),
                };
                match fate {
                    Fate::Called if sites.push(&word) => called.note_call(address, is_in_stubs),
                    Fate::Called => called.give_up(address),
                    Fate::Address => {}
                    Fate::Unknown => called.doubt(address),
                }
            });
        }
        called.settle();
        Some(sites)
    }

    /// At least as many as there are slots with places.
    pub fn slots(&self) -> usize {
        self.len
    }

    fn push(&mut self, word: &Word) -> bool {
        let entry = [word.address, word.distance_at, word.end];
        let at = self.len * ENTRY;
        let Some(place) = self.memory.get_mut(at..at + ENTRY) else { return false };
        let words = place.chunks_exact_mut(size_of::<usize>());
        words.zip(entry).for_each(|(place, word)| place.copy_from_slice(&word.to_ne_bytes()));
        self.len += 1;
        true
    }

    /// The places.
    pub fn iter(&self) -> impl Iterator<Item = Site> + '_ {
        self.memory.chunks_exact(ENTRY).take(self.len).filter_map(|entry| {
            let word = |index: usize| word_at(entry, index * size_of::<usize>());
            Some(Site { word: word(0)?, distance_at: word(1)?, end: word(2)? })
        })
    }
}

/// A word that an instruction names, and where that is.
struct Found {
    word: Word,
    /// True for the stubs of the linkage table, which do nothing else.
    is_in_stubs: bool,
}

/// Reads the instructions of functions, one function after the other.
struct Reader<'f, 'i, 'm> {
    image: &'i Image<'m>,
    functions: &'f Functions<'i, 'm>,
    function: Option<Function>,
    is_stubs: bool,
    next: usize,
}

impl Reader<'_, '_, '_> {
    /// The word that an instruction names by a distance at an address, if there is such an instruction.
    fn word_at(&mut self, distance_at: usize) -> Option<Found> {
        let is_further = |function: &Function| {
            function.start <= distance_at && distance_at < function.end && self.next <= distance_at
        };
        if !self.function.as_ref().is_some_and(is_further) {
            self.function = self.functions.around(distance_at);
            let function = self.function.as_ref()?;
            self.next = function.start;
            self.is_stubs = are_stubs(self.image, function);
        }
        while self.next <= distance_at {
            let found = Native::decode(self.image.tail(self.next)?, self.next)?;
            let next = self.next.checked_add(found.len)?;
            // The same may be asked for again, by what other instructions would make of it.
            if next > distance_at {
                let word = found.word.filter(|word| word.distance_at == distance_at)?;
                return Some(Found { word, is_in_stubs: self.is_stubs });
            }
            self.next = next;
        }
        None
    }
}

/// Returns `true` if code only jumps by words, as linkage tables do. The linker gives a whole table one entry of the unwind
/// tables.
fn are_stubs(image: &Image<'_>, function: &Function) -> bool {
    let mut at = function.start;
    while at < function.end {
        let found = image.tail(at).and_then(|code| Native::decode(code, at));
        let is_filling = |it: &Instruction| it.then == Then::Next && it.does_nothing();
        match found.filter(|it| it.then == Then::JumpWord || is_filling(it)) {
            Some(found) => at += found.len,
            None => return false,
        }
    }
    true
}
