//! The ranks of a parallel program beside each other: which one is slow, and in what.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::model::{FunctionId, Kind, Spread};

use super::Measured;
use crate::text::{counted, fitted};

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
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
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
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    measured.head(f)?;
    let ranks = &measured.model().ranks;
    if ranks.is_empty() {
        return writeln!(f, "\nno launcher, such as mpirun, gave these processes a rank");
    }
    write_line(measured, f)?;
    let time = |nanoseconds: u64| clock.time_of(nanoseconds as f64);
    let mut rows: Vec<_> = ranks.iter().collect();
    rows.sort_by_key(|rank| (Reverse(rank.own_ns()), rank.rank));
    writeln!(f, "\n{bold}{:>9} {:>9} {:>9}  rank{bold:#}", "CPU", "MPI", "other")?;
    for rank in rows.iter().take(measured.top) {
        let [all, mpi, own] = [rank.time_ns, rank.mpi_ns, rank.own_ns()].map(time);
        writeln!(f, "{all:>9} {mpi:>9} {own:>9}  {}", rank.rank)?;
    }
    if let Some(rest) = rows.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>29}  ... and {}", "", counted(rest.len() as u64, "more rank"))?;
    }

    let by_function = measured.functions_by_rank();
    let mut functions: Vec<_> = by_function
        .iter()
        .filter_map(|(&id, times)| {
            let time = |rank: u32| (rank, times.get(&rank).copied().unwrap_or(0));
            let times: Vec<_> = ranks.iter().map(|it| time(it.rank)).collect();
            Some((id, Spread::of(&times)?))
        })
        .collect();
    functions.sort_by_key(|(id, spread)| (Reverse(spread.most_ns), *id));
    writeln!(
        f,
        "\n{bold}{:>9} {:>9} {:>9} {:>9} {:>7}  function{bold:#}",
        "least", "mean", "most", "imbalance", "in rank"
    )?;
    for (id, spread) in functions.iter().take(measured.top) {
        let cells = format!(
            "{:>9} {:>9} {:>9} {:>9.2} {:>7}  ",
            time(spread.least_ns),
            clock.time_of(spread.mean_ns),
            time(spread.most_ns),
            spread.imbalance(),
            spread.slowest,
        );
        writeln!(f, "{cells}{}", measured.named(*id, &cells))?;
    }
    if let Some(rest) = functions.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>47}  ... and {}", "", counted(rest.len() as u64, "more function"))?;
    }
    writeln!(f, "times are those in the function itself; imbalance: the most divided by the mean")?;
    measured.foot(f)
}
