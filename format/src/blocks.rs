//! Counts of basic blocks, as the records of both versions of the GNU format hold them.

use crate::read::{Cursor, CutShort};
use crate::{Encoding, ErrorKind, FilePc};

/// A basic block and how often it was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<A = FilePc> {
    /// An address in the block.
    pub pc: A,
    /// Executions.
    pub count: u64,
}

/// The blocks of a record.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    count: usize,
    bytes: &'a [u8],
    layout: Layout,
    encoding: Encoding,
}

/// Layouts of a block in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Version 1: address and count.
    Pair,
    /// Version 0, which nothing known ever wrote: count, address, the names of file and function,
    /// and a line. The record begins with one more name.
    Described,
}

impl<'a> Blocks<'a> {
    /// Takes the fields of a record, from a file whose header states `version`.
    pub(crate) fn take(cursor: &mut Cursor<'a>, version: u32) -> Result<Self, ErrorKind> {
        let announced = cursor.u32().ok_or(ErrorKind::UnexpectedEnd)?;
        let layout = if version == 0 { Layout::Described } else { Layout::Pair };
        Self::take_all(cursor, announced, layout)
            .map_err(|CutShort(read)| ErrorKind::BlocksCutShort { read, announced })
    }

    fn take_all(cursor: &mut Cursor<'a>, announced: u32, layout: Layout) -> Result<Self, CutShort> {
        let encoding = cursor.encoding();
        if layout == Layout::Pair {
            let bytes = cursor.items(announced, 2 * encoding.word.bytes())?;
            let count = bytes.len() / (2 * encoding.word.bytes());
            return Ok(Self { count, bytes, layout, encoding });
        }
        cursor.string().ok_or(CutShort(0))?;
        let bytes = cursor.rest();
        for whole in 0..announced {
            layout.block(cursor).ok_or(CutShort(whole))?;
        }
        // So many blocks were there, so the number fits.
        Ok(Self { count: announced as usize, bytes, layout, encoding })
    }

    /// Iterates over the blocks in file order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Block> + 'a {
        let mut cursor = Cursor::new(self.bytes, self.encoding);
        // All blocks were read once, so none is missing.
        let nothing = Block { pc: FilePc(0), count: 0 };
        (0..self.count).map(move |_| self.layout.block(&mut cursor).unwrap_or(nothing))
    }
}

impl Layout {
    fn block(self, cursor: &mut Cursor<'_>) -> Option<Block> {
        let first = cursor.word()?;
        let second = cursor.word()?;
        match self {
            Self::Pair => Some(Block { pc: FilePc(first), count: second }),
            Self::Described => {
                let (_file, _function) = (cursor.string()?, cursor.string()?);
                let _line = cursor.u32()?;
                Some(Block { pc: FilePc(second), count: first })
            }
        }
    }
}
