//! The arcs of the call graph: which function called which, and how often.

use std::collections::HashMap;

use crate::symbols::SymbolId;

/// A position in the list of arcs, which are numbered in the order in which they first appeared.
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
#[derive(Clone, Debug)]
pub struct Arcs {
    list: Vec<Arc>,
    children: Adjacency,
    parents: Adjacency,
}

/// For each function a list of arcs, newest first: GNU gprof keeps its lists in this order, and the
/// order of equal lines and of sums of floating-point numbers follows from it.
#[derive(Clone, Debug)]
struct Adjacency {
    /// Where each function's arcs start in `arcs`; one more entry for the end of the last.
    starts: Vec<usize>,
    arcs: Vec<ArcId>,
}

/// Sums calls into arcs.
#[derive(Debug, Default)]
pub(super) struct ArcSums {
    list: Vec<Arc>,
    places: HashMap<(SymbolId, SymbolId), usize>,
}

impl ArcId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Arc {
    /// Whether a function calls itself.
    #[must_use]
    pub fn is_self(&self) -> bool {
        self.caller == self.callee
    }
}

impl ArcSums {
    pub(super) fn with_capacity(arcs: usize) -> Self {
        Self { list: Vec::new(), places: HashMap::with_capacity(arcs) }
    }

    pub(super) fn add(&mut self, call: Arc) {
        let place = *self.places.entry((call.caller, call.callee)).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some(arc) => arc.count = arc.count.saturating_add(call.count),
            None => self.list.push(call),
        }
    }

    /// Links the arcs up for a table of `symbols` functions.
    pub(super) fn finish(self, symbols: usize) -> Arcs {
        let children = Adjacency::new(&self.list, symbols, |arc| arc.caller);
        let parents = Adjacency::new(&self.list, symbols, |arc| arc.callee);
        Arcs { list: self.list, children, parents }
    }
}

impl Arcs {
    /// All arcs in the order in which they first appeared.
    #[must_use]
    pub fn list(&self) -> &[Arc] {
        &self.list
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
    pub fn children(&self, caller: SymbolId) -> &[ArcId] {
        self.children.of(caller)
    }

    /// The arcs into a function, newest first.
    #[must_use]
    pub fn parents(&self, callee: SymbolId) -> &[ArcId] {
        self.parents.of(callee)
    }
}

impl Adjacency {
    fn new(list: &[Arc], symbols: usize, end: impl Fn(&Arc) -> SymbolId) -> Self {
        // A counting sort: count, add up, then place each arc. Placing from the end of each
        // function's stretch to its start puts the newest arc first.
        let mut starts = vec![0; symbols + 1];
        for arc in list {
            starts[end(arc).index()] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut arcs = vec![ArcId(0); list.len()];
        for (arc, index) in list.iter().zip(0..) {
            let place = &mut starts[end(arc).index()];
            *place -= 1;
            arcs[*place] = ArcId(index);
        }
        Self { starts, arcs }
    }

    fn of(&self, symbol: SymbolId) -> &[ArcId] {
        &self.arcs[self.starts[symbol.index()]..self.starts[symbol.index() + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_of_a_function_come_newest_first() {
        let mut sums = ArcSums::default();
        for (caller, callee) in [(0, 1), (0, 2), (2, 1), (0, 1), (0, 0)] {
            sums.add(Arc { caller: SymbolId(caller), callee: SymbolId(callee), count: 5 });
        }
        let arcs = sums.finish(4);
        let ends = |ids: &[ArcId]| {
            ids.iter()
                .map(|&id| (arcs.get(id).caller.0, arcs.get(id).callee.0, arcs.get(id).count))
                .collect::<Vec<_>>()
        };
        assert_eq!(ends(arcs.children(SymbolId(0))), [(0, 0, 5), (0, 2, 5), (0, 1, 10)]);
        assert_eq!(ends(arcs.parents(SymbolId(1))), [(2, 1, 5), (0, 1, 10)]);
        assert_eq!(ends(arcs.children(SymbolId(3))), []);
    }
}
