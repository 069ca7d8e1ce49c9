//! The note by which a profile is found in a copy of a board's memory.
//!
//! Without a system there is no file, and a program that hangs never writes its profile. But a debugger can copy the
//! memory in which it counts. The runtime puts a note there that says where the table of arcs and the bins of the
//! histogram are, by addresses; the note's own address tells where in the copy these are.

use super::{field, put, word};
use crate::{ByteOrder, Encoding, LoadedPc, Placement, WordSize};

/// The first bytes of a note.
const MAGIC: [u8; 8] = *b"gmon\0mem";

const VERSION: u8 = 1;

/// Offsets of the fields. Those without a size are a byte.
const VERSION_AT: usize = 8;
const WORD_AT: usize = 9; // bytes of an address
const ORDER_AT: usize = 10; // 1 = little, 2 = big
const BIN_BITS_AT: usize = 11;
const ARC_LEN_AT: usize = 12;
const CALL_OFFSET_AT: usize = 13;
const RATE_AT: usize = 16; // 32 bits
/// Ten words.
const WORDS_AT: usize = 24;

/// Contents of a note. All addresses are those of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryNote {
    /// Encoding of numbers in its memory.
    pub encoding: Encoding,
    /// Placement of the code.
    pub placement: Placement,
    /// Ticks a second.
    pub rate: u32,
    /// Address of the note.
    pub here: u64,
    /// Address of the first arc, as in a block of [arcs](super::Content::Arcs).
    pub arcs_at: u64,
    /// The number of arcs that there is room for.
    pub arcs: u64,
    /// The number of arcs after which no further ones are counted.
    pub most_arcs: u64,
    /// Size of one in bytes.
    pub arc_len: u8,
    /// Address of the first bin, a number of 32 bits.
    pub bins_at: u64,
    /// The number of bins; 0 if no samples are taken.
    pub bins: u64,
    /// The lowest address that a bin covers.
    pub low_pc: LoadedPc,
    /// The bytes of code that a bin covers, as a power of two.
    pub bin_bits: u8,
}

impl MemoryNote {
    /// Size in bytes of the largest note.
    pub const MOST_LEN: usize = Self::len(WordSize::Eight);

    /// Size in bytes of a note.
    #[must_use]
    pub const fn len(word: WordSize) -> usize {
        WORDS_AT + 10 * word.bytes()
    }

    /// The bytes of the note, followed by zeros where it is not one of the largest.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::MOST_LEN] {
        let Self { encoding, placement, .. } = self;
        let size = encoding.word.bytes();
        let order = match encoding.order {
            ByteOrder::Little => 1,
            ByteOrder::Big => 2,
        };
        let mut bytes = [0; Self::MOST_LEN];
        put(&mut bytes, 0, &MAGIC);
        for (offset, byte) in [
            (VERSION_AT, VERSION),
            (WORD_AT, size as u8),
            (ORDER_AT, order),
            (BIN_BITS_AT, self.bin_bits),
            (ARC_LEN_AT, self.arc_len),
            (CALL_OFFSET_AT, placement.call_offset as u8),
        ] {
            put(&mut bytes, offset, &[byte]);
        }
        put(&mut bytes, RATE_AT, &encoding.u32_bytes(self.rate));
        let words = [
            self.here,
            placement.text.start.0,
            placement.text.end.0,
            placement.external_caller.0,
            self.arcs_at,
            self.arcs,
            self.bins_at,
            self.bins,
            self.low_pc.0,
            self.most_arcs,
        ];
        for (offset, value) in (WORDS_AT..).step_by(size).zip(words) {
            match encoding.word {
                WordSize::Four => put(&mut bytes, offset, &encoding.u32_bytes(value as u32)),
                WordSize::Eight => put(&mut bytes, offset, &encoding.u64_bytes(value)),
            }
        }
        bytes
    }

    /// Finds the note in a copy of memory, and the bytes of the arcs and of the bins. `None` if there is none of which all is
    /// there.
    #[must_use]
    pub fn find(memory: &[u8]) -> Option<(Self, &[u8], &[u8])> {
        let places = memory.windows(MAGIC.len()).enumerate().filter(|(_, bytes)| *bytes == MAGIC);
        places.filter_map(|(offset, _)| Self::at(memory, offset)).next()
    }

    /// The note at an offset, and what it tells of.
    fn at(memory: &[u8], offset: usize) -> Option<(Self, &[u8], &[u8])> {
        let note = Self::decode(memory.get(offset..)?)?;
        // The copy may begin anywhere in the board's memory.
        let bytes = |address: u64, count: u64, len: u64| {
            let distance = i128::from(address) - i128::from(note.here);
            let start = usize::try_from(offset as i128 + distance).ok()?;
            let len = usize::try_from(count.checked_mul(len)?).ok()?;
            memory.get(start..start.checked_add(len)?)
        };
        let arcs = bytes(note.arcs_at, note.arcs, note.arc_len.into())?;
        let bins = if note.bins == 0 { &[] } else { bytes(note.bins_at, note.bins, 4)? };
        Some((note, arcs, bins))
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let byte = |offset| field::<1>(bytes, offset)[0];
        let word_size = match byte(WORD_AT) {
            4 => WordSize::Four,
            8 => WordSize::Eight,
            _ => return None,
        };
        let order = match byte(ORDER_AT) {
            1 => ByteOrder::Little,
            2 => ByteOrder::Big,
            _ => return None,
        };
        let encoding = Encoding { word: word_size, order };
        let number = |index: usize| word(encoding, bytes, WORDS_AT + index * word_size.bytes());
        let note = Self {
            encoding,
            placement: Placement {
                bias: 0,
                text: LoadedPc(number(1))..LoadedPc(number(2)),
                external_caller: LoadedPc(number(3)),
                call_offset: byte(CALL_OFFSET_AT).into(),
            },
            rate: encoding.u32(field(bytes, RATE_AT)),
            here: number(0),
            arcs_at: number(4),
            arcs: number(5),
            most_arcs: number(9),
            arc_len: byte(ARC_LEN_AT),
            bins_at: number(6),
            bins: number(7),
            low_pc: LoadedPc(number(8)),
            bin_bits: byte(BIN_BITS_AT),
        };
        let is_sound = bytes.len() >= Self::len(word_size)
            && byte(VERSION_AT) == VERSION
            && usize::from(note.arc_len) >= super::Count::len(word_size)
            && note.bin_bits < 32;
        is_sound.then_some(note)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    fn note(encoding: Encoding, here: u64) -> MemoryNote {
        MemoryNote {
            encoding,
            placement: Placement {
                bias: 0,
                text: LoadedPc(0x100)..LoadedPc(0x900),
                external_caller: LoadedPc(0x880),
                call_offset: 1,
            },
            rate: 1000,
            here,
            arcs_at: here + 128,
            arcs: 2,
            most_arcs: 1,
            arc_len: 32,
            bins_at: here - 16,
            bins: 4,
            low_pc: LoadedPc(0x100),
            bin_bits: 2,
        }
    }

    #[test]
    fn notes_are_found_wherever_a_copy_begins() {
        for encoding in Encoding::ALL {
            for start in [0_usize, 3, 64] {
                let mut memory = [0xaa; 400];
                // The text of the magic number in the code, or what was copied of another note.
                memory[start..start + 8].copy_from_slice(&MAGIC);
                let note = note(encoding, 0x2000_0040);
                let at = start + 40;
                memory[at..at + MemoryNote::MOST_LEN].copy_from_slice(&note.encode());
                let (found, arcs, bins) = MemoryNote::find(&memory).expect("a note");
                assert_eq!(found, note);
                assert_eq!(arcs.as_ptr(), memory[at + 128..].as_ptr());
                assert_eq!((arcs.len(), bins.len()), (64, 16));
                assert_eq!(bins.as_ptr(), memory[at - 16..].as_ptr());
                // A copy that ends too early, or begins too late.
                assert_eq!(MemoryNote::find(&memory[..at + 128 + 63]), None);
                assert_eq!(MemoryNote::find(&memory[at..]), None);
            }
        }
    }

    #[test]
    fn notes_that_make_no_sense_are_none() {
        let note = note(Encoding::ALL[0], 0x2000_0040);
        let mut memory = [0; 400];
        memory[40..][..MemoryNote::MOST_LEN].copy_from_slice(&note.encode());
        assert!(MemoryNote::find(&memory).is_some());
        for (offset, value) in
            [(VERSION_AT, 2), (WORD_AT, 5), (ORDER_AT, 0), (BIN_BITS_AT, 40), (ARC_LEN_AT, 4)]
        {
            let mut broken = memory;
            broken[40 + offset] = value;
            assert_eq!(MemoryNote::find(&broken), None, "{offset}");
        }
    }
}
