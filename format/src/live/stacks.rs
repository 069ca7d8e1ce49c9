//! The nodes of one block, which refer to each other.

use super::{Block, StackNode};
use crate::Encoding;

/// A forest of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Stacks<'a> {
    encoding: Encoding,
    entry_len: usize,
    bytes: &'a [u8],
}

impl<'a> Stacks<'a> {
    pub(super) fn new(encoding: Encoding, block: Block, bytes: &'a [u8]) -> Self {
        Self { encoding, entry_len: block.entry_len.max(1) as usize, bytes }
    }

    /// How many positions there are, also those of free entries.
    #[must_use]
    pub fn positions(self) -> usize {
        self.bytes.len() / self.entry_len
    }

    /// The node at a position; `None` if the entry is free or there is no such position.
    #[must_use]
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
