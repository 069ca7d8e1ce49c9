//! Facts in the file about the program that writes it.

use super::{LiveError, field, put};
use crate::{ByteOrder, Encoding, HistogramHeader, LoadedPc, Placement, WordSize};

/// The first bytes of the file. They are written last: a file without them tells nothing yet.
const MAGIC: [u8; 8] = *b"gmonlive";

/// The version this crate writes. It reads the first as well, which had two kinds of blocks.
const VERSION: u32 = 2;

/// Offsets of the fields. Numbers without a size have 64 bits.
const VERSION_AT: usize = 8; // 32 bits
const WORD_AT: usize = 12; // 8 bits: bytes of an address
const ORDER_AT: usize = 13; // 8 bits: 1 = little, 2 = big
const ALIGNMENT_AT: usize = 14; // 8 bits: logarithm of the blocks' alignment, 0 in version 1
const PROCESS_AT: usize = 16;
const BIAS_AT: usize = 24;
const TEXT_START_AT: usize = 32;
const TEXT_END_AT: usize = 40;
const EXTERNAL_CALLER_AT: usize = 48;
const CALL_OFFSET_AT: usize = 56;
const RATE_AT: usize = 80; // 32 bits
const DIMENSION_AT: usize = 84; // 15 bytes
const ABBREVIATION_AT: usize = 99; // 1 byte
const PROGRAM_AT: usize = 104; // up to the end

/// Meaning of the bins of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Counts per unit of the dimension.
    pub rate: u32,
    /// Name of the dimension, padded with NUL.
    pub dimension: [u8; 15],
    /// Abbreviation of the dimension, of one letter.
    pub abbreviation: u8,
}

impl Sampling {
    /// Time, sampled `rate` times a second.
    #[must_use]
    pub const fn seconds(rate: u32) -> Self {
        Self { rate, dimension: HistogramHeader::SECONDS, abbreviation: b's' }
    }

    /// Returns `true` if it is time that is counted.
    #[must_use]
    pub fn is_time(&self) -> bool {
        self.dimension == HistogramHeader::SECONDS
    }
}

/// Form of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The program maps it and adds to it. One of its histograms counts.
    #[default]
    Live,
    /// A file written whole. Each module that was sampled may have a histogram.
    Finished,
}

impl Form {
    /// Blocks begin at multiples of this.
    #[must_use]
    pub const fn alignment(self) -> usize {
        1 << self.alignment_bits()
    }

    const fn alignment_bits(self) -> u8 {
        match self {
            Self::Live => 12,
            Self::Finished => 6,
        }
    }
}

/// Head of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Encoding of the program's numbers in the file, also of those of the header.
    pub encoding: Encoding,
    /// Form of the file.
    pub form: Form,
    /// The number of the process.
    pub process: u64,
    /// Placement of its code.
    pub placement: Placement,
    /// The size that the file has at least, in bytes: a shorter one was cut.
    pub reserved: u64,
    /// Offset of the block of the program's histogram from the start of the file, in bytes; 0 if
    /// there is none. In a live file blocks of earlier histograms may lie elsewhere.
    pub histogram_at: u64,
    /// Meaning of the histogram's bins.
    pub sampling: Sampling,
    /// The name of the program's file, cut to this size and padded with NUL.
    pub program: [u8; Self::PROGRAM_LEN],
}

impl Header {
    /// Size in bytes.
    pub const LEN: usize = 256;

    /// The longest name of a program that is kept.
    pub const PROGRAM_LEN: usize = Self::LEN - PROGRAM_AT;

    /// Offset of [`reserved`](Self::reserved), a number of 64 bits, which grows.
    pub const RESERVED_AT: usize = 64;

    /// Offset of [`histogram_at`](Self::histogram_at), a number of 64 bits, which may change.
    pub const HISTOGRAM_AT_AT: usize = 72;

    /// The name of a program, as the header has it.
    #[must_use]
    pub fn program_name(name: &[u8]) -> [u8; Self::PROGRAM_LEN] {
        let mut program = [0; Self::PROGRAM_LEN];
        program.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
        program
    }

    /// The name of the program's file, without what pads it.
    #[must_use]
    pub fn program_text(&self) -> &[u8] {
        self.program.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// The header's bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::LEN] {
        let Self { encoding, form, placement, sampling, .. } = self;
        let word = encoding.word.bytes() as u8;
        let order = match encoding.order {
            ByteOrder::Little => 1,
            ByteOrder::Big => 2,
        };
        let numbers = [
            (PROCESS_AT, self.process),
            (BIAS_AT, placement.bias),
            (TEXT_START_AT, placement.text.start.0),
            (TEXT_END_AT, placement.text.end.0),
            (EXTERNAL_CALLER_AT, placement.external_caller.0),
            (CALL_OFFSET_AT, placement.call_offset),
            (Self::RESERVED_AT, self.reserved),
            (Self::HISTOGRAM_AT_AT, self.histogram_at),
        ];

        let mut bytes = [0; Self::LEN];
        put(&mut bytes, 0, &MAGIC);
        put(&mut bytes, VERSION_AT, &encoding.u32_bytes(VERSION));
        put(&mut bytes, WORD_AT, &[word, order, form.alignment_bits()]);
        for (offset, number) in numbers {
            put(&mut bytes, offset, &encoding.u64_bytes(number));
        }
        put(&mut bytes, RATE_AT, &encoding.u32_bytes(sampling.rate));
        put(&mut bytes, DIMENSION_AT, &sampling.dimension);
        put(&mut bytes, ABBREVIATION_AT, &[sampling.abbreviation]);
        put(&mut bytes, PROGRAM_AT, &self.program);
        bytes
    }

    /// Returns `true` if a file that begins with these bytes is a live or a finished one, as far as
    /// they tell.
    #[must_use]
    pub fn begins(file: &[u8]) -> bool {
        file.starts_with(&MAGIC)
    }

    /// The header that a file begins with.
    ///
    /// # Errors
    /// [`LiveError::TooShort`], [`LiveError::NotLive`], [`LiveError::UnsupportedVersion`] or
    /// [`LiveError::BadHeader`].
    pub fn decode(file: &[u8]) -> Result<Self, LiveError> {
        let bytes: &[u8; Self::LEN] = file.first_chunk().ok_or(LiveError::TooShort)?;
        if field(bytes, 0) != MAGIC {
            return Err(LiveError::NotLive);
        }
        let word = match field(bytes, WORD_AT) {
            [4] => WordSize::Four,
            [8] => WordSize::Eight,
            _ => return Err(LiveError::BadHeader),
        };
        let order = match field(bytes, ORDER_AT) {
            [1] => ByteOrder::Little,
            [2] => ByteOrder::Big,
            _ => return Err(LiveError::BadHeader),
        };
        let encoding = Encoding { word, order };
        let version = encoding.u32(field(bytes, VERSION_AT));
        let form = match (version, field(bytes, ALIGNMENT_AT)) {
            (1, _) => Form::Live,
            (VERSION, [bits]) if bits == Form::Live.alignment_bits() => Form::Live,
            (VERSION, [bits]) if bits == Form::Finished.alignment_bits() => Form::Finished,
            (VERSION, _) => return Err(LiveError::BadHeader),
            _ => return Err(LiveError::UnsupportedVersion(version)),
        };
        let number = |offset| encoding.u64(field(bytes, offset));
        let [abbreviation] = field(bytes, ABBREVIATION_AT);
        Ok(Self {
            encoding,
            form,
            process: number(PROCESS_AT),
            placement: Placement {
                bias: number(BIAS_AT),
                text: LoadedPc(number(TEXT_START_AT))..LoadedPc(number(TEXT_END_AT)),
                external_caller: LoadedPc(number(EXTERNAL_CALLER_AT)),
                call_offset: number(CALL_OFFSET_AT),
            },
            reserved: number(Self::RESERVED_AT),
            histogram_at: number(Self::HISTOGRAM_AT_AT),
            sampling: Sampling {
                rate: encoding.u32(field(bytes, RATE_AT)),
                dimension: field(bytes, DIMENSION_AT),
                abbreviation,
            },
            program: field(bytes, PROGRAM_AT),
        })
    }
}
