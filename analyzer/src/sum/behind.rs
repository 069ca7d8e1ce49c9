//! Appends what was found out after a run to the full profile that its process wrote.

use gmon_format::live::{Block, Code, Content, Count, Header, Live};
use gmon_format::{Block as BasicBlock, Encoding, LoadedPc};

use super::code::CodeEntries;
use crate::records::NamedCode;

/// The bytes of a full profile with more code.
#[must_use]
pub fn with_code(bytes: &[u8], live: &Live<'_>, list: &[NamedCode]) -> Vec<u8> {
    let CodeEntries { entries, behind } = CodeEntries::new(list, live.header().encoding);
    with_block(bytes, live, (Content::Code, Code::LEN), (&entries, &behind))
}

/// The bytes of a full profile with executions of instructions that somebody stepped through.
#[must_use]
pub fn with_steps(
    bytes: &[u8],
    live: &Live<'_>,
    steps: impl Iterator<Item = (LoadedPc, u64)>,
) -> Vec<u8> {
    let encoding = live.header().encoding;
    let entries = step_entries(steps, encoding);
    with_block(bytes, live, (Content::Steps, Count::len(encoding.word)), (&entries, &[]))
}

/// The entries of executions of instructions.
pub(super) fn step_entries(
    steps: impl Iterator<Item = (LoadedPc, u64)>,
    encoding: Encoding,
) -> Vec<u8> {
    let len = Count::len(encoding.word);
    let mut entries = Vec::new();
    for (pc, count) in steps {
        let count = Count::Executions(BasicBlock { pc, count });
        entries.extend_from_slice(&count.encode(encoding)[..len]);
    }
    entries
}

/// The bytes of a full profile with one more block: entries of a size, and what is behind them.
fn with_block(
    bytes: &[u8],
    live: &Live<'_>,
    (content, entry_len): (Content, usize),
    (entries, behind): (&[u8], &[u8]),
) -> Vec<u8> {
    let header = live.header().clone();
    let block = Block {
        content,
        len: (Block::LEN + entries.len() + behind.len()) as u64,
        entries_at: Block::LEN as u64,
        entries: (entries.len() / entry_len) as u64,
        entry_len: entry_len as u32,
    };
    let alignment = header.form.alignment();
    let mut all = bytes.to_vec();
    all.resize(all.len().next_multiple_of(alignment), 0);
    for part in [&block.encode(header.encoding)[..], entries, behind] {
        all.extend_from_slice(part);
    }
    all.resize(all.len().next_multiple_of(alignment), 0);
    let header = Header { reserved: all.len() as u64, ..header };
    all[..Header::LEN].copy_from_slice(&header.encode());
    all
}
