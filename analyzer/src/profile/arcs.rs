//! The arcs of the call graph: which function called which, and how often.

use std::ops::Range;

use crate::symbols::SymbolId;

/// A position in the list of arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArcId(pub(crate) u32);

/// Calls of one function by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The function that calls.
    pub caller: SymbolId,
    /// The function called.
    pub callee: SymbolId,
    /// The number of calls.
    pub count: u64,
}

/// All arcs, with those of each function at hand.
///
/// The arcs of a function come newest first, that is in reverse order of their first appearance in
/// the data. GNU gprof keeps its lists in this order, and the order of equal lines and of sums of
/// floating-point numbers follows from it.
#[derive(Clone, Debug)]
pub struct Arcs {
    /// By caller, then newest first.
    list: Vec<Arc>,
    /// Where each caller's arcs start in `list`.
    children: Stretches,
    /// Where each callee's arcs start in `by_callee`.
    parents: Stretches,
    by_callee: Vec<ArcId>,
    by_age: Vec<ArcId>,
}

/// Arcs that lie together in the list.
#[derive(Clone, Debug)]
pub struct ArcIds(Range<u32>);

/// A list of items sorted by function, and where those of each function start.
#[derive(Clone, Debug)]
struct Stretches {
    /// One more entry for the end of the last.
    starts: Vec<u32>,
}

impl ArcId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Iterator for ArcIds {
    type Item = ArcId;

    fn next(&mut self) -> Option<ArcId> {
        self.0.next().map(ArcId)
    }
}

impl DoubleEndedIterator for ArcIds {
    fn next_back(&mut self) -> Option<ArcId> {
        self.0.next_back().map(ArcId)
    }
}

impl Arc {
    /// Whether a function calls itself.
    #[must_use]
    pub fn is_self(&self) -> bool {
        self.caller == self.callee
    }
}

impl Arcs {
    /// Sums `calls`, fewer than 2^32, between the functions of a table of `symbols`.
    pub(super) fn new(calls: &[Arc], symbols: usize) -> Self {
        let first_of_pair = first_of_pair(calls, symbols);
        // The sums of all pairs in the order of first appearance.
        let mut sums: Vec<Arc> = Vec::new();
        let mut place_of = vec![0_u32; calls.len()];
        for (index, (call, &first)) in calls.iter().zip(&first_of_pair).enumerate() {
            if first as usize == index {
                place_of[index] = sums.len() as u32;
                sums.push(*call);
            } else {
                let sum = &mut sums[place_of[first as usize] as usize];
                sum.count = sum.count.saturating_add(call.count);
            }
        }
        drop((first_of_pair, place_of));
        let (children, by_caller) = Stretches::newest_first(&sums, symbols, |arc| arc.caller);
        let list: Vec<Arc> = by_caller.iter().map(|&place| sums[place as usize]).collect();
        let (parents, by_callee) = Stretches::newest_first(&sums, symbols, |arc| arc.callee);
        let mut id_of = vec![ArcId(0); sums.len()];
        for (&place, id) in by_caller.iter().zip(0..) {
            id_of[place as usize] = ArcId(id);
        }
        let by_callee = by_callee.into_iter().map(|place| id_of[place as usize]).collect();
        Self { list, children, parents, by_callee, by_age: id_of }
    }

    /// All arcs, by caller.
    #[must_use]
    pub fn list(&self) -> &[Arc] {
        &self.list
    }

    /// All arcs, in the order of their first appearance in the data.
    #[must_use]
    pub fn by_age(&self) -> &[ArcId] {
        &self.by_age
    }

    /// One arc.
    ///
    /// # Panics
    /// If `id` is from another profile with more arcs.
    #[must_use]
    pub fn get(&self, id: ArcId) -> &Arc {
        &self.list[id.index()]
    }

    /// The arcs out of a function, newest first.
    #[must_use]
    pub fn children(&self, caller: SymbolId) -> ArcIds {
        ArcIds(self.children.of(caller))
    }

    /// The arcs into a function, newest first.
    #[must_use]
    pub fn parents(&self, callee: SymbolId) -> &[ArcId] {
        let stretch = self.parents.of(callee);
        &self.by_callee[stretch.start as usize..stretch.end as usize]
    }
}

/// For each call the first one from and to the same functions.
fn first_of_pair(calls: &[Arc], symbols: usize) -> Vec<u32> {
    let (stretches, by_caller) = Stretches::newest_first(calls, symbols, |call| call.caller);
    let mut firsts = vec![0; calls.len()];
    // For each callee the caller it was last met with, and the first call of that pair.
    let mut met = vec![(u32::MAX, 0); symbols];
    for caller in 0..symbols as u32 {
        let stretch = stretches.of(SymbolId(caller));
        for &call in by_caller[stretch.start as usize..stretch.end as usize].iter().rev() {
            let met = &mut met[calls[call as usize].callee.index()];
            if met.0 != caller {
                *met = (caller, call);
            }
            firsts[call as usize] = met.1;
        }
    }
    firsts
}

impl Stretches {
    /// Sorts the positions of `items` by function; those of one function newest first.
    fn newest_first(
        items: &[Arc],
        symbols: usize,
        function: impl Fn(&Arc) -> SymbolId,
    ) -> (Self, Vec<u32>) {
        // A counting sort: count, add up, then place each item. Placing from the end of each
        // function's stretch to its start puts the newest item first.
        let mut starts = vec![0; symbols + 1];
        for item in items {
            starts[function(item).index()] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sorted = vec![0; items.len()];
        for (item, position) in items.iter().zip(0..) {
            let place = &mut starts[function(item).index()];
            *place -= 1;
            sorted[*place as usize] = position;
        }
        (Self { starts }, sorted)
    }

    fn of(&self, symbol: SymbolId) -> Range<u32> {
        self.starts[symbol.index()]..self.starts[symbol.index() + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_of_a_function_come_newest_first() {
        let pairs = [(0, 1), (0, 2), (2, 1), (0, 1), (0, 0), (2, 1)];
        let call = |&(caller, callee): &(u32, u32)| Arc {
            caller: SymbolId(caller),
            callee: SymbolId(callee),
            count: 5,
        };
        let arcs = Arcs::new(&pairs.iter().map(call).collect::<Vec<_>>(), 4);
        let ends = |ids: &mut dyn Iterator<Item = ArcId>| {
            ids.map(|id| (arcs.get(id).caller.0, arcs.get(id).callee.0, arcs.get(id).count))
                .collect::<Vec<_>>()
        };
        let children = |id| ends(&mut arcs.children(SymbolId(id)));
        assert_eq!(children(0), [(0, 0, 5), (0, 2, 5), (0, 1, 10)]);
        assert_eq!(children(2), [(2, 1, 10)]);
        assert_eq!(children(3), []);
        let parents = ends(&mut arcs.parents(SymbolId(1)).iter().copied());
        assert_eq!(parents, [(2, 1, 10), (0, 1, 10)]);
    }
}
