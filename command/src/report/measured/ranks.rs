//! The ranks of a parallel program beside each other: which one is slow, and in what.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use gmon_analyzer::model::{FunctionId, Kind, Spread};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Measured;
use crate::report::sheet::Sheet;
use crate::report::subject::FUNCTION;
use crate::text::fitted;

const RANKS: &[Column] = &[
    Column::number("cpu", Unit::Time, 9).headed("CPU"),
    Column::number("mpi", Unit::Time, 9).headed("MPI"),
    Column::number("other", Unit::Time, 9),
    Column::text("rank", Placing::Last),
];

const FUNCTIONS: &[Column] = &[
    Column::number("least", Unit::Time, 9),
    Column::number("mean", Unit::Time, 9),
    Column::number("most", Unit::Time, 9),
    Column::number("imbalance", Unit::None, 9),
    Column::number("rank", Unit::None, 7).headed("in rank"),
];

/// The most divided by the mean.
pub(super) fn imbalance(spread: &Spread) -> Cell {
    Cell::Said(Some(spread.imbalance()), format!("{:.2}", spread.imbalance()))
}

impl Measured<'_> {
    /// The time of each function in itself by rank.
    fn functions_by_rank(&self) -> BTreeMap<FunctionId, BTreeMap<u32, u64>> {
        let model = self.model();
        let mut functions: BTreeMap<FunctionId, BTreeMap<u32, u64>> = BTreeMap::new();
        for node in model.stacks.nodes() {
            let function = model.frames[node.frame.index()].function;
            let rank = model.threads[node.thread.index()].rank;
            let is_own = node.own.weight > 0 && self.subject.function(function).kind != Kind::Hooks;
            if let Some(rank) = rank.filter(|_| is_own) {
                let time = model.sampling.time(node.own.weight);
                *functions.entry(function).or_default().entry(rank).or_default() += time;
            }
        }
        functions
    }
}

/// Writes the line of a summary, if there are several ranks.
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let ranks = &measured.model().ranks;
    let spread = measured.model().rank_spread().filter(|_| ranks.len() > 1);
    let Some(spread) = spread else { return Ok(()) };
    let mpi = ranks.iter().map(|rank| rank.mpi_ns).fold(0, u64::saturating_add);
    let all = ranks.iter().map(|rank| rank.time_ns).fold(0, u64::saturating_add);
    let time = |nanoseconds: u64| measured.clock.time_of(nanoseconds as f64);
    let line = format!(
        "ranks: {}, {} to {} outside MPI, imbalance {:.2}, rank {} the slowest; {} of {} in MPI",
        ranks.len(),
        time(spread.least_ns),
        time(spread.most_ns),
        spread.imbalance(),
        spread.slowest,
        time(mpi),
        time(all),
    );
    writeln!(f, "{}", fitted(&line, "", measured.width()))
}

/// Writes a table of ranks, and one of functions over all ranks.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let clock = measured.clock;
    measured.head(f)?;
    let ranks = &measured.model().ranks;
    if ranks.is_empty() {
        return writeln!(f, "\nno launcher, such as mpirun, gave these processes a rank");
    }
    write_line(measured, f)?;
    let time = |nanoseconds: u64| clock.cell_of(nanoseconds as f64);
    let mut rows: Vec<_> = ranks.iter().collect();
    rows.sort_unstable_by_key(|rank| (Reverse(rank.own_ns()), rank.rank));
    let mut table = Table::new(RANKS);
    for rank in rows.iter().take(measured.top) {
        let [all, mpi, own] = [rank.time_ns, rank.mpi_ns, rank.own_ns()].map(time);
        table.rows.push(Row::of(vec![all, mpi, own, Cell::Number(rank.rank.into())]));
    }
    table.rows.extend(measured.more(rows.len(), "more rank", 29));
    writeln!(f)?;
    f.table(table);

    let by_function = measured.functions_by_rank();
    let mut functions: Vec<_> = by_function
        .iter()
        .filter_map(|(&id, times)| {
            let time = |rank: u32| (rank, times.get(&rank).copied().unwrap_or(0));
            let times: Vec<_> = ranks.iter().map(|it| time(it.rank)).collect();
            Some((id, Spread::of(&times)?))
        })
        .collect();
    functions.sort_unstable_by_key(|(id, spread)| (Reverse(spread.most_ns), *id));
    let mut table = Table::new([FUNCTIONS, FUNCTION].concat());
    for (id, spread) in functions.iter().take(measured.top) {
        let cells = [
            time(spread.least_ns),
            clock.cell_of(spread.mean_ns),
            time(spread.most_ns),
            imbalance(spread),
            Cell::Number(spread.slowest.into()),
        ];
        table.rows.push(Row::of([&cells[..], &measured.named(*id)].concat()));
    }
    table.rows.extend(measured.more(functions.len(), "more function", 47));
    writeln!(f)?;
    f.table(table);
    writeln!(f, "times are those in the function itself; imbalance: the most divided by the mean")?;
    measured.foot(f)
}
