//! The ranks of a parallel program beside each other: which one is slow, and in what.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::profile::FunctionId;

use super::Measured;
use super::waits::Library;
use crate::text::{counted, fitted};

/// Work of a rank, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    all: u64,
    /// In calls of MPI.
    mpi: u64,
}

impl Work {
    fn own(self) -> u64 {
        self.all.saturating_sub(self.mpi)
    }
}

/// The least, the mean and the most of a time over all ranks.
struct Spread {
    least: u64,
    most: u64,
    /// The rank that has the most.
    rank: u32,
    mean: f64,
}

impl Spread {
    /// Work of the ranks with a time for each; none if there is no rank.
    fn of(times: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Self> {
        let number = times.clone().count();
        let (rank, most) = times.clone().max_by_key(|(rank, ticks)| (*ticks, Reverse(*rank)))?;
        let least = times.clone().map(|(_, ticks)| ticks).min()?;
        let sum = times.map(|(_, ticks)| ticks).fold(0, u64::saturating_add);
        Some(Self { least, most, rank, mean: sum as f64 / number as f64 })
    }

    /// Excess of the slowest rank's time over that which it would take if all did the same.
    fn imbalance(&self) -> f64 {
        if self.mean > 0.0 { self.most as f64 / self.mean } else { 1.0 }
    }
}

impl Measured<'_> {
    /// Work of each rank.
    fn ranks(&self) -> BTreeMap<u32, Work> {
        let mut ranks: BTreeMap<u32, Work> = BTreeMap::new();
        let threads = self.contexts.threads();
        // One without a sample is slow at nothing.
        for rank in threads.iter().filter_map(|thread| thread.rank) {
            ranks.entry(rank).or_default();
        }
        let in_mpi = self.time_in(Library::Mpi);
        for (context, in_mpi) in self.contexts.contexts().iter().zip(in_mpi) {
            let Some(rank) = threads[context.thread.index()].rank else { continue };
            let work = ranks.entry(rank).or_default();
            work.all += context.own.weight;
            work.mpi += if in_mpi { context.own.weight } else { 0 };
        }
        ranks
    }

    /// The time of each function in itself by rank.
    fn functions_by_rank(&self) -> BTreeMap<FunctionId, BTreeMap<u32, u64>> {
        let mut functions: BTreeMap<FunctionId, BTreeMap<u32, u64>> = BTreeMap::new();
        for context in self.contexts.contexts() {
            let Some(rank) = self.contexts.threads()[context.thread.index()].rank else { continue };
            if context.own.weight > 0 {
                let ranks = functions.entry(context.function).or_default();
                *ranks.entry(rank).or_default() += context.own.weight;
            }
        }
        functions
    }
}

/// Writes the line of a summary, if there are several ranks.
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let ranks = measured.ranks();
    let own = ranks.iter().map(|(rank, work)| (*rank, work.own()));
    let Some(spread) = Spread::of(own).filter(|_| ranks.len() > 1) else { return Ok(()) };
    let mpi = ranks.values().map(|work| work.mpi).fold(0, u64::saturating_add);
    let all = ranks.values().map(|work| work.all).fold(0, u64::saturating_add);
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let line = format!(
        "ranks: {}, {} to {} outside MPI, imbalance {:.2}, rank {} the slowest; {} of {} in MPI",
        ranks.len(),
        time(spread.least),
        time(spread.most),
        spread.imbalance(),
        spread.rank,
        time(mpi),
        time(all),
    );
    writeln!(f, "{}", fitted(&line, "", measured.width))
}

/// Writes a table of ranks, and one of functions over all ranks.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    measured.head(f)?;
    let ranks = measured.ranks();
    if ranks.is_empty() {
        return writeln!(f, "\nno launcher, such as mpirun, gave these processes a rank");
    }
    write_line(measured, f)?;
    let time = |ticks: u64| clock.time(ticks as f64);
    let mut rows: Vec<_> = ranks.iter().collect();
    rows.sort_by_key(|(rank, work)| (Reverse(work.own()), **rank));
    writeln!(f, "\n{bold}{:>9} {:>9} {:>9}  rank{bold:#}", "CPU", "MPI", "other")?;
    for (rank, work) in rows.iter().take(measured.top) {
        writeln!(f, "{:>9} {:>9} {:>9}  {rank}", time(work.all), time(work.mpi), time(work.own()))?;
    }
    if let Some(rest) = rows.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>29}  ... and {}", "", counted(rest.len() as u64, "more rank"))?;
    }

    let by_function = measured.functions_by_rank();
    let mut functions: Vec<_> = by_function
        .iter()
        .filter_map(|(&id, times)| {
            let times = ranks.keys().map(|rank| (*rank, times.get(rank).copied().unwrap_or(0)));
            Some((id, Spread::of(times)?))
        })
        .collect();
    functions.sort_by_key(|(id, spread)| (Reverse(spread.most), *id));
    writeln!(
        f,
        "\n{bold}{:>9} {:>9} {:>9} {:>9} {:>7}  function{bold:#}",
        "least", "mean", "most", "imbalance", "in rank"
    )?;
    for (id, spread) in functions.iter().take(measured.top) {
        let cells = format!(
            "{:>9} {:>9} {:>9} {:>9.2} {:>7}  ",
            time(spread.least),
            clock.time(spread.mean),
            time(spread.most),
            spread.imbalance(),
            spread.rank,
        );
        writeln!(f, "{cells}{}", measured.named(*id, &cells))?;
    }
    if let Some(rest) = functions.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>47}  ... and {}", "", counted(rest.len() as u64, "more function"))?;
    }
    writeln!(f, "times are those in the function itself; imbalance: the most divided by the mean")?;
    measured.foot(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imbalance_is_that_of_the_slowest() {
        let spread = Spread::of([(0, 10), (1, 20), (2, 30), (3, 40)].into_iter()).unwrap();
        assert_eq!((spread.least, spread.most, spread.rank), (10, 40, 3));
        assert!((spread.imbalance() - 1.6).abs() < 1e-9);
        assert!(Spread::of([].into_iter()).is_none());
        let idle = Spread::of([(0, 0), (1, 0)].into_iter()).unwrap();
        assert_eq!((idle.rank, idle.imbalance() == 1.0), (0, true));
    }
}
