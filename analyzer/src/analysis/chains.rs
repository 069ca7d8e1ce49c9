//! Chains of functions that should lie next to each other because they call each other often.

use crate::profile::{Arc, ArcId, Arcs};
use crate::symbols::SymbolId;

/// Functions in the order in which they should be linked, as far as that is settled.
///
/// Arcs are followed in the order of their importance. Each puts the function that has no neighbours
/// yet at the nearer end of the chain that the other one is in; chains never become one.
pub(super) struct Chains<'a> {
    arcs: &'a Arcs,
    /// Per function, whether it can be in a chain.
    can_link: Vec<bool>,
    /// Per function, its place in a chain, if it is in one.
    links: Vec<Option<Link>>,
    chains: Vec<Chain>,
    /// Per function, whether its place in the order is settled, or of no interest.
    settled: Vec<bool>,
    order: Vec<SymbolId>,
}

/// The place of a function in a chain.
#[derive(Clone, Copy)]
struct Link {
    chain: u32,
    /// Its number. Neighbours have numbers that differ by one.
    position: i64,
}

/// Functions in a row.
#[derive(Default)]
struct Chain {
    /// Functions with numbers below 0; the first one of the chain comes last.
    before: Vec<SymbolId>,
    /// Functions with numbers from 0 on.
    after: Vec<SymbolId>,
}

/// Arcs of a list that are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Arcs that make 99 % of the calls.
    Most,
    /// All. What they put into no chain is placed by itself, if it is a caller.
    All,
}

impl<'a> Chains<'a> {
    /// No chain yet; only functions that `can_link` will be in one.
    pub(super) fn new(arcs: &'a Arcs, can_link: Vec<bool>) -> Self {
        let functions = can_link.len();
        Self {
            arcs,
            can_link,
            links: vec![None; functions],
            chains: Vec::new(),
            settled: vec![false; functions],
            order: Vec::new(),
        }
    }

    /// Leaves a function out of everything that follows.
    pub(super) fn leave_out(&mut self, function: SymbolId) {
        self.settled[function.index()] = true;
    }

    /// Makes a function the next one of the order, unless it has its place already.
    pub(super) fn place(&mut self, function: SymbolId) {
        if !std::mem::replace(&mut self.settled[function.index()], true) {
            self.order.push(function);
        }
    }

    /// The order so far.
    pub(super) fn into_order(self) -> Vec<SymbolId> {
        self.order
    }

    /// Makes chains of arcs and places them. Returns the arcs that could not be followed.
    pub(super) fn follow(&mut self, arcs: &[ArcId], extent: Extent) -> Vec<ArcId> {
        let all = self.arcs;
        let total = arcs.iter().map(|&id| all.get(id).count).fold(0, u64::saturating_add);
        let (mut sum, mut left) = (0_u64, Vec::new());
        for &id in arcs {
            let arc = all.get(id);
            sum = sum.saturating_add(arc.count);
            if self.can_link[arc.caller.index()] && self.can_link[arc.callee.index()] {
                let is_rare = extent == Extent::Most && sum as f64 / total as f64 > 0.99;
                if is_rare || !self.is_open(arc) || !self.link(arc) {
                    left.push(id);
                }
            }
        }
        for arc in arcs.iter().map(|&id| all.get(id)) {
            if self.is_open(arc) {
                self.place_chain_of(arc.caller);
            }
        }
        if extent == Extent::All {
            for arc in arcs.iter().map(|&id| all.get(id)) {
                if self.is_open(arc) {
                    self.place(arc.caller);
                }
            }
        }
        left
    }

    /// Returns `true` if both functions are still to be placed.
    fn is_open(&self, arc: &Arc) -> bool {
        !self.settled[arc.caller.index()] && !self.settled[arc.callee.index()]
    }

    /// Puts one function of an arc into the chain of the other one, unless both are in one.
    fn link(&mut self, arc: &Arc) -> bool {
        match (self.links[arc.caller.index()], self.links[arc.callee.index()]) {
            (None, None) => {
                let chain = self.chains.len() as u32;
                self.chains.push(Chain::default());
                self.attach(arc.caller, chain, true);
                self.attach(arc.callee, chain, true);
            }
            // Halfway it is the start, and for a callee below the end.
            (None, Some(callee)) => {
                let (to_first, to_last) = self.distances(callee);
                self.attach(arc.caller, callee.chain, to_last < to_first);
            }
            (Some(caller), None) => {
                let (to_first, to_last) = self.distances(caller);
                self.attach(arc.callee, caller.chain, to_last <= to_first);
            }
            (Some(_), Some(_)) => return false,
        }
        true
    }

    /// Distances from a function to both ends of its chain.
    fn distances(&self, link: Link) -> (i64, i64) {
        let chain = &self.chains[link.chain as usize];
        (link.position - chain.first(), chain.last() - link.position)
    }

    fn attach(&mut self, function: SymbolId, chain: u32, at_end: bool) {
        let functions = &mut self.chains[chain as usize];
        let position = if at_end {
            functions.after.push(function);
            functions.last()
        } else {
            functions.before.push(function);
            functions.first()
        };
        self.links[function.index()] = Some(Link { chain, position });
    }

    fn place_chain_of(&mut self, function: SymbolId) {
        if let Some(link) = self.links[function.index()] {
            let Chain { before, after } = std::mem::take(&mut self.chains[link.chain as usize]);
            before.into_iter().rev().chain(after).for_each(|function| self.place(function));
        }
    }
}

impl Chain {
    /// The number of the first function.
    fn first(&self) -> i64 {
        -(self.before.len() as i64)
    }

    /// The number of the last function.
    fn last(&self) -> i64 {
        self.after.len() as i64 - 1
    }
}
