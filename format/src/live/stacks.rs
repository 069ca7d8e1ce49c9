//! The nodes of one block, which refer to each other.

use core::ops::Range;

use super::{Block, News, StackNode};
use crate::Encoding;

/// A forest of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Stacks<'a> {
    encoding: Encoding,
    entry_len: usize,
    /// The nodes, and how many bytes of the file lie before them.
    bytes: &'a [u8],
    before: usize,
    news: News<'a>,
}

impl<'a> Stacks<'a> {
    /// The nodes of a block, in the bytes from its start on, of which so many lie before it.
    pub(super) fn new(encoding: Encoding, block: Block, bytes: &'a [u8], before: usize) -> Self {
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let nodes = block.entry_bytes(bytes);
        let start = number(block.entries_at);
        let behind = bytes.get(start.saturating_add(nodes.len())..number(block.len));
        Self {
            encoding,
            entry_len: block.entry_len.max(1) as usize,
            bytes: nodes,
            before: before.saturating_add(start),
            news: News::new(encoding, behind.unwrap_or_default()),
        }
    }

    /// Where the nodes are in the file: in bytes from its start.
    #[must_use]
    pub fn place(self) -> Range<usize> {
        self.before..self.before + self.bytes.len()
    }

    /// Size of a node in bytes.
    #[must_use]
    pub fn entry_len(self) -> usize {
        self.entry_len
    }

    /// Which nodes were counted last, in a live file.
    #[must_use]
    pub fn news(self) -> News<'a> {
        self.news
    }

    /// How many positions there are, also those of free entries.
    #[must_use]
    pub fn positions(self) -> usize {
        self.bytes.len() / self.entry_len
    }

    /// The node at a position; `None` if the entry is free or there is no such position.
    #[must_use]
    #[inline]
    pub fn get(self, position: u32) -> Option<StackNode> {
        let start = usize::try_from(position).ok()?.checked_mul(self.entry_len)?;
        let entry = self.bytes.get(start..)?.get(..self.entry_len)?;
        StackNode::decode(entry, self.encoding)
    }

    /// The nodes with their positions. A damaged file may have a parent that is not there, and nodes
    /// that are their own ancestors.
    pub fn iter(self) -> impl Iterator<Item = (u32, StackNode)> + Clone + 'a {
        let entries = (0..).zip(self.bytes.chunks_exact(self.entry_len));
        entries.filter_map(move |(position, entry)| {
            StackNode::decode(entry, self.encoding).map(|node| (position, node))
        })
    }

    /// The frames from the node at a position to the outermost; none if there is no such node. It ends
    /// after as many as there are positions, whatever the file says.
    #[inline]
    pub fn path(self, position: u32) -> impl Iterator<Item = StackNode> + Clone + 'a {
        let mut next = Some(position);
        core::iter::from_fn(move || {
            let node = self.get(next.take()?)?;
            next = node.parent;
            Some(node)
        })
        .take(self.positions())
    }
}
