//! Rules for finding a frame's caller: what unwind rules say for one address, whole and packed.

use crate::processor::{Array, Processor};
use crate::word::Word;

/// Where the canonical frame address is: the caller's stack pointer, or [`Processor::ABOVE_CALLER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cfa<'t> {
    /// A register and an offset in bytes.
    Register(usize, isize),
    /// A DWARF expression.
    Expression(&'t [u8]),
}

/// Fate of a register of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved<'t> {
    /// Unchanged, or nothing is known about it, which comes to the same: assembly counts on it.
    Unchanged,
    /// Lost; for the return address: there is no caller.
    Undefined,
    /// Saved so many bytes from the canonical frame address.
    Offset(isize),
    /// Equal to the address so many bytes from the canonical frame address.
    Value(isize),
    /// Kept in another register.
    Register(usize),
    /// Saved where a DWARF expression says.
    Expression(&'t [u8]),
    /// Equal to what a DWARF expression says.
    ValueExpression(&'t [u8]),
}

/// The rules for one address.
#[derive(Clone, Copy)]
pub struct Row<'t, P: Processor> {
    /// The canonical frame address.
    pub cfa: Cfa<'t>,
    /// Fate of each register.
    pub saved: P::Each<Saved<'t>>,
    /// True if the frame is one of the kernel's, made for a signal handler.
    pub is_signal: bool,
}

impl<'t, P: Processor> Row<'t, P> {
    pub(crate) fn new() -> Self {
        let cfa = Cfa::Register(P::STACK_POINTER, 0);
        Self { cfa, saved: P::Each::from_fn(|_| Saved::Unchanged), is_signal: false }
    }

    /// Fate of a register.
    #[must_use]
    pub fn saved(&self, register: usize) -> Saved<'t> {
        self.saved.as_ref().get(register).copied().unwrap_or(Saved::Unchanged)
    }

    /// Says what became of a register, if it is one of those that are followed.
    pub(crate) fn set(&mut self, register: usize, saved: Saved<'t>) {
        if let Some(place) = self.saved.as_mut().get_mut(register) {
            *place = saved;
        }
    }
}

/// A row as it is in nearly all code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An ordinary frame. The caller's frame pointer lies `frame_pointer` bytes below the canonical frame address,
    /// or is unchanged; the return address lies so many bytes below the [`Processor::LINKAGE`] there, or is in the
    /// link register.
    Frame {
        /// True if the frame pointer tells where the frame is, and not the stack pointer.
        by_frame_pointer: bool,
        /// Size to add to it for the canonical frame address.
        size: usize,
        /// Where the frame pointer is saved, if it is.
        frame_pointer: Option<usize>,
        /// Where the return address is saved, if it is.
        return_address: Option<usize>,
    },
    /// There is no caller.
    Outermost,
    /// There are no rules for the code.
    None,
    /// The whole row has to be looked at.
    Slow,
}

/// A rule in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed(pub u64);

/// Fields and their bits: offsets in words.
const KIND_BITS: u32 = 8;
const SIZE_BITS: u32 = 20;
const OFFSET_BITS: u32 = 12;

const BY_STACK_POINTER: u64 = 1;
const BY_FRAME_POINTER: u64 = 2;
const OUTERMOST: u64 = 3;
const NONE: u64 = 4;
const SLOW: u64 = 5;

impl Rule {
    /// The rule of a row.
    #[must_use]
    pub fn of<P: Processor>(row: &Row<'_, P>) -> Self {
        if row.saved(P::RETURN_ADDRESS) == Saved::Undefined {
            return Self::Outermost;
        }
        Self::of_frame(row).unwrap_or(Self::Slow)
    }

    fn of_frame<P: Processor>(row: &Row<'_, P>) -> Option<Self> {
        let (by_frame_pointer, size) = match row.cfa {
            Cfa::Register(register, size) if register == P::STACK_POINTER => (false, size),
            Cfa::Register(register, size) if register == P::FRAME_POINTER => (true, size),
            _ => return None,
        };
        let size = usize::try_from(size).ok()?;
        let fits = size % P::Word::SIZE == 0 && size / P::Word::SIZE < 1 << SIZE_BITS;
        // Where it is at another place than the canonical frame address, it is saved in every frame.
        let moves = row.saved(P::STACK_POINTER) != Saved::Unchanged && P::ABOVE_CALLER == 0;
        if !fits || moves || row.is_signal {
            return None;
        }
        let offset = |saved, top: usize| match saved {
            Saved::Offset(offset) => {
                let below = usize::try_from((top as isize).checked_sub(offset)?).ok()?;
                let fits = below != 0
                    && below % P::Word::SIZE == 0
                    && below / P::Word::SIZE < 1 << OFFSET_BITS;
                fits.then_some(Some(below))
            }
            Saved::Unchanged => Some(None),
            _ => None,
        };
        let frame_pointer = offset(row.saved(P::FRAME_POINTER), 0)?;
        let return_address = offset(row.saved(P::RETURN_ADDRESS), P::LINKAGE)?;
        if return_address.is_none() && P::LINK.is_none() {
            return None;
        }
        Some(Self::Frame { by_frame_pointer, size, frame_pointer, return_address })
    }

    /// Packs the rule.
    #[must_use]
    pub fn pack<P: Processor>(self) -> Packed {
        Packed(match self {
            Self::Frame { by_frame_pointer, size, frame_pointer, return_address } => {
                let kind = if by_frame_pointer { BY_FRAME_POINTER } else { BY_STACK_POINTER };
                let words = |offset: Option<usize>| (offset.unwrap_or(0) / P::Word::SIZE) as u64;
                kind | words(Some(size)) << KIND_BITS
                    | words(frame_pointer) << (KIND_BITS + SIZE_BITS)
                    | words(return_address) << (KIND_BITS + SIZE_BITS + OFFSET_BITS)
            }
            Self::Outermost => OUTERMOST,
            Self::None => NONE,
            Self::Slow => SLOW,
        })
    }
}

impl Packed {
    /// The rule that was packed.
    #[must_use]
    pub fn unpack<P: Processor>(self) -> Rule {
        let field =
            |at: u32, bits: u32| (self.0 >> at & ((1 << bits) - 1)) as usize * P::Word::SIZE;
        let offset = |at| Some(field(at, OFFSET_BITS)).filter(|offset| *offset != 0);
        match self.0 & ((1 << KIND_BITS) - 1) {
            kind @ (BY_STACK_POINTER | BY_FRAME_POINTER) => Rule::Frame {
                by_frame_pointer: kind == BY_FRAME_POINTER,
                size: field(KIND_BITS, SIZE_BITS),
                frame_pointer: offset(KIND_BITS + SIZE_BITS),
                return_address: offset(KIND_BITS + SIZE_BITS + OFFSET_BITS),
            },
            OUTERMOST => Rule::Outermost,
            NONE => Rule::None,
            _ => Rule::Slow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{S390x, X86};

    fn check(rule: Rule) {
        assert_eq!(rule.pack::<S390x>().unpack::<S390x>(), rule);
        assert_eq!(rule.pack::<X86>().unpack::<X86>(), rule);
    }

    #[test]
    fn rules_come_back_from_their_packed_form() {
        // Sizes that both widths have room for.
        const WORD: usize = 8;
        let largest = WORD * ((1 << (OFFSET_BITS - 1)) - 1);
        let offsets = [None, Some(WORD), Some(7 * WORD), Some(largest)];
        for by_frame_pointer in [false, true] {
            for size in [0, WORD, WORD * ((1 << (SIZE_BITS - 1)) - 1)] {
                for (frame_pointer, return_address) in
                    offsets.iter().flat_map(|a| offsets.iter().map(|b| (*a, *b)))
                {
                    let rule =
                        Rule::Frame { by_frame_pointer, size, frame_pointer, return_address };
                    check(rule);
                }
            }
        }
        for rule in [Rule::Outermost, Rule::None, Rule::Slow] {
            check(rule);
        }
        assert_eq!(Packed(0).unpack::<X86>(), Rule::Slow);
    }
}
