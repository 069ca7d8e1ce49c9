//! Places of code that call by a word whose address somebody else takes, too.
//!
//! Such a word stays as it is: pointers to the function compare as ever. Instead, each instruction that calls by
//! the word is led to another word, which we own, and so is each that loads it only to call. Only a distance of four bytes
//! changes, in pages that are this process's own.
//!
//! A word is left alone, with all its places, unless every one of them is understood: counts are all there, or
//! none. A place is known by its function's start, from which all instructions up to it are read.
//!
//! *Context:* startup, hook.

use super::super::called::Called;
use super::super::processor::{Native, Processor};
use super::flow::{Fate, Flow};
use super::functions::{Function, Functions};
use super::instruction::{Registers, Word, WordUse};
use crate::linux::elf::{Image, word_at};
use crate::linux::region::Scratch;

/// Places that call by words, in the order of their addresses.
pub(in super::super) struct Sites {
    memory: Scratch,
    len: usize,
}

/// A place: the word by which it calls, where the distance to it stands, and where that is counted from. All are
/// addresses of the file.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Site {
    pub(in super::super) word: usize,
    pub(in super::super) distance_at: usize,
    pub(in super::super) end: usize,
}

const ENTRY: usize = size_of::<[usize; 3]>();

impl Sites {
    /// Finds the places for the words that are called and used otherwise, too, and tells `called` which words cannot
    /// be helped. `arguments` gives the registers in which a function gets arguments, by a word that leads to it. `None` if
    /// there are none.
    pub(in super::super) fn find(
        image: &Image<'_>,
        called: &mut Called,
        arguments: &dyn Fn(usize) -> Registers,
    ) -> Option<Self> {
        let most = called.mixed_uses();
        if most == 0 {
            return None;
        }
        let functions = Functions::of(image)?;
        let mut flow = Flow::new(image, &functions, arguments)?;
        let mut sites = Self { memory: Scratch::new(most.checked_mul(ENTRY)?)?, len: 0 };
        let mut reader = Reader { image, functions: &functions, function: None, next: 0 };
        for part in image.parts.iter().filter(|part| part.is_code) {
            let code = image.tail(part.start).unwrap_or_default();
            Native::each_use(code, part.start, &mut |address, _, distance_at| {
                if !called.is_mixed(address) {
                    return;
                }
                let word = reader.word_at(distance_at).filter(|word| word.address == address);
                let is_known = word.is_some_and(|word| match word.used {
                    WordUse::Call => sites.push(&word),
                    WordUse::Load(register) => match flow.follow(word.end, (address, register)) {
                        Fate::Called => sites.push(&word),
                        Fate::Address => true,
                        Fate::Unknown => false,
                    },
                    WordUse::Address => true,
                    WordUse::Taken | WordUse::Other => false,
                });
                if !is_known {
                    called.give_up(address);
                }
            });
        }
        Some(sites)
    }

    /// At least as many as there are slots with places.
    pub(in super::super) fn slots(&self) -> usize {
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

    pub(in super::super) fn iter(&self) -> impl Iterator<Item = Site> + '_ {
        self.memory.chunks_exact(ENTRY).take(self.len).filter_map(|entry| {
            let word = |index: usize| word_at(entry, index * size_of::<usize>());
            Some(Site { word: word(0)?, distance_at: word(1)?, end: word(2)? })
        })
    }
}

/// Reads the instructions of functions, one function after the other.
struct Reader<'f, 'i, 'm> {
    image: &'i Image<'m>,
    functions: &'f Functions<'i, 'm>,
    function: Option<Function>,
    next: usize,
}

impl Reader<'_, '_, '_> {
    /// The word that the instruction names by a distance at an address, if there is such an instruction.
    fn word_at(&mut self, distance_at: usize) -> Option<Word> {
        let is_further = |function: &Function| {
            function.start <= distance_at && distance_at < function.end && self.next <= distance_at
        };
        if !self.function.as_ref().is_some_and(is_further) {
            self.function = self.functions.around(distance_at);
            self.next = self.function.as_ref()?.start;
        }
        while self.next <= distance_at {
            let found = Native::decode(self.image.tail(self.next)?, self.next)?;
            let next = self.next.checked_add(found.len)?;
            // The same may be asked for again, by what other instructions would make of it.
            if next > distance_at {
                return found.word.filter(|word| word.distance_at == distance_at);
            }
            self.next = next;
        }
        None
    }
}
