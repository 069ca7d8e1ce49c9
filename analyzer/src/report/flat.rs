//! The flat profile: how much time each function took by itself, and how often it was called.

use std::cmp::Ordering;

use crate::analysis::CallGraph;
use crate::records::Sampling;
use crate::symbols::SymbolId;

/// A function. Times are in units of the dimension, normally seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatRow {
    /// The function.
    pub symbol: SymbolId,
    /// Time in the function itself, as a part of all time; 100 is all.
    pub percent: f64,
    /// Time in this function and in all rows before it.
    pub cumulative: f64,
    /// Time in the function itself.
    pub self_time: f64,
    /// Time in the function and in those it called, as far as it was for its sake.
    pub total_time: f64,
    /// Calls by other functions.
    pub calls: u64,
    /// Calls by the function itself.
    pub self_calls: u64,
    pub(super) self_ticks: f64,
    pub(super) total_ticks: f64,
}

/// The functions with the most time first.
#[derive(Debug)]
pub struct FlatProfile<'a> {
    graph: &'a CallGraph,
    sampling: &'a Sampling,
    /// The functions in order.
    places: Vec<ListedFunction>,
    prefix: UnitPrefix,
}

/// A function in the list.
#[derive(Clone, Copy, Debug)]
struct ListedFunction {
    symbol: SymbolId,
    /// The time in it and in all before it.
    cumulative_ticks: f64,
}

/// A unit for times per call that makes numbers of readable size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UnitPrefix {
    pub(super) letter: char,
    pub(super) per_unit: f64,
}

const PREFIXES: [UnitPrefix; 11] = [
    UnitPrefix { letter: 'T', per_unit: 1e-12 },
    UnitPrefix { letter: 'G', per_unit: 1e-9 },
    UnitPrefix { letter: 'M', per_unit: 1e-6 },
    UnitPrefix { letter: 'K', per_unit: 1e-3 },
    UnitPrefix { letter: ' ', per_unit: 1.0 },
    UnitPrefix::MILLI,
    UnitPrefix { letter: 'u', per_unit: 1e6 },
    UnitPrefix { letter: 'n', per_unit: 1e9 },
    UnitPrefix { letter: 'p', per_unit: 1e12 },
    UnitPrefix { letter: 'f', per_unit: 1e15 },
    UnitPrefix { letter: 'a', per_unit: 1e18 },
];

impl<'a> FlatProfile<'a> {
    /// Lists the functions that the graph's selections accept; none without a histogram.
    #[must_use]
    pub fn new(graph: &'a CallGraph) -> Option<Self> {
        let sampling = graph.profile().sampling()?;
        let mut cumulative_ticks = 0.0;
        let place = |symbol| {
            cumulative_ticks += graph.function(symbol).time;
            ListedFunction { symbol, cumulative_ticks }
        };
        let places = functions(graph).into_iter().map(place).collect();
        Some(Self { graph, sampling, places, prefix: UnitPrefix::for_calls(graph, sampling) })
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = FlatRow> + '_ {
        (0..self.places.len()).map(|number| self.row(number))
    }

    /// The row with this number, from 0.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn row(&self, number: usize) -> FlatRow {
        let Self { graph, sampling, .. } = self;
        let ListedFunction { symbol, cumulative_ticks } = self.places[number];
        let function = graph.function(symbol);
        // Without any time all percentages are 0.
        let all = if graph.total_ticks() > 0.0 { graph.total_ticks() } else { 1.0 };
        let total_ticks = function.time + function.child_time;
        FlatRow {
            symbol,
            percent: 100.0 * function.time / all,
            cumulative: sampling.units(cumulative_ticks),
            self_time: sampling.units(function.time),
            total_time: sampling.units(total_ticks),
            calls: function.calls,
            self_calls: function.self_calls,
            self_ticks: function.time,
            total_ticks,
        }
    }

    /// Meaning of the times.
    #[must_use]
    pub fn sampling(&self) -> &'a Sampling {
        self.sampling
    }

    pub(super) fn graph(&self) -> &'a CallGraph {
        self.graph
    }

    pub(super) fn prefix(&self) -> UnitPrefix {
        self.prefix
    }
}

/// The functions of the list, in order.
fn functions(graph: &CallGraph) -> Vec<SymbolId> {
    let symbols = graph.profile().symbols();
    let mut functions: Vec<_> = symbols
        .ids()
        .filter(|&id| {
            let function = graph.function(id);
            let selections = graph.selections();
            let used = selections.unused || function.calls != 0 || function.time != 0.0;
            used && selections.flat.accepts(id)
        })
        .collect();
    let names = symbols.name_order();
    functions.sort_unstable_by(|&a, &b| {
        let (costs_a, costs_b) = (graph.function(a), graph.function(b));
        costs_b
            .time
            .partial_cmp(&costs_a.time)
            .unwrap_or(Ordering::Equal)
            .then_with(|| costs_b.calls.cmp(&costs_a.calls))
            .then_with(|| names.rank(a).cmp(&names.rank(b)))
            .then(a.cmp(&b))
    });
    functions
}

impl UnitPrefix {
    /// The prefix that BSD's gprof always used.
    pub(super) const MILLI: Self = Self { letter: 'm', per_unit: 1e3 };

    /// The prefix that suits the function with the longest time per call.
    fn for_calls(graph: &CallGraph, sampling: &Sampling) -> Self {
        let per_call = |id| {
            let function = graph.function(id);
            (function.calls != 0)
                .then(|| (function.time + function.child_time) / function.calls as f64)
        };
        let longest = graph.profile().symbols().ids().filter_map(per_call).fold(0.0, f64::max);
        let longest = sampling.units(longest);
        let [largest, .., smallest] = PREFIXES;
        if longest <= 0.0 || largest.per_unit * longest >= 1000.0 {
            return largest;
        }
        let fits = |prefix: &&Self| (1.0..1000.0).contains(&(prefix.per_unit * longest));
        *PREFIXES.iter().find(fits).unwrap_or(&smallest)
    }
}
