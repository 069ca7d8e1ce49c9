//! The flat profile: how much time each function took by itself, and how often it was called.

use std::cmp::Ordering;
use std::io::{self, Write};

use super::blurbs;
use super::columns::{blanks, count, decimal, general, word};
use super::names::Names;
use super::page::Page;
use crate::analysis::CallGraph;
use crate::records::Sampling;
use crate::symbols::SymbolId;

/// One function. Times are in units of the dimension, normally seconds.
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
    self_ticks: f64,
    total_ticks: f64,
}

/// The functions with the most time first.
#[derive(Debug)]
pub struct FlatProfile<'a> {
    graph: &'a CallGraph<'a>,
    sampling: &'a Sampling,
    rows: Vec<FlatRow>,
    prefix: UnitPrefix,
}

/// A unit for times per call that makes numbers of readable size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct UnitPrefix {
    letter: char,
    per_unit: f64,
}

const PREFIXES: [UnitPrefix; 11] = [
    UnitPrefix { letter: 'T', per_unit: 1e-12 },
    UnitPrefix { letter: 'G', per_unit: 1e-9 },
    UnitPrefix { letter: 'M', per_unit: 1e-6 },
    UnitPrefix { letter: 'K', per_unit: 1e-3 },
    UnitPrefix { letter: ' ', per_unit: 1.0 },
    UnitPrefix { letter: 'm', per_unit: 1e3 },
    UnitPrefix { letter: 'u', per_unit: 1e6 },
    UnitPrefix { letter: 'n', per_unit: 1e9 },
    UnitPrefix { letter: 'p', per_unit: 1e12 },
    UnitPrefix { letter: 'f', per_unit: 1e15 },
    UnitPrefix { letter: 'a', per_unit: 1e18 },
];

impl<'a> FlatProfile<'a> {
    /// Lists the functions that were called or sampled; none without a histogram.
    #[must_use]
    pub fn new(graph: &'a CallGraph<'a>) -> Option<Self> {
        let sampling = graph.profile().sampling()?;
        let rows = rows(graph, sampling);
        Some(Self { graph, sampling, rows, prefix: UnitPrefix::for_calls(graph, sampling) })
    }

    /// The rows, in order.
    #[must_use]
    pub fn rows(&self) -> &[FlatRow] {
        &self.rows
    }

    /// What the times count.
    #[must_use]
    pub fn sampling(&self) -> &'a Sampling {
        self.sampling
    }

    /// Writes the report as `gprof -p` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let brief = page.style().brief;
        let out = page.begin()?;
        self.write_header(out)?;
        for row in &self.rows {
            self.write_row(out, row, names)?;
        }
        if !brief {
            out.write_all(blurbs::FLAT.as_bytes())?;
        }
        Ok(())
    }

    fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        let dimension = &self.sampling.dimension[..];
        let tick = general(1.0 / f64::from(self.sampling.rate));
        write!(out, "Flat profile:\n\nEach sample counts as {tick} ")?;
        out.write_all(dimension)?;
        out.write_all(b".\n")?;
        if self.graph.total_ticks() <= 0.0 {
            out.write_all(b" no time accumulated\n\n")?;
        }
        out.write_all(b"  %   cumulative   self              self     total           \n time")?;
        word(out, dimension, 9)?;
        out.write_all(b" ")?;
        word(out, dimension, 8)?;
        out.write_all(b"    calls")?;
        let per_call =
            [&[self.prefix.letter as u8, self.sampling.abbreviation], &b"/call"[..]].concat();
        // An abbreviation of NUL ends the word for GNU gprof.
        let per_call = per_call.split(|&byte| byte == 0).next().unwrap_or_default();
        word(out, per_call, 8)?;
        word(out, per_call, 8)?;
        out.write_all(b"  name    \n")
    }

    fn write_row(&self, out: &mut impl Write, row: &FlatRow, names: &Names<'_>) -> io::Result<()> {
        write!(out, "{:6.2}", row.percent)?;
        decimal(out, row.cumulative, 9)?;
        decimal(out, row.self_time, 8)?;
        if row.calls == 0 {
            blanks(out, 3 * 9)?;
        } else {
            let per_call =
                |ticks: f64| self.sampling.units(self.prefix.per_unit * ticks) / row.calls as f64;
            let (own, total) = (per_call(row.self_ticks), per_call(row.total_ticks));
            count(out, row.calls, 8)?;
            decimal(out, own, 8)?;
            decimal(out, total, 8)?;
        }
        out.write_all(b"  ")?;
        out.write_all(names.plain(row.symbol))?;
        out.write_all(b"\n")
    }
}

fn rows(graph: &CallGraph<'_>, sampling: &Sampling) -> Vec<FlatRow> {
    let symbols = graph.profile().symbols();
    let mut ids: Vec<_> = symbols
        .ids()
        .filter(|&id| {
            let function = graph.function(id);
            let used = function.calls != 0 || function.time != 0.0;
            used && graph.selections().flat.accepts(id)
        })
        .collect();
    ids.sort_by(|&a, &b| {
        let (costs_a, costs_b) = (graph.function(a), graph.function(b));
        costs_b
            .time
            .partial_cmp(&costs_a.time)
            .unwrap_or(Ordering::Equal)
            .then_with(|| costs_b.calls.cmp(&costs_a.calls))
            .then_with(|| symbols.get(a).name.cmp(symbols.get(b).name))
    });
    // Without any time all percentages are 0.
    let all = if graph.total_ticks() > 0.0 { graph.total_ticks() } else { 1.0 };
    let mut cumulative = 0.0;
    let row = |symbol| {
        let function = graph.function(symbol);
        let total_ticks = function.time + function.child_time;
        cumulative += function.time;
        FlatRow {
            symbol,
            percent: 100.0 * function.time / all,
            cumulative: sampling.units(cumulative),
            self_time: sampling.units(function.time),
            total_time: sampling.units(total_ticks),
            calls: function.calls,
            self_calls: function.self_calls,
            self_ticks: function.time,
            total_ticks,
        }
    };
    ids.into_iter().map(row).collect()
}

impl UnitPrefix {
    /// The prefix that suits the function with the longest time per call.
    fn for_calls(graph: &CallGraph<'_>, sampling: &Sampling) -> Self {
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
