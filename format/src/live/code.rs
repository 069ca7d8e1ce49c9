//! Code that is in no file: what interpreters run, and what compilers made at run time.

use super::{field, put};
use crate::{Encoding, LoadedPc};

/// Code without a file of its own: an entry of a block of code, whose strings and lines follow the entries.
///
/// The ranges of two of them overlap only if one was gone before the other came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code<'a> {
    /// The lowest address. An interpreter's code has addresses that no processor can have.
    pub start: LoadedPc,
    /// The address behind the highest.
    pub end: LoadedPc,
    /// When it came, in nanoseconds since the profile began.
    pub from_ns: u64,
    /// When it was gone, in nanoseconds since the profile began; 0 if it stayed.
    pub to_ns: u64,
    /// Origin of it.
    pub kind: CodeKind,
    /// The line that it begins with; 0 if that is not known.
    pub first_line: u32,
    /// Lines of its addresses.
    pub lines: CodeLines<'a>,
    /// Its name, as users read it.
    pub name: &'a [u8],
    /// The source file; empty if it is not known.
    pub file: &'a [u8],
}

/// Origin of code that is in no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CodeKind {
    /// Of CPython's interpreter: the address that is `n` behind the first stands for line `n` of the source, the first itself
    /// for a line that is not known.
    Python,
    /// Named by a perf map.
    PerfMap,
    /// Named by a dump of a compiler that works at run time.
    Jitdump,
    /// A kind that this version does not know: a number that none of the others has.
    Other(u32),
}

/// Lines of code, each with the offset from the start at which it begins, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeLines<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
}

/// Offsets of the fields. Numbers without a size have 32 bits.
const START_AT: usize = 0; // 64 bits
const END_AT: usize = 8; // 64 bits
const FROM_AT: usize = 16; // 64 bits
const TO_AT: usize = 24; // 64 bits
const KIND_AT: usize = 32;
const FIRST_LINE_AT: usize = 36;
const NAME_AT_AT: usize = 40;
const NAME_LEN_AT: usize = 44;
const FILE_AT_AT: usize = 48;
const FILE_LEN_AT: usize = 52;
const LINES_AT_AT: usize = 56;
const LINES_AT: usize = 60;

const PYTHON: u32 = 1;
const PERF_MAP: u32 = 2;
const JITDUMP: u32 = 3;

/// Size in bytes of an entry, and of a line.
const CODE_LEN: usize = 64;
const LINE_LEN: usize = 8;

/// Places of the strings and the lines of an entry, in bytes from the start of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeParts {
    /// Place of the name.
    pub name_at: u32,
    /// Place of the file's name.
    pub file_at: u32,
    /// Place of the lines, which must be a multiple of four.
    pub lines_at: u32,
}

impl CodeKind {
    const fn number(self) -> u32 {
        match self {
            Self::Python => PYTHON,
            Self::PerfMap => PERF_MAP,
            Self::Jitdump => JITDUMP,
            Self::Other(number) => number,
        }
    }

    const fn of(number: u32) -> Self {
        match number {
            PYTHON => Self::Python,
            PERF_MAP => Self::PerfMap,
            JITDUMP => Self::Jitdump,
            other => Self::Other(other),
        }
    }
}

impl<'a> CodeLines<'a> {
    /// Size in bytes of a line: offset and line, 32 bits each.
    pub const ENTRY_LEN: usize = LINE_LEN;

    /// Lines whose bytes are these, [`encode`](Self::encode)d each.
    #[must_use]
    pub const fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, encoding }
    }

    /// No lines.
    #[must_use]
    pub const fn none() -> Self {
        Self { bytes: &[], encoding: Encoding::NATIVE }
    }

    /// The bytes of one.
    #[must_use]
    pub fn encode(offset: u32, line: u32, encoding: Encoding) -> [u8; LINE_LEN] {
        let mut bytes = [0; Self::ENTRY_LEN];
        put(&mut bytes, 0, &encoding.u32_bytes(offset));
        put(&mut bytes, 4, &encoding.u32_bytes(line));
        bytes
    }

    /// The bytes of all.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Offsets, each with the line that begins there; 0 where it is not known.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (u32, u32)> + 'a {
        let encoding = self.encoding;
        let entries = self.bytes.chunks_exact(Self::ENTRY_LEN);
        entries.map(move |entry| (encoding.u32(field(entry, 0)), encoding.u32(field(entry, 4))))
    }
}

impl<'a> Code<'a> {
    /// Size in bytes of an entry.
    pub const LEN: usize = CODE_LEN;

    /// Start of the addresses that stand for an interpreter's code. No processor has code there.
    pub const FIRST_OF_INTERPRETERS: u64 = 1 << 62;

    /// Addresses of a code object of CPython, and with them the highest line that they can stand for.
    pub const LINES_OF_PYTHON: u64 = 1 << 24;

    /// Returns `true` if an address lies in the code.
    #[must_use]
    pub fn contains(&self, pc: LoadedPc) -> bool {
        (self.start..self.end).contains(&pc)
    }

    /// The line of an address in the code, if it is known.
    #[must_use]
    pub fn line(&self, pc: LoadedPc) -> Option<u32> {
        let offset = u32::try_from(pc.0.checked_sub(self.start.0)?).ok()?;
        let line = match self.kind {
            CodeKind::Python => offset,
            _ => self.lines.iter().take_while(|(from, _)| *from <= offset).last()?.1,
        };
        (line != 0).then_some(line)
    }

    /// The entry's bytes. `parts` says where strings and lines lie.
    #[must_use]
    pub fn encode(&self, encoding: Encoding, parts: CodeParts) -> [u8; CODE_LEN] {
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(0);
        let numbers = [
            (START_AT, self.start.0),
            (END_AT, self.end.0),
            (FROM_AT, self.from_ns),
            (TO_AT, self.to_ns),
        ];
        let small_numbers = [
            (KIND_AT, self.kind.number()),
            (FIRST_LINE_AT, self.first_line),
            (NAME_AT_AT, parts.name_at),
            (NAME_LEN_AT, len(self.name)),
            (FILE_AT_AT, parts.file_at),
            (FILE_LEN_AT, len(self.file)),
            (LINES_AT_AT, parts.lines_at),
            (LINES_AT, len(self.lines.bytes) / CodeLines::ENTRY_LEN as u32),
        ];
        let mut bytes = [0; CODE_LEN];
        for (offset, number) in numbers {
            put(&mut bytes, offset, &encoding.u64_bytes(number));
        }
        for (offset, number) in small_numbers {
            put(&mut bytes, offset, &encoding.u32_bytes(number));
        }
        bytes
    }

    /// The code of an entry in the bytes of a block; `None` if the entry is free. Strings and lines that are not in the block
    /// are empty.
    pub(super) fn decode(entry: &[u8], block: &'a [u8], encoding: Encoding) -> Option<Self> {
        let number = |offset| encoding.u64(field(entry, offset));
        let small_number = |offset| encoding.u32(field(entry, offset));
        let piece = |at: usize, len: usize, unit: usize| {
            let start = usize::try_from(small_number(at)).ok()?;
            let len = usize::try_from(small_number(len)).ok()?.checked_mul(unit)?;
            block.get(start..)?.get(..len)
        };
        let lines = piece(LINES_AT_AT, LINES_AT, CodeLines::ENTRY_LEN).unwrap_or_default();
        let start = LoadedPc(number(START_AT));
        (start != LoadedPc(0)).then(|| Self {
            start,
            end: LoadedPc(number(END_AT)),
            from_ns: number(FROM_AT),
            to_ns: number(TO_AT),
            kind: CodeKind::of(small_number(KIND_AT)),
            first_line: small_number(FIRST_LINE_AT),
            lines: CodeLines::new(lines, encoding),
            name: piece(NAME_AT_AT, NAME_LEN_AT, 1).unwrap_or_default(),
            file: piece(FILE_AT_AT, FILE_LEN_AT, 1).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ByteOrder, WordSize};

    const ENCODINGS: [Encoding; 2] = [
        Encoding { word: WordSize::Eight, order: ByteOrder::Little },
        Encoding { word: WordSize::Four, order: ByteOrder::Big },
    ];

    #[test]
    fn entries_are_read_as_they_were_written() {
        for encoding in ENCODINGS {
            let lines = [(0, 7), (16, 9), (32, 0)];
            let lines = lines.map(|(offset, line)| CodeLines::encode(offset, line, encoding));
            let lines = CodeLines::new(lines.as_flattened(), encoding);
            let kinds =
                [CodeKind::Python, CodeKind::PerfMap, CodeKind::Jitdump, CodeKind::Other(9)];
            for kind in kinds {
                let code = Code {
                    start: LoadedPc(0x1000),
                    end: LoadedPc(0x1040),
                    from_ns: 5,
                    to_ns: 6,
                    kind,
                    first_line: 7,
                    lines,
                    name: b"parse",
                    file: b"/a.js",
                };
                let parts = CodeParts { name_at: 64, file_at: 69, lines_at: 76 };
                let entry = code.encode(encoding, parts);
                let block = [&entry[..], b"parse/a.js\0\0", lines.bytes()].concat();
                assert_eq!(Code::decode(&entry, &block, encoding), Some(code), "{kind:?}");
                let cut = Code::decode(&entry, &block[..70], encoding).unwrap();
                assert_eq!((cut.name, cut.file), (&b"parse"[..], &b""[..]));
                assert_eq!(cut.lines.iter().count(), 0);
            }
            assert_eq!(Code::decode(&[0; Code::LEN], &[], encoding), None);
        }
    }

    #[test]
    fn lines_are_those_of_the_kind() {
        let encoding = Encoding::NATIVE;
        let lines = [(4, 7), (16, 9), (32, 0)];
        let lines = lines.map(|(offset, line)| CodeLines::encode(offset, line, encoding));
        let code = |kind| Code {
            start: LoadedPc(0x1000),
            end: LoadedPc(0x1040),
            from_ns: 0,
            to_ns: 0,
            kind,
            first_line: 7,
            lines: CodeLines::new(lines.as_flattened(), encoding),
            name: b"",
            file: b"",
        };
        for (offset, python, other) in
            [(0, None, None), (4, Some(4), Some(7)), (31, Some(31), Some(9)), (33, Some(33), None)]
        {
            let pc = LoadedPc(0x1000 + offset);
            assert_eq!(code(CodeKind::Python).line(pc), python, "{offset}");
            assert_eq!(code(CodeKind::Jitdump).line(pc), other, "{offset}");
        }
        assert_eq!(code(CodeKind::Python).line(LoadedPc(0xfff)), None);
    }
}
