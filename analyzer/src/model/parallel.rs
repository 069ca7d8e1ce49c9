//! Parallel programs: the time of ranks in MPI, of threads in OpenMP's regions, and waits of these for each other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::document::{Function, Kind, Model, Rank, Region, RegionThread};
use super::ids::{FunctionId, ThreadId};

/// A library in which the time of parallel programs has a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    /// MPI, with all that it calls.
    Mpi,
    /// OpenMP: its threads wait there for each other. What the program does in parallel regions is not its time.
    OpenMp,
}

impl Library {
    /// Tells if a function belongs to it.
    fn has(self, model: &Model, function: &Function) -> bool {
        let module = model.module_name(function);
        let starts = |text: &str, starts: &[&str]| starts.iter().any(|it| text.starts_with(it));
        match self {
            // In a static program its functions are the program's.
            Self::Mpi => {
                starts(module, &["libmpi", "libpmpi"]) || starts(&function.name, &["MPI_", "PMPI_"])
            }
            Self::OpenMp => starts(module, &["libgomp.", "libomp.", "libiomp5."]),
        }
    }

    /// Tells if time in a function that it calls is its own.
    fn takes(self, model: &Model, function: &Function) -> bool {
        let module = model.module_name(function);
        match self {
            Self::Mpi => true,
            // It calls the C library to sleep, and the program to work.
            Self::OpenMp => module.starts_with("libc.") || module == "vdso",
        }
    }

    /// For each node of the stacks whether it is in the library.
    fn nodes(self, model: &Model) -> Vec<bool> {
        let functions = || model.functions.iter();
        let has: Vec<bool> = functions().map(|it| self.has(model, it)).collect();
        if !has.contains(&true) {
            return vec![false; model.stacks.nodes().len()];
        }
        let takes: Vec<bool> = functions().map(|it| self.takes(model, it)).collect();
        let mut inside: Vec<bool> = Vec::with_capacity(model.stacks.nodes().len());
        for node in model.stacks.nodes() {
            let function = model.frames[node.frame.index()].function.index();
            let is_called = node.parent.is_some_and(|parent| inside[parent as usize]);
            inside.push(has[function] || is_called && takes[function]);
        }
        inside
    }
}

/// Adds them to a model whose stacks are complete.
pub(super) fn with_parallel(mut model: Model) -> Model {
    let waits = Library::OpenMp.nodes(&model);
    let nodes = model.stacks.nodes().iter().zip(&waits);
    model.sampling.openmp_waiting = nodes.filter(|it| *it.1).map(|it| it.0.own.weight).sum();
    model.ranks = ranks(&model);
    model.regions = regions(&model, &waits);
    model
}

/// Each rank's time. One without a sample is there, too.
fn ranks(model: &Model) -> Vec<Rank> {
    let mut ranks: BTreeMap<u32, (u64, u64)> =
        model.threads.iter().filter_map(|it| Some((it.rank?, (0, 0)))).collect();
    if ranks.is_empty() {
        return Vec::new();
    }
    for (node, in_mpi) in model.stacks.nodes().iter().zip(Library::Mpi.nodes(model)) {
        let function = model.frames[node.frame.index()].function.index();
        let rank = model.threads[node.thread.index()].rank;
        let is_own = model.functions[function].kind != Kind::Hooks;
        if let Some((all, mpi)) = rank.filter(|_| is_own).and_then(|it| ranks.get_mut(&it)) {
            *all += node.own.weight;
            *mpi += if in_mpi { node.own.weight } else { 0 };
        }
    }
    let time = |samples| model.sampling.time(samples);
    let rank = |(rank, (all, mpi))| Rank { rank, time_ns: time(all), mpi_ns: time(mpi) };
    ranks.into_iter().map(rank).collect()
}

/// The regions. Time in a region within another is the inner one's.
fn regions(model: &Model, waits: &[bool]) -> Vec<Region> {
    if !model.functions.iter().any(|function| function.is_region) {
        return Vec::new();
    }
    let mut within: Vec<Option<FunctionId>> = Vec::with_capacity(waits.len());
    let mut regions: BTreeMap<FunctionId, BTreeMap<ThreadId, u64>> = BTreeMap::new();
    let mut team: BTreeSet<ThreadId> = BTreeSet::new();
    for (node, waits) in model.stacks.nodes().iter().zip(waits) {
        let function = model.frames[node.frame.index()].function;
        let outer = node.parent.and_then(|parent| within[parent as usize]);
        let is_region = model.functions[function.index()].is_region;
        let region = if is_region { Some(function) } else { outer };
        within.push(region);
        if region.is_some() || *waits {
            team.insert(node.thread);
        }
        if let Some(region) = region.filter(|_| !waits && node.own.weight > 0) {
            *regions.entry(region).or_default().entry(node.thread).or_default() += node.own.weight;
        }
    }
    let time = |(thread, samples)| RegionThread { thread, time_ns: model.sampling.time(samples) };
    let region = |(function, threads): (FunctionId, BTreeMap<ThreadId, u64>)| Region {
        function,
        team: team.len() as u32,
        threads: threads.into_iter().map(time).collect(),
    };
    regions.into_iter().map(region).collect()
}

/// Evenness with which ranks or threads share work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least time that one of them took.
    pub least_ns: u64,
    /// The most.
    pub most_ns: u64,
    /// The one that took the most; the first of several.
    pub slowest: u32,
    /// The mean over all of them.
    pub mean_ns: f64,
}

impl Spread {
    /// Spread of times, by number; `None` if there are none.
    #[must_use]
    pub fn of(times: &[(u32, u64)]) -> Option<Self> {
        let ordered = || times.iter().map(|(number, time)| (*time, Reverse(*number)));
        let (most_ns, Reverse(slowest)) = ordered().max()?;
        let sum = times.iter().fold(0_u64, |sum, (_, time)| sum.saturating_add(*time));
        let mean_ns = sum as f64 / times.len() as f64;
        Some(Self { least_ns: ordered().min()?.0, most_ns, slowest, mean_ns })
    }

    /// Imbalance: the slowest takes so many times as long as each would if all did the same.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        if self.mean_ns > 0.0 { self.most_ns as f64 / self.mean_ns } else { 1.0 }
    }
}

impl Rank {
    /// Its time outside MPI.
    #[must_use]
    pub fn own_ns(&self) -> u64 {
        self.time_ns.saturating_sub(self.mpi_ns)
    }
}

impl Region {
    /// The time of all its threads.
    #[must_use]
    pub fn time_ns(&self) -> u64 {
        self.threads.iter().fold(0, |sum, it| sum.saturating_add(it.time_ns))
    }

    /// Spread of its time over the threads of the team.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        let mut times: Vec<_> = self.threads.iter().map(|it| (it.thread.0, it.time_ns)).collect();
        // Threads that did nothing have no number here.
        times.resize(times.len().max(self.team as usize), (u32::MAX, 0));
        Spread::of(&times)
    }
}

impl Model {
    /// Spread of the work outside MPI over the ranks; `None` without ranks.
    #[must_use]
    pub fn rank_spread(&self) -> Option<Spread> {
        let times: Vec<_> = self.ranks.iter().map(|it| (it.rank, it.own_ns())).collect();
        Spread::of(&times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imbalance_is_that_of_the_slowest() {
        let spread = Spread::of(&[(0, 10), (1, 20), (2, 30), (3, 40)]).unwrap();
        assert_eq!((spread.least_ns, spread.most_ns, spread.slowest), (10, 40, 3));
        assert!((spread.imbalance() - 1.6).abs() < 1e-9);
        assert!(Spread::of(&[]).is_none());
        let idle = Spread::of(&[(0, 0), (1, 0)]).unwrap();
        assert_eq!((idle.slowest, idle.imbalance() == 1.0), (0, true));
    }

    #[test]
    fn threads_without_work_are_part_of_the_team() {
        let thread = |thread, time_ns| RegionThread { thread: ThreadId(thread), time_ns };
        let region = Region {
            function: FunctionId(0),
            team: 4,
            threads: vec![thread(0, 10), thread(2, 30)],
        };
        let spread = region.spread().unwrap();
        assert_eq!((region.time_ns(), spread.least_ns, spread.slowest), (40, 0, 2));
        assert!((spread.imbalance() - 3.0).abs() < 1e-9);
    }
}
