//! The slots of a module that lead to functions elsewhere: those of its procedure linkage table, and words of its
//! global offset table that hold a function's address.

use core::ops::Range;

use super::dynamic::Dynamic;
use super::processor::{Native, Processor};
use crate::elf::{Image, word_at};

const WORD: usize = size_of::<usize>();

/// Use of a slot by the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A jump to the slot's target. The loader may bind it at the first call only.
    Jump,
    /// Perhaps a jump there, or taking the address for something else.
    Address,
}

/// A slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Address in the file.
    pub address: usize,
    /// The number of its symbol.
    pub symbol: usize,
    /// Use that the module makes of it.
    pub used: Use,
}

/// The slots of a module, in the order of its relocations.
pub fn of<'m>(
    image: &Image<'m>,
    dynamic: &Dynamic,
) -> impl Iterator<Item = Slot> + Clone + use<'m> {
    let jumps = entries(image, &dynamic.jumps, dynamic.jumps_have_addends);
    let with = entries(image, &dynamic.with_addends, true);
    let without = entries(image, &dynamic.without_addends, false);
    let jumps = jumps.filter_map(|entry| slot(entry, Native::JUMP_SLOT, Use::Jump));
    jumps.chain(with.chain(without).filter_map(|entry| slot(entry, Native::GLOB_DAT, Use::Address)))
}

/// The most slots that a module can have.
pub fn at_most(dynamic: &Dynamic) -> usize {
    let tables = [&dynamic.jumps, &dynamic.with_addends, &dynamic.without_addends];
    tables.iter().map(|table| table.len() / (2 * WORD)).sum()
}

fn entries<'m>(
    image: &Image<'m>,
    table: &Range<usize>,
    have_addends: bool,
) -> core::slice::ChunksExact<'m, u8> {
    let len = if have_addends { 3 * WORD } else { 2 * WORD };
    image.bytes(table.clone()).unwrap_or_default().chunks_exact(len)
}

/// The slot that a relocation of this type fills.
fn slot(entry: &[u8], kind: usize, used: Use) -> Option<Slot> {
    /// Bits of the type in the second word, above which is the number of the symbol.
    const TYPE: u32 = if WORD == 8 { 32 } else { 8 };
    let (address, info) = (word_at(entry, 0)?, word_at(entry, WORD)?);
    let (symbol, own) = (info >> TYPE, info & ((1 << TYPE) - 1));
    (own == kind).then_some(Slot { address, symbol, used })
}
