//! The arcs of the call graph: which function called which, and how often.

use std::iter::Map;
use std::ops::Range;

use crate::positions::positions;
use crate::symbols::SymbolId;

positions! {
    /// A position in the list of arcs.
    ArcId(pub(crate) u32),
}

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
    /// Arcs by caller, then newest first.
    list: Vec<Arc>,
    /// Start of each caller's arcs in `list`.
    children: Stretches,
    /// Start of each callee's arcs in `by_callee`.
    parents: Stretches,
    by_callee: Vec<ArcId>,
    by_age: Vec<ArcId>,
}

/// Arcs that lie together in the list.
pub type ArcIds = Map<Range<u32>, fn(u32) -> ArcId>;

/// A list of items sorted by function, and where those of each function start.
#[derive(Clone, Debug)]
struct Stretches {
    /// Starts, and a last entry for the end of the last.
    starts: Vec<u32>,
}

impl Arc {
    /// Returns `true` if a function calls itself.
    #[must_use]
    pub fn is_self(&self) -> bool {
        self.caller == self.callee
    }
}

impl Arcs {
    /// Sums `calls`, fewer than 2^32, between the functions of a table of `symbols`.
    pub(crate) fn new(calls: &[Arc], symbols: usize) -> Self {
        let callers = calls.iter().map(|call| call.caller).zip(0_u32..);
        let (calls_of, by_caller) = Stretches::newest_first(callers, symbols);
        let mut list: Vec<Arc> = Vec::with_capacity(calls.len());
        // The oldest call of each arc.
        let mut oldest: Vec<u32> = Vec::with_capacity(calls.len());
        let mut children = Stretches { starts: vec![0; symbols + 1] };
        // For each callee the arc into it that was made last.
        let mut last_into = vec![0_u32; symbols];
        for caller in 0..symbols {
            let start = list.len();
            for &number in by_caller[calls_of.range(caller)].iter().rev() {
                let call = &calls[number as usize];
                let last = &mut last_into[call.callee.index()];
                match list.get_mut(*last as usize) {
                    // Arcs of other callers lie before the start.
                    Some(arc) if *last as usize >= start && arc.callee == call.callee => {
                        arc.count = arc.count.saturating_add(call.count);
                    }
                    _ => {
                        *last = list.len() as u32;
                        list.push(*call);
                        oldest.push(number);
                    }
                }
            }
            list[start..].reverse();
            oldest[start..].reverse();
            children.starts[caller + 1] = list.len() as u32;
        }
        let mut arc_of = vec![None; calls.len()];
        for (&call, id) in oldest.iter().zip(0..) {
            arc_of[call as usize] = Some(ArcId(id));
        }
        let with_arc = |(call, &id): (&Arc, &Option<ArcId>)| Some((call.callee, id?));
        let callees = calls.iter().zip(&arc_of).filter_map(with_arc);
        let (parents, by_callee) = Stretches::newest_first(callees, symbols);
        let by_age = arc_of.into_iter().flatten().collect();
        Self { list, children, parents, by_callee, by_age }
    }

    /// All arcs, by caller.
    #[must_use]
    pub fn list(&self) -> &[Arc] {
        &self.list
    }

    /// The numbers of all arcs, by caller.
    pub fn ids(&self) -> ArcIds {
        (0..self.list.len() as u32).map(ArcId)
    }

    /// All arcs, in the order of their first appearance in the data.
    #[must_use]
    pub fn by_age(&self) -> &[ArcId] {
        &self.by_age
    }

    /// An arc.
    ///
    /// # Panics
    /// If `id` is from another profile with more arcs.
    #[must_use]
    pub fn get(&self, id: ArcId) -> &Arc {
        &self.list[id.index()]
    }

    /// The arcs out of a function, newest first.
    pub fn children(&self, caller: SymbolId) -> ArcIds {
        let range = self.children.range(caller.index());
        (range.start as u32..range.end as u32).map(ArcId)
    }

    /// The arcs into a function, newest first.
    #[must_use]
    pub fn parents(&self, callee: SymbolId) -> &[ArcId] {
        &self.by_callee[self.parents.range(callee.index())]
    }
}

impl Stretches {
    /// Sorts items by function; those of one function newest first.
    fn newest_first<T: Copy + Default>(
        items: impl Iterator<Item = (SymbolId, T)> + Clone,
        symbols: usize,
    ) -> (Self, Vec<T>) {
        // A counting sort: count, add up, then place each item. Placing from the end of each
        // function's stretch to its start puts the newest item first.
        let mut starts = vec![0; symbols + 1];
        for (function, _) in items.clone() {
            starts[function.index()] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sorted = vec![T::default(); sum as usize];
        for (function, item) in items {
            let place = &mut starts[function.index()];
            *place -= 1;
            sorted[*place as usize] = item;
        }
        (Self { starts }, sorted)
    }

    fn range(&self, function: usize) -> Range<usize> {
        self.starts[function] as usize..self.starts[function + 1] as usize
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
