//! Counts of arcs and basic blocks, summed where they are of the same addresses.

use std::collections::HashMap;
use std::hash::Hash;

use gmon_format::{Arc, Block, CallSite, FilePc, SelfPc};

/// Something that is counted by address.
pub(super) trait Counted: Copy {
    /// Key that counts must share to add up.
    type Key: Copy + Eq + Hash;

    fn key(&self) -> Self::Key;

    fn count(&mut self) -> &mut u64;
}

/// Counts in the order in which their addresses first appeared.
#[derive(Clone, Debug)]
pub(super) struct Counts<T: Counted> {
    list: Vec<T>,
    /// Position of each address in the list; none as long as equal ones were not looked for.
    places: Option<HashMap<T::Key, usize>>,
}

impl<T: Counted> Counts<T> {
    /// The counts. Two of the same addresses add up.
    pub(super) fn list(&self) -> &[T] {
        &self.list
    }

    pub(super) fn add(&mut self, item: T) {
        let Some(places) = &mut self.places else { return self.list.push(item) };
        let place = *places.entry(item.key()).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some(sum) => add_count(sum, item),
            None => self.list.push(item),
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.unite();
        other.list.into_iter().for_each(|item| self.add(item));
    }

    /// Sums the counts that have the same addresses, now and from now on.
    ///
    /// Called when a second file comes, since one file rarely repeats an address: it keeps memory
    /// in proportion to the different addresses, however many files repeat them.
    pub(super) fn unite(&mut self) {
        if self.places.is_none() {
            let list = std::mem::take(&mut self.list);
            self.places = Some(HashMap::with_capacity(list.len()));
            list.into_iter().for_each(|item| self.add(item));
        }
    }
}

fn add_count<T: Counted>(sum: &mut T, mut item: T) {
    *sum.count() = sum.count().saturating_add(*item.count());
}

impl<T: Counted> Default for Counts<T> {
    fn default() -> Self {
        Self { list: Vec::new(), places: None }
    }
}

impl Counted for Arc {
    type Key = (CallSite, SelfPc);

    fn key(&self) -> Self::Key {
        (self.from_pc, self.self_pc)
    }

    fn count(&mut self) -> &mut u64 {
        &mut self.count
    }
}

impl Counted for Block {
    type Key = FilePc;

    fn key(&self) -> Self::Key {
        self.pc
    }

    fn count(&mut self) -> &mut u64 {
        &mut self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_addresses_add_up_in_the_order_of_first_appearance() {
        let block = |pc, count| Block { pc: FilePc(pc), count };
        let mut counts = Counts::default();
        [block(5, 1), block(3, 10), block(5, 2)].into_iter().for_each(|item| counts.add(item));
        assert_eq!(counts.list().len(), 3);
        counts.unite();
        counts.add(block(4, 7));
        counts.add(block(3, u64::MAX));
        assert_eq!(counts.list(), [block(5, 3), block(3, u64::MAX), block(4, 7)]);
        let mut other = Counts::default();
        [block(9, 1), block(5, 1), block(9, 1)].into_iter().for_each(|item| other.add(item));
        counts.absorb(other);
        assert_eq!(counts.list(), [block(5, 4), block(3, u64::MAX), block(4, 7), block(9, 2)]);
    }
}
