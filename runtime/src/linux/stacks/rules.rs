//! How a frame's caller is found: what unwind rules say for one address, whole and packed.
//!
//! *Context:* any.

use super::processor::{Native, Processor};

/// Where the canonical frame address is: the caller's stack pointer, or [`Native::ABOVE_CALLER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "arm", allow(dead_code, reason = "its rules have no expressions"))]
pub(super) enum Cfa {
    /// A register and an offset in bytes.
    Register(usize, isize),
    /// A DWARF expression.
    Expression(&'static [u8]),
}

/// What became of a register of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "arm", allow(dead_code, reason = "its rules say less"))]
pub(super) enum Saved {
    /// It is unchanged, or nothing is known about it, which comes to the same: assembly counts on it.
    Unchanged,
    /// It is lost; for the return address: there is no caller.
    Undefined,
    /// It lies so many bytes from the canonical frame address.
    Offset(isize),
    /// It is so many bytes from the canonical frame address.
    Value(isize),
    /// It is in another register.
    Register(usize),
    /// It lies where a DWARF expression says.
    Expression(&'static [u8]),
    /// It is what a DWARF expression says.
    ValueExpression(&'static [u8]),
}

/// What the rules say for one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) cfa: Cfa,
    pub(super) saved: [Saved; Native::REGISTERS],
    /// Whether the frame is one of the kernel's, made for a signal handler.
    pub(super) is_signal: bool,
}

impl Row {
    pub(super) const fn new() -> Self {
        let cfa = Cfa::Register(Native::STACK_POINTER, 0);
        Self { cfa, saved: [Saved::Unchanged; Native::REGISTERS], is_signal: false }
    }

    pub(super) fn saved(&self, register: usize) -> Saved {
        self.saved.get(register).copied().unwrap_or(Saved::Unchanged)
    }
}

/// A row as it is in nearly all code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// An ordinary frame. The caller's frame pointer lies `frame_pointer` bytes below the canonical frame address,
    /// or is unchanged; the return address lies so many bytes below the [`Native::LINKAGE`] there, or is in the
    /// link register.
    Frame {
        /// Whether the frame pointer tells where the frame is, and not the stack pointer.
        by_frame_pointer: bool,
        /// What has to be added to it to get the canonical frame address.
        size: usize,
        frame_pointer: Option<usize>,
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u64);

const WORD: usize = size_of::<usize>();

/// Where the fields are, and how many bits they have: offsets in words.
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
    pub(super) fn of(row: &Row) -> Self {
        if row.saved(Native::RETURN_ADDRESS) == Saved::Undefined {
            return Self::Outermost;
        }
        Self::of_frame(row).unwrap_or(Self::Slow)
    }

    fn of_frame(row: &Row) -> Option<Self> {
        let (by_frame_pointer, size) = match row.cfa {
            Cfa::Register(Native::STACK_POINTER, size) => (false, size),
            Cfa::Register(Native::FRAME_POINTER, size) => (true, size),
            _ => return None,
        };
        let size = usize::try_from(size).ok()?;
        let fits = size % WORD == 0 && size / WORD < 1 << SIZE_BITS;
        // Where it is at another place than the canonical frame address, it is saved in every frame.
        let moves =
            row.saved(Native::STACK_POINTER) != Saved::Unchanged && Native::ABOVE_CALLER == 0;
        if !fits || moves || row.is_signal {
            return None;
        }
        let offset = |saved, top: usize| match saved {
            Saved::Offset(offset) => {
                let below = usize::try_from((top as isize).checked_sub(offset)?).ok()?;
                let fits = below != 0 && below % WORD == 0 && below / WORD < 1 << OFFSET_BITS;
                fits.then_some(Some(below))
            }
            Saved::Unchanged => Some(None),
            _ => None,
        };
        let frame_pointer = offset(row.saved(Native::FRAME_POINTER), 0)?;
        let return_address = offset(row.saved(Native::RETURN_ADDRESS), Native::LINKAGE)?;
        if return_address.is_none() && Native::LINK.is_none() {
            return None;
        }
        Some(Self::Frame { by_frame_pointer, size, frame_pointer, return_address })
    }

    pub(super) fn pack(self) -> Packed {
        Packed(match self {
            Self::Frame { by_frame_pointer, size, frame_pointer, return_address } => {
                let kind = if by_frame_pointer { BY_FRAME_POINTER } else { BY_STACK_POINTER };
                let words = |offset: Option<usize>| (offset.unwrap_or(0) / WORD) as u64;
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
    pub(super) fn unpack(self) -> Rule {
        let field = |at: u32, bits: u32| (self.0 >> at & ((1 << bits) - 1)) as usize * WORD;
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

    #[test]
    fn rules_come_back_from_their_packed_form() {
        let largest = WORD * ((1 << OFFSET_BITS) - 1);
        let offsets = [None, Some(WORD), Some(7 * WORD), Some(largest)];
        for by_frame_pointer in [false, true] {
            for size in [0, WORD, WORD * ((1 << SIZE_BITS) - 1)] {
                for (frame_pointer, return_address) in
                    offsets.iter().flat_map(|a| offsets.iter().map(|b| (*a, *b)))
                {
                    let rule =
                        Rule::Frame { by_frame_pointer, size, frame_pointer, return_address };
                    assert_eq!(rule.pack().unpack(), rule);
                }
            }
        }
        for rule in [Rule::Outermost, Rule::None, Rule::Slow] {
            assert_eq!(rule.pack().unpack(), rule);
        }
        assert_eq!(Packed(0).unpack(), Rule::Slow);
    }
}
