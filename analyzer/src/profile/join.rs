//! Finds the functions that the records' addresses belong to.

use std::panic::resume_unwind;
use std::sync::Arc as Shared;
use std::thread;

use gmon_format::Block;

use super::arcs::{Arc, Arcs};
use super::blocks::Blocks;
use super::static_calls::StaticCalls;
use crate::processors::processors;
use crate::records::{RawArc, Records, Sampling};
use crate::symbols::{ArcFilter, SymbolId, SymbolTable};

/// What was measured, told of functions.
#[derive(Debug)]
pub struct Profile {
    symbols: Shared<SymbolTable>,
    records: Shared<Records>,
    arcs: Arcs,
    calls: Vec<u64>,
    blocks: Blocks,
}

impl Profile {
    /// Joins `records` with the functions of the program that made them.
    ///
    /// A call is dropped if either of its addresses is in no symbol.
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
        let mut known = find_ends(records.arcs(), &symbols, filter);
        let mut calls = vec![0_u64; symbols.len()];
        for call in &known {
            let calls = &mut calls[call.callee.index()];
            *calls = calls.saturating_add(call.count);
        }
        // Whatever was counted comes first.
        known.extend(static_calls.arcs());
        let arcs = Arcs::new(&known, symbols.len());
        // A function is too much for them: they tell of lines.
        let blocks = if symbols.has_lines() { records.blocks() } else { &[] };
        let blocks = Blocks::new(blocks, &symbols);
        Self { symbols, records, arcs, calls, blocks }
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

    /// What the samples count; none without a histogram.
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

    /// All calls of a function, those by itself included.
    #[must_use]
    pub fn calls(&self, id: SymbolId) -> u64 {
        self.calls[id.index()]
    }
}

/// The calls whose functions are both known and that `filter` accepts, in their order. If they are
/// many, all processors look for them, as far as the system has threads.
fn find_ends(calls: &[RawArc], symbols: &SymbolTable, filter: &ArcFilter) -> Vec<Arc> {
    /// Fewer are found sooner than a thread is started for them.
    const LEAST: usize = 1 << 16;
    let find = |raw: &RawArc| {
        let caller = symbols.find(raw.from_pc)?;
        let callee = symbols.find_function(raw.self_pc)?;
        filter.accepts(caller, callee).then_some(Arc { caller, callee, count: raw.count })
    };
    let find_all = |calls: &[RawArc]| calls.iter().filter_map(find).collect::<Vec<_>>();
    if calls.len() < LEAST {
        return find_all(calls);
    }
    let (own, others) = calls.split_at(calls.len().div_ceil(processors()));
    thread::scope(|scope| {
        let start = |part| thread::Builder::new().spawn_scoped(scope, move || find_all(part));
        let parts: Vec<_> = others.chunks(own.len()).map(|part| (part, start(part))).collect();
        let mut known = Vec::with_capacity(calls.len());
        known.extend(own.iter().filter_map(find));
        for (part, thread) in parts {
            known.extend(match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => find_all(part),
            });
        }
        known
    })
}
