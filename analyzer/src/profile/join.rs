//! Finds the functions that the records' addresses belong to.

use std::collections::HashMap;
use std::sync::Arc as Shared;

use gmon_format::{self as format, Block, CallSite};

use super::arcs::{Arc, Arcs};
use super::blocks::Blocks;
use super::static_calls::StaticCalls;
use crate::parallel::{map, processors};
use crate::records::{Records, Sampling};
use crate::selection::ArcFilter;
use crate::symbols::{SymbolId, SymbolTable};
use crate::totals::add;

/// Measurements, by function.
#[derive(Debug)]
pub struct Profile {
    symbols: Shared<SymbolTable>,
    records: Shared<Records>,
    arcs: Arcs,
    /// Calls whose caller is in no function.
    alone: HashMap<SymbolId, u64>,
    blocks: Blocks,
}

impl Profile {
    /// Joins `records` with the functions of the program that made them.
    ///
    /// A call is dropped if either of its addresses is in no symbol, with two exceptions. If sizes of
    /// symbols tell that its caller lies between functions, it is counted, but no arc leads to it. In a
    /// table that has a symbol for [unknown](SymbolTable::unknown) code so is every call.
    #[must_use]
    pub fn new(
        symbols: impl Into<Shared<SymbolTable>>,
        records: impl Into<Shared<Records>>,
    ) -> Self {
        Self::selected(symbols, records, &ArcFilter::default(), &StaticCalls::default())
    }

    /// Joins them without the calls that `filter` does not accept, as if they had not been made, and
    /// with arcs of no call for the calls in the code that were never made.
    #[must_use]
    pub fn selected(
        symbols: impl Into<Shared<SymbolTable>>,
        records: impl Into<Shared<Records>>,
        filter: &ArcFilter,
        static_calls: &StaticCalls,
    ) -> Self {
        let (symbols, records) = (symbols.into(), records.into());
        let Ends { arcs: mut known, alone } = find_ends(records.arcs(), &symbols, filter);
        // Whatever was counted comes first.
        known.extend(static_calls.arcs());
        let arcs = Arcs::new(&known, symbols.len());
        // A function is too much for them: they count lines.
        let blocks = if symbols.has_lines() { records.blocks() } else { &[] };
        let blocks = Blocks::new(blocks, &symbols);
        Self { symbols, records, arcs, alone, blocks }
    }

    /// The functions of the program.
    #[must_use]
    pub fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    /// The data that was joined.
    #[must_use]
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Meaning of the samples; none without a histogram.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        self.records.histograms().sampling()
    }

    /// The calls between functions.
    #[must_use]
    pub fn arcs(&self) -> &Arcs {
        &self.arcs
    }

    /// The basic blocks of all symbols, in the order of the symbols.
    #[must_use]
    pub fn all_blocks(&self) -> &[Block] {
        self.blocks.list()
    }

    /// The basic blocks of a symbol, if there are symbols of lines: in the order in which their
    /// addresses first appeared in the data.
    #[must_use]
    pub fn blocks(&self, id: SymbolId) -> &[Block] {
        self.blocks.of(id)
    }

    /// Caller and callee of a call that was counted, as [`new`](Self::new) joins it: no caller where that is
    /// in no function, nothing where the call is dropped.
    #[must_use]
    pub fn ends(&self, call: &format::Arc) -> Option<(Option<SymbolId>, SymbolId)> {
        ends_of(call, &self.symbols)
    }

    /// Calls of a function whose caller is in no function.
    pub(crate) fn calls_from_nowhere(&self, id: SymbolId) -> u64 {
        self.alone.get(&id).copied().unwrap_or_default()
    }
}

/// Calls with their functions.
#[derive(Debug, Default)]
struct Ends {
    arcs: Vec<Arc>,
    /// The calls of each callee whose caller is in no function.
    alone: HashMap<SymbolId, u64>,
}

impl Ends {
    /// Finds those of calls, in their order, and leaves out what `filter` does not accept.
    fn find(calls: &[format::Arc], symbols: &SymbolTable, filter: &ArcFilter) -> Self {
        let mut ends = Self { arcs: Vec::with_capacity(calls.len()), alone: HashMap::new() };
        for call in calls {
            match ends_of(call, symbols) {
                Some((Some(caller), callee)) if filter.accepts(caller, callee) => {
                    ends.arcs.push(Arc { caller, callee, count: call.count });
                }
                Some((None, callee)) => add(ends.alone.entry(callee).or_default(), call.count),
                Some(_) | None => {}
            }
        }
        ends
    }

    fn extend(&mut self, other: Self) {
        self.arcs.extend(other.arcs);
        for (callee, count) in other.alone {
            add(self.alone.entry(callee).or_default(), count);
        }
    }
}

/// Caller and callee of a call. The caller is `None` if the call lies in no function. Of a call that is dropped, or by which
/// a function only goes on, neither is known.
fn ends_of(call: &format::Arc, symbols: &SymbolTable) -> Option<(Option<SymbolId>, SymbolId)> {
    let &format::Arc { from_pc, self_pc, .. } = call;
    let CallSite(site) = from_pc;
    let known = symbols.find_function(self_pc);
    let callee = known.or(symbols.unknown())?;
    let owner = symbols.owner(callee);
    // What has a library call a function is the caller that its reader knows.
    let caller = symbols.parent(owner).or_else(|| symbols.find_caller(from_pc));
    match caller.filter(|_| known.is_some()) {
        Some(caller) if symbols.goes_on(caller, callee) => None,
        Some(caller) => Some((Some(symbols.owner(caller)), owner)),
        None if symbols.unknown().is_some() || symbols.is_between(site) => Some((None, owner)),
        None => None,
    }
}

/// The functions of all calls. If they are many, all processors look for them, as far as the system has
/// threads.
fn find_ends(calls: &[format::Arc], symbols: &SymbolTable, filter: &ArcFilter) -> Ends {
    /// Fewer are found sooner than a thread is started for them.
    const LEAST: usize = 1 << 16;
    let find = |calls: &[format::Arc]| Ends::find(calls, symbols, filter);
    if calls.len() < LEAST || processors() < 2 {
        return find(calls);
    }
    let parts: Vec<&[format::Arc]> = calls.chunks(calls.len().div_ceil(processors())).collect();
    let mut parts = map(&parts, |part| find(part), || ()).into_iter();
    let mut ends = parts.next().unwrap_or_default();
    ends.arcs.reserve(calls.len() - ends.arcs.len());
    parts.for_each(|part| ends.extend(part));
    ends
}
