//! Parallel regions of OpenMP: the time of each thread in them, and how much longer the busiest takes than the mean.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::profile::FunctionId;
use gmon_analyzer::records::ThreadId;

use super::Measured;
use super::waits::Library;
use crate::text::counted;

/// The time of each thread in a region, in ticks.
type Times = BTreeMap<ThreadId, u64>;

impl Measured<'_> {
    /// The regions and the time of threads in them and in what they call, without that of waiting for others; and how many
    /// threads were in a region or waited for it. Time in a region within another is the inner one's.
    fn regions(&self) -> (BTreeMap<FunctionId, Times>, usize) {
        let is_region: Vec<bool> = (0..)
            .map(FunctionId)
            .zip(self.contexts.functions())
            .map(|(id, _)| self.is_region(id))
            .collect();
        let waits = self.time_in(Library::OpenMp);
        let mut within: Vec<Option<FunctionId>> = Vec::with_capacity(waits.len());
        let mut regions: BTreeMap<FunctionId, Times> = BTreeMap::new();
        let mut team: BTreeSet<ThreadId> = BTreeSet::new();
        for (context, waits) in self.contexts.contexts().iter().zip(waits) {
            let outer = context.parent.and_then(|parent| within[parent as usize]);
            let region =
                if is_region[context.function.index()] { Some(context.function) } else { outer };
            within.push(region);
            if region.is_some() || waits {
                team.insert(context.thread);
            }
            if let Some(region) = region.filter(|_| !waits && context.own.weight > 0) {
                let times = regions.entry(region).or_default();
                *times.entry(context.thread).or_default() += context.own.weight;
            }
        }
        (regions, team.len())
    }

    /// Returns `true` if a function is what the compiler made of a parallel region.
    fn is_region(&self, id: FunctionId) -> bool {
        let function = &self.contexts.functions()[id.index()];
        let program = function.module.and_then(|id| self.measurement.modules().get(id).program());
        let symbols = program.map(|program| program.symbols());
        symbols.zip(function.address).is_some_and(|(symbols, address)| {
            symbols.find(address).is_some_and(|id| symbols.is_parallel_region(id))
        })
    }
}

/// Writes a table of the regions, if there are any.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    let (regions, team) = measured.regions();
    let mut regions: Vec<_> = regions.into_iter().collect();
    if regions.is_empty() {
        return Ok(());
    }
    regions.sort_by_key(|(id, times)| (Reverse(times.values().sum::<u64>()), *id));
    writeln!(
        f,
        "\n{bold}{:>9} {:>8} {:>9} {:>9} {:>9}  parallel region{bold:#}",
        "time", "threads", "mean", "longest", "imbalance"
    )?;
    for (id, times) in regions.iter().take(measured.top) {
        let (sum, longest) = (times.values().sum::<u64>(), times.values().max().copied());
        let (longest, mean) = (longest.unwrap_or(0), sum as f64 / team as f64);
        let cells = format!(
            "{:>9} {:>8} {:>9} {:>9} {:>9.2}  ",
            clock.time(sum as f64),
            team,
            clock.time(mean),
            clock.time(longest as f64),
            longest as f64 / mean,
        );
        writeln!(f, "{cells}{}", measured.named(*id, &cells))?;
    }
    if let Some(rest) = regions.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>48}  ... and {}", "", counted(rest.len() as u64, "more region"))?;
    }
    writeln!(f, "imbalance: the longest time of a thread divided by the mean")
}
