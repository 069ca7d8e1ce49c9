//! A stretch of the file with entries of one kind.

use super::{Code, Count, Gap, Mark, Module, Sample, StackNode, Thread, Timing, field, put};
use crate::{Encoding, LoadedPc};

/// The first bytes of a block. They are written last.
const MAGIC: [u8; 8] = *b"gmonblok";

/// Offsets of the fields. Numbers without a size have 64 bits.
const KIND_AT: usize = 8; // 32 bits
const ENTRY_LEN_AT: usize = 12; // 32 bits
const LEN_AT: usize = 16;
const ENTRIES_AT_AT: usize = 24;
const ENTRIES_AT: usize = 32;
const LOW_PC_AT: usize = 40;
const BIN_LEN_AT: usize = 48; // 32 bits

const ARCS: u32 = 1;
const HISTOGRAM: u32 = 2;
const STACKS: u32 = 3;
const MODULES: u32 = 4;
const THREADS: u32 = 5;
const FACTS: u32 = 6;
const FIRST_CALLS: u32 = 7;
const SAMPLES: u32 = 8;
const CODE: u32 = 9;
const MARKS: u32 = 10;
const GAPS: u32 = 11;
const TIMES: u32 = 12;
const STEPS: u32 = 13;

/// Kinds of entries of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Calls counted by arc.
    Arcs,
    /// Samples counted by bin.
    Histogram {
        /// The lowest address covered.
        low_pc: LoadedPc,
        /// Bytes of text that a bin covers.
        bin_len: u32,
    },
    /// [Nodes](StackNode) of call stacks.
    Stacks {
        /// Number of the first node, by which samples name it; those behind it have the next ones.
        first: u64,
    },
    /// [Modules](Module), and strings behind them.
    Modules,
    /// [Threads](Thread).
    Threads,
    /// The bytes of [facts](super::Facts).
    Facts,
    /// Addresses in functions, in the order in which these were first called, as numbers of the size of an address; 0 for none.
    FirstCalls,
    /// [Samples](Sample) with their times.
    Samples,
    /// [Code] that is in no file, and strings and lines behind it.
    Code,
    /// [Marks](Mark) of the program.
    Marks,
    /// [Gaps](Gap) in the time of threads.
    Gaps,
    /// [Times of calls](Timing).
    Times,
    /// [Executions](Count::Executions) of instructions, as far as somebody stepped through them.
    Steps,
    /// Entries that this version does not know: a number that none of the others has.
    Other(u32),
}

/// Head of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Kind of the entries.
    pub content: Content,
    /// Size of the whole block in bytes.
    pub len: u64,
    /// Offset of the first entry from the start of the block, in bytes.
    pub entries_at: u64,
    /// Number of entries.
    pub entries: u64,
    /// Size of an entry in bytes.
    pub entry_len: u32,
}

impl Block {
    /// Size in bytes of what a block begins with.
    pub const LEN: usize = 64;

    /// The bytes that the block begins with.
    #[must_use]
    pub fn encode(&self, encoding: Encoding) -> [u8; Self::LEN] {
        let (kind, low_pc, bin_len) = match self.content {
            Content::Arcs => (ARCS, 0, 0),
            Content::Histogram { low_pc, bin_len } => (HISTOGRAM, low_pc.0, bin_len),
            Content::Stacks { first } => (STACKS, first, 0),
            Content::Modules => (MODULES, 0, 0),
            Content::Threads => (THREADS, 0, 0),
            Content::Facts => (FACTS, 0, 0),
            Content::FirstCalls => (FIRST_CALLS, 0, 0),
            Content::Samples => (SAMPLES, 0, 0),
            Content::Code => (CODE, 0, 0),
            Content::Marks => (MARKS, 0, 0),
            Content::Gaps => (GAPS, 0, 0),
            Content::Times => (TIMES, 0, 0),
            Content::Steps => (STEPS, 0, 0),
            Content::Other(kind) => (kind, 0, 0),
        };
        let numbers = [
            (LEN_AT, self.len),
            (ENTRIES_AT_AT, self.entries_at),
            (ENTRIES_AT, self.entries),
            (LOW_PC_AT, low_pc),
        ];
        let small_numbers =
            [(KIND_AT, kind), (ENTRY_LEN_AT, self.entry_len), (BIN_LEN_AT, bin_len)];

        let mut bytes = [0; Self::LEN];
        put(&mut bytes, 0, &MAGIC);
        for (offset, number) in numbers {
            put(&mut bytes, offset, &encoding.u64_bytes(number));
        }
        for (offset, number) in small_numbers {
            put(&mut bytes, offset, &encoding.u32_bytes(number));
        }
        bytes
    }

    /// Returns `true` if a block begins with these bytes.
    pub(super) fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The block that these bytes begin with; `None` if it contradicts itself or is longer than they
    /// are.
    pub(super) fn decode(bytes: &[u8], encoding: Encoding) -> Option<Self> {
        let number = |offset| encoding.u64(field(bytes, offset));
        let small_number = |offset| encoding.u32(field(bytes, offset));
        let block = Self {
            content: match small_number(KIND_AT) {
                ARCS => Content::Arcs,
                HISTOGRAM => Content::Histogram {
                    low_pc: LoadedPc(number(LOW_PC_AT)),
                    bin_len: small_number(BIN_LEN_AT),
                },
                STACKS => Content::Stacks { first: number(LOW_PC_AT) },
                MODULES => Content::Modules,
                THREADS => Content::Threads,
                FACTS => Content::Facts,
                FIRST_CALLS => Content::FirstCalls,
                SAMPLES => Content::Samples,
                CODE => Content::Code,
                MARKS => Content::Marks,
                GAPS => Content::Gaps,
                TIMES => Content::Times,
                STEPS => Content::Steps,
                other => Content::Other(other),
            },
            len: number(LEN_AT),
            entries_at: number(ENTRIES_AT_AT),
            entries: number(ENTRIES_AT),
            entry_len: small_number(ENTRY_LEN_AT),
        };
        block.is_sound(bytes.len() as u64, encoding).then_some(block)
    }

    fn is_sound(&self, available: u64, encoding: Encoding) -> bool {
        let end = self
            .entries
            .checked_mul(self.entry_len.into())
            .and_then(|len| len.checked_add(self.entries_at));
        let len = self.entry_len as usize;
        let holds_entries = end.is_some_and(|end| end <= self.len);
        let has_known_entries = match self.content {
            Content::Arcs | Content::Steps => len >= Count::len(encoding.word),
            Content::Stacks { .. } => len >= StackNode::LEAST_LEN,
            Content::Modules => len >= Module::LEN,
            Content::Threads => len >= Thread::LEN,
            Content::Facts => len == 1,
            Content::FirstCalls => len == encoding.word.bytes(),
            Content::Samples => len >= Sample::LEN,
            Content::Code => len >= Code::LEN,
            Content::Marks => len >= Mark::LEN,
            Content::Gaps => len >= Gap::LEN,
            Content::Times => len >= Timing::LEN_WITHOUT_CALLER,
            Content::Other(_) => true,
            Content::Histogram { low_pc, bin_len } => {
                // As in gmon.out, whose number of bins is a signed 32-bit number.
                let text = i32::try_from(self.entries)
                    .ok()
                    .and_then(|bins| u64::from(bin_len).checked_mul(bins.unsigned_abs().into()));
                let has_end = text.and_then(|text| low_pc.0.checked_add(text)).is_some();
                matches!(self.entry_len, 4 | 8) && bin_len != 0 && has_end
            }
        };
        self.len <= available
            && self.entries_at >= Self::LEN as u64
            && holds_entries
            && has_known_entries
    }

    /// The entries, in the bytes that the block begins with.
    pub(super) fn entries(self, bytes: &[u8]) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        self.entry_bytes(bytes).chunks_exact(self.entry_len.max(1) as usize)
    }

    /// The bytes of all entries, in those that the block begins with.
    pub(super) fn entry_bytes(self, bytes: &[u8]) -> &[u8] {
        let start = usize::try_from(self.entries_at).unwrap_or(usize::MAX);
        // No block that is not sound gets here: the size of all entries is known to fit.
        let len = usize::try_from(self.entries * u64::from(self.entry_len)).unwrap_or(0);
        bytes.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default()
    }
}
