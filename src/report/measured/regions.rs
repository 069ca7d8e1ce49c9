//! Parallel programs of OpenMP: the time of threads in parallel regions, how much longer the busiest takes than the mean, and
//! their waits for each other.

use std::cmp::Reverse;
use std::fmt::{self, Formatter};

use anstyle::Style;

use super::Measured;
use crate::text::{counted, fitted};

/// Writes the line of a summary about waiting for other threads, if any did.
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let waiting = measured.model().sampling.openmp_waiting;
    if waiting == 0 {
        return Ok(());
    }
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let (waiting, all) = (time(waiting), time(measured.costs.all().weight));
    let line =
        format!("OpenMP: {waiting} of {all} waiting for the other threads of parallel regions");
    writeln!(f, "{}", fitted(&line, "", measured.width()))
}

/// Writes a table of the regions, if there are any.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    let mut regions: Vec<_> = measured.model().regions.iter().collect();
    if regions.is_empty() {
        return Ok(());
    }
    regions.sort_by_key(|region| (Reverse(region.time_ns()), region.function));
    writeln!(
        f,
        "\n{bold}{:>9} {:>8} {:>9} {:>9} {:>9}  parallel region{bold:#}",
        "time", "threads", "mean", "longest", "imbalance"
    )?;
    for region in regions.iter().take(measured.top) {
        let Some(spread) = region.spread() else { continue };
        let cells = format!(
            "{:>9} {:>8} {:>9} {:>9} {:>9.2}  ",
            clock.time_of(region.time_ns() as f64),
            region.team,
            clock.time_of(spread.mean_ns),
            clock.time_of(spread.most_ns as f64),
            spread.imbalance(),
        );
        writeln!(f, "{cells}{}", measured.named(region.function, &cells))?;
    }
    if let Some(rest) = regions.get(measured.top..).filter(|rest| !rest.is_empty()) {
        writeln!(f, "{:>48}  ... and {}", "", counted(rest.len() as u64, "more region"))?;
    }
    writeln!(f, "imbalance: the longest time of a thread divided by the mean")
}
