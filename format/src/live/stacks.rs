//! The nodes of one block, which refer to each other.

use super::{Entries, News, StackNode};

/// A forest of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Stacks<'a>(Entries<'a>, u64);

impl<'a> Stacks<'a> {
    pub(super) fn new(entries: Entries<'a>, first: u64) -> Self {
        Self(entries, first)
    }

    /// Places of the entries, and how many there can be.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        self.0
    }

    /// The number by which samples name the first node; those behind it have the next ones.
    #[must_use]
    pub fn first(self) -> u64 {
        self.1
    }

    /// Nodes that were counted last, in a live file.
    #[must_use]
    pub fn news(self) -> News<'a> {
        News::new(self.0.encoding(), self.0.behind())
    }

    /// The node at a position; `None` if the entry is free or there is no such position.
    #[must_use]
    #[inline]
    pub fn get(self, position: u32) -> Option<StackNode> {
        let entry = self.0.get(usize::try_from(position).ok()?)?;
        StackNode::decode(entry, self.0.encoding())
    }

    /// The nodes with their positions. A damaged file may have a parent that is not there, and nodes
    /// that are their own ancestors.
    pub fn iter(self) -> impl Iterator<Item = (u32, StackNode)> + Clone + 'a {
        let encoding = self.0.encoding();
        (0..).zip(self.0.iter()).filter_map(move |(position, entry)| {
            StackNode::decode(entry, encoding).map(|node| (position, node))
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
        .take(self.0.positions())
    }
}
