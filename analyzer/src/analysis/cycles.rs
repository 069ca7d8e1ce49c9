//! Finds the cycles of the call graph and numbers the functions so that callees come first.
//!
//! A cycle is a set of functions that all call each other, directly or through others: a strongly
//! connected component. The search is Gabow's path-based one, without recursion, so a call chain of
//! any length is fine. It also keeps each cycle's members in the order in which GNU gprof links
//! them, since the order of equal lines and the rounding of sums depend on it.

use crate::positions::positions;
use crate::profile::{Arc, ArcIds, Arcs, FunctionId};
use crate::symbols::SymbolId;

positions! {
    /// A position in the list of cycles; people count them from 1.
    CycleId(pub(crate) u32),
}

/// The cycles, and an order in which every function comes after those it calls.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// All functions, callees first; members of a cycle lie together, in address order.
    pub(super) callees_first: Vec<SymbolId>,
    /// The members of each cycle, in the order in which the search linked them; cycles in address
    /// order of their first members.
    pub(super) cycles: Vec<Vec<SymbolId>>,
}

impl CycleId {
    /// The number that reports show, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.index() + 1
    }
}

impl Numbering {
    /// Searches the graph of `symbols` functions.
    pub(super) fn new(arcs: &Arcs, symbols: usize) -> Self {
        let mut search = Search::new(arcs, symbols);
        for root in 0..symbols as u32 {
            search.visit(root);
        }
        // Members of a cycle share a number; the sort is stable, so they stay in address order.
        let mut callees_first: Vec<_> = (0..symbols as u32).map(SymbolId).collect();
        callees_first.sort_by_key(|id| search.number[id.index()]);
        search.cycles.sort_unstable_by_key(|members| members[0]);
        Self { callees_first, cycles: search.cycles }
    }
}

/// The cycles of any graph of so many nodes: the members of each, in their order.
pub(crate) fn cycles_of(
    arcs: impl Iterator<Item = (FunctionId, FunctionId)>,
    nodes: usize,
) -> Vec<Vec<FunctionId>> {
    let arc = |(FunctionId(caller), FunctionId(callee))| Arc {
        caller: SymbolId(caller),
        callee: SymbolId(callee),
        count: 1,
    };
    let arcs: Vec<Arc> = arcs.map(arc).collect();
    let found = Numbering::new(&Arcs::new(&arcs, nodes), nodes).cycles;
    let sorted = |members: Vec<SymbolId>| {
        let mut members: Vec<FunctionId> =
            members.into_iter().map(|SymbolId(id)| FunctionId(id)).collect();
        members.sort_unstable();
        members
    };
    let mut cycles: Vec<Vec<FunctionId>> = found.into_iter().map(sorted).collect();
    cycles.sort_unstable();
    cycles
}

/// No function: the end of a chain.
const NONE: u32 = u32::MAX;

/// The state of the depth-first search. Functions are numbered by their place in the table.
struct Search<'a> {
    arcs: &'a Arcs,
    /// When each function was first met, from 1; 0 before that.
    met: Vec<u32>,
    met_count: u32,
    /// The place of each function in the final order, from 1; 0 while that is open.
    number: Vec<u32>,
    numbers: u32,
    /// The functions being visited, and the arcs of each that are still to be followed.
    path: Vec<(u32, ArcIds)>,
    /// Functions on the path that are not absorbed into a cycle begun further down the path.
    heads: Vec<u32>,
    /// Each head's chain of absorbed functions: its links and, for a head, its last function.
    next: Vec<u32>,
    last: Vec<u32>,
    cycles: Vec<Vec<SymbolId>>,
}

impl<'a> Search<'a> {
    fn new(arcs: &'a Arcs, symbols: usize) -> Self {
        Self {
            arcs,
            met: vec![0; symbols],
            met_count: 0,
            number: vec![0; symbols],
            numbers: 0,
            path: Vec::new(),
            heads: Vec::new(),
            next: vec![NONE; symbols],
            last: (0..symbols as u32).collect(),
            cycles: Vec::new(),
        }
    }

    fn visit(&mut self, root: u32) {
        if self.number[root as usize] == 0 {
            self.enter(root);
        }
        while let Some((function, arcs)) = self.path.last_mut() {
            let function = *function;
            let Some(arc) = arcs.next() else {
                self.path.pop();
                self.leave(function);
                continue;
            };
            let SymbolId(callee) = self.arcs.get(arc).callee;
            if self.number[callee as usize] != 0 {
                continue;
            }
            if self.met[callee as usize] == 0 {
                self.enter(callee);
            } else {
                self.close_cycle(callee);
            }
        }
    }

    fn enter(&mut self, function: u32) {
        self.met_count += 1;
        self.met[function as usize] = self.met_count;
        self.path.push((function, self.arcs.children(SymbolId(function))));
        self.heads.push(function);
    }

    /// An arc leads back to `callee`: all heads met after it belong to the cycle of the head that
    /// `callee` belongs to, which is the last one met no later than it.
    fn close_cycle(&mut self, callee: u32) {
        let met = self.met[callee as usize];
        let kept = self.heads.partition_point(|&head| self.met[head as usize] <= met);
        let head = self.heads[kept - 1] as usize;
        for absorbed in self.heads.drain(kept..) {
            self.next[self.last[head] as usize] = absorbed;
            self.last[head] = self.last[absorbed as usize];
        }
    }

    /// All arcs of `function` are followed; if it is still a head, its chain is complete.
    fn leave(&mut self, function: u32) {
        if self.heads.last() != Some(&function) {
            return;
        }
        self.heads.pop();
        self.numbers += 1;
        let mut members = Vec::new();
        let mut member = function;
        while member != NONE {
            self.number[member as usize] = self.numbers;
            members.push(SymbolId(member));
            member = self.next[member as usize];
        }
        if members.len() > 1 {
            self.cycles.push(members);
        }
    }
}
