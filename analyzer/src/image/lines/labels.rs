//! Names for code whose function debug information does not name: those of the symbol table, chosen
//! as GNU gprof chooses them.

use std::cmp::Reverse;

use gmon_format::FilePc;

/// A symbol that may name code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label<'a> {
    pub(crate) address: FilePc,
    /// The number of bytes it is for; 0 if it does not say.
    pub(crate) size: u64,
    pub(crate) name: &'a [u8],
}

/// Labels that are asked for ascending addresses.
#[derive(Clone, Debug)]
pub(super) struct Labels<'a> {
    /// Labels by address, all different. Of labels at one address the largest counts and, of equal
    /// ones, the first.
    list: Vec<Label<'a>>,
    current: Option<Label<'a>>,
}

impl Label<'_> {
    /// The address behind the last one it is for. A label is for one byte at least.
    fn end(&self) -> FilePc {
        self.address.saturating_add(self.size.max(1))
    }
}

impl<'a> Labels<'a> {
    /// Takes labels in the order of the symbol table.
    pub(super) fn new(mut list: Vec<Label<'a>>) -> Self {
        list.sort_by_key(|label| (label.address, Reverse(label.end())));
        list.dedup_by_key(|label| label.address);
        Self { list, current: None }
    }

    /// All addresses at which another label can come into force, in order.
    pub(super) fn borders(&self) -> Vec<FilePc> {
        let mut borders: Vec<_> =
            self.list.iter().flat_map(|label| [label.address, label.end()]).collect();
        borders.sort_unstable();
        borders.dedup();
        borders
    }

    /// The name of the code at `address`: that of the label in force as long as it is for this
    /// address, even if another one starts nearer, else the nearest one before.
    pub(super) fn name(&mut self, address: FilePc) -> Option<&'a [u8]> {
        let in_force = |label: &Label<'_>| (label.address..label.end()).contains(&address);
        if !self.current.as_ref().is_some_and(in_force) {
            self.current = self.nearest(address);
        }
        self.current.map(|label| label.name)
    }

    fn nearest(&self, address: FilePc) -> Option<Label<'a>> {
        let before = self.list.partition_point(|label| label.address <= address);
        self.list[..before].last().copied()
    }
}
