//! Work that ranks and threads share, before and after: time in MPI and in parallel regions, and imbalance.

use std::collections::BTreeMap;

use super::identity::lasting;
use crate::model::{Model, Spread};

/// Work that several share, on both sides; each figure is the mean of the runs of a side that have it.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedWork {
    /// The kind of the work.
    pub kind: Sharing,
    /// The readable name of a region; empty for other kinds.
    pub name: String,
    /// Its time in one run of each side, in nanoseconds.
    pub times_ns: [Option<f64>; 2],
    /// Imbalance: the slowest takes so many times as long as each would if all did the same, where that is known.
    pub imbalance: [Option<f64>; 2],
}

/// A kind of work that several share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// Calls of MPI; the imbalance is that of the work outside.
    Mpi,
    /// Threads of OpenMP that wait for others.
    OpenMpWaits,
    /// A parallel region of OpenMP.
    Region,
}

/// A run's time and imbalance of a shared work.
type Work = (u64, Option<f64>);

/// A run's shared works.
type Works = BTreeMap<(Sharing, String), Work>;

/// All work that several share on one of the sides.
pub(super) fn shared_work(base: &[Model], new: &[Model]) -> Vec<SharedWork> {
    let mut list: BTreeMap<(Sharing, String), SharedWork> = BTreeMap::new();
    for (side, runs) in [base, new].into_iter().enumerate() {
        let mut sums: BTreeMap<(Sharing, String), Vec<Work>> = BTreeMap::new();
        for (key, of_run) in runs.iter().flat_map(works) {
            sums.entry(key).or_default().push(of_run);
        }
        for (key, of_runs) in sums {
            let (kind, name) = key.clone();
            let none = [None, None];
            let work = || SharedWork { kind, name, times_ns: none, imbalance: none };
            let work = list.entry(key).or_insert_with(work);
            work.times_ns[side] = mean(of_runs.iter().map(|(time, _)| *time as f64));
            work.imbalance[side] = mean(of_runs.iter().filter_map(|(_, imbalance)| *imbalance));
        }
    }
    list.into_values().collect()
}

fn works(model: &Model) -> Works {
    let mut works = Works::new();
    if let Some(spread) = model.rank_spread() {
        let mpi = model.ranks.iter().fold(0_u64, |sum, rank| sum.saturating_add(rank.mpi_ns));
        works.insert((Sharing::Mpi, String::new()), (mpi, Some(spread.imbalance())));
    }
    let waiting = model.sampling.time(model.sampling.openmp_waiting);
    if waiting > 0 {
        works.insert((Sharing::OpenMpWaits, String::new()), (waiting, None));
    }
    for region in &model.regions {
        let name = lasting(&model.functions[region.function.index()].display).into_owned();
        let imbalance = region.spread().as_ref().map(Spread::imbalance);
        works.insert((Sharing::Region, name), (region.time_ns(), imbalance));
    }
    works
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, number) = values.fold((0.0, 0.0), |(sum, number), it| (sum + it, number + 1.0));
    (number > 0.0).then(|| sum / number)
}
