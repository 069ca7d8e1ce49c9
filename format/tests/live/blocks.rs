//! Blocks of a finished full profile.

use gmon_format::{
    Encoding,
    live::{Block, Content, Form},
};

/// Appends a block of entries of one size, and the strings behind them.
pub(crate) fn append(
    file: &mut Vec<u8>,
    encoding: Encoding,
    (content, entry_len): (Content, usize),
    entries: &[u8],
    strings: &[u8],
) {
    let block = Block {
        content,
        len: (Block::LEN + entries.len() + strings.len()) as u64,
        entries_at: Block::LEN as u64,
        entries: (entries.len() / entry_len) as u64,
        entry_len: entry_len as u32,
    };
    file.extend(block.encode(encoding));
    file.extend(entries);
    file.extend(strings);
    file.resize(file.len().next_multiple_of(Form::Finished.alignment()), 0);
}
