//! A stretch of machine code, and what a decoder finds in it.

use std::ops::Range;

use gmon_format::{ByteOrder, Encoding, FilePc, WordSize};

/// Instructions of one set that follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'image> {
    /// The address of the first.
    pub(crate) address: FilePc,
    /// The instructions.
    pub(crate) bytes: &'image [u8],
    /// The size of the program's addresses, and the byte order of instructions on machines that
    /// have them in either.
    pub(crate) encoding: Encoding,
}

/// Target of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// To an address that the instruction names.
    To(FilePc),
    /// To either of two addresses: the start of a function and a place a little behind it, where
    /// those enter that need not do what stands before.
    ToEither(FilePc, FilePc),
    /// To what a word of the table of global offsets says that lies so far from where a register points into the
    /// table.
    Slot(i16),
    /// To wherever a register or memory says.
    Indirect,
}

/// An instruction after which another one may follow than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A jump.
    To(FilePc),
    /// A jump, or the next instruction.
    Perhaps(FilePc),
    /// A jump to wherever a register or memory says.
    Anywhere,
    /// A return, or an instruction that no program survives.
    Away,
    /// A call, behind which control may come back.
    Call,
}

impl Step {
    /// Address that a jump names.
    pub(crate) fn target(self) -> Option<FilePc> {
        match self {
            Self::To(target) | Self::Perhaps(target) => Some(target),
            Self::Anywhere | Self::Away | Self::Call => None,
        }
    }
}

impl<'image> Code<'image> {
    /// The address behind the last instruction.
    pub(crate) fn end(&self) -> FilePc {
        self.address.saturating_add(self.bytes.len() as u64)
    }

    /// The part of the code that lies in `range`.
    pub(crate) fn within(self, range: &Range<FilePc>) -> Option<Self> {
        let end = self.end().min(range.end);
        let address = self.address.max(range.start);
        let part = usize::try_from(address - self.address).ok()?
            ..usize::try_from(end.checked_distance(self.address)?).ok()?;
        let bytes = self.bytes.get(part)?;
        Some(Self { address, bytes, ..self })
    }

    /// The instructions of a machine on which all are four bytes long, with their addresses.
    pub(super) fn words(self, order: ByteOrder) -> impl Iterator<Item = (FilePc, u32)> + 'image {
        let words = self.bytes.chunks_exact(4).map(move |bytes| word(bytes, order));
        let addresses =
            (0..).map(move |number: u64| self.relative(self.address, 4 * number as i64));
        addresses.zip(words)
    }

    /// The `len` bytes from an address on.
    pub(super) fn span(self, address: FilePc, len: u64) -> Range<FilePc> {
        address..address.saturating_add(len)
    }

    /// The address at a distance from another, in a program with addresses of this size.
    pub(super) fn relative(self, address: FilePc, distance: i64) -> FilePc {
        let sum = address.0.wrapping_add_signed(distance);
        FilePc(match self.encoding.word {
            WordSize::Four => sum & u64::from(u32::MAX),
            WordSize::Eight => sum,
        })
    }
}

/// The signed number that the lowest `bits` of an instruction hold.
pub(super) fn signed(instruction: u32, bits: u32) -> i64 {
    let unused = 32 - bits;
    i64::from((instruction << unused) as i32 >> unused)
}

/// Up to four bytes as a number.
fn word(bytes: &[u8], order: ByteOrder) -> u32 {
    let append = |number, &byte| number << 8 | u32::from(byte);
    match order {
        ByteOrder::Little => bytes.iter().rev().fold(0, append),
        ByteOrder::Big => bytes.iter().fold(0, append),
    }
}

/// The number of 16 bits at a place in the code.
pub(super) fn halfword(bytes: &[u8], at: usize, order: ByteOrder) -> Option<u32> {
    bytes.get(at..at.checked_add(2)?).map(|bytes| word(bytes, order))
}
