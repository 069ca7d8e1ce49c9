//! Writes code that is in no file: entries, and strings and lines behind them.

use gmon_format::live::{Block, Code, CodeLines, CodeParts};
use gmon_format::{Encoding, LoadedPc};

use crate::records::NamedCode;

/// The entries of a block, and the bytes behind them.
#[derive(Clone, Debug, Default)]
pub struct CodeEntries {
    /// The entries.
    pub entries: Vec<u8>,
    /// Strings and lines.
    pub behind: Vec<u8>,
}

impl CodeEntries {
    /// Writes code, whose entries lie right behind the head of the block.
    #[must_use]
    pub fn new(list: &[NamedCode], encoding: Encoding) -> Self {
        let mut all = Self::default();
        let behind_at = Block::LEN + list.len() * Code::LEN;
        for code in list {
            let lines = code.lines.iter();
            let lines = lines.map(|(at, line)| CodeLines::encode(*at, *line, encoding));
            let lines: Vec<u8> = lines.flatten().collect();
            let mut place = |bytes: &[u8]| {
                let at = behind_at + all.behind.len();
                all.behind.extend_from_slice(bytes);
                // A block is smaller than that, or its strings are not found.
                u32::try_from(at).unwrap_or(u32::MAX)
            };
            let lines_at = place(&lines);
            let name_at = place(&code.name);
            let file_at = place(&code.file);
            all.behind.resize(all.behind.len().next_multiple_of(4), 0);
            let entry = Code {
                start: LoadedPc(code.start),
                end: LoadedPc(code.end),
                from_ns: code.from_ns,
                to_ns: code.to_ns,
                kind: code.kind,
                first_line: code.first_line,
                lines: CodeLines::new(&lines, encoding),
                name: &code.name,
                file: &code.file,
            };
            let parts = CodeParts { name_at, file_at, lines_at };
            all.entries.extend(entry.encode(encoding, parts));
        }
        all
    }
}
