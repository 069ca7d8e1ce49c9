//! Parallel programs of OpenMP: the time of threads in parallel regions, how much longer the busiest takes than the mean, and
//! their waits for each other.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use gmon_analyzer::table::{Cell, Column, Row, Table, Unit};

use super::Measured;
use super::ranks::imbalance;
use crate::report::sheet::Sheet;
use crate::report::subject::FUNCTION;
use crate::text::fitted;

/// Writes the line of a summary about waiting for other threads, if any did.
pub(super) fn write_line(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
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
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let clock = measured.clock;
    let mut regions: Vec<_> = measured.model().regions.iter().collect();
    if regions.is_empty() {
        return Ok(());
    }
    regions.sort_unstable_by_key(|region| (Reverse(region.time_ns()), region.function));
    let columns = [
        Column::number("time", Unit::Time, 9),
        Column::number("threads", Unit::Count, 8),
        Column::number("mean", Unit::Time, 9),
        Column::number("longest", Unit::Time, 9),
        Column::number("imbalance", Unit::None, 9),
    ];
    let mut table = Table::new([&columns[..], FUNCTION].concat());
    table.last = "parallel region".to_owned();
    for region in regions.iter().take(measured.top) {
        let Some(spread) = region.spread() else { continue };
        let cells = [
            clock.cell_of(region.time_ns() as f64),
            Cell::Number(region.team.into()),
            clock.cell_of(spread.mean_ns),
            clock.cell_of(spread.most_ns as f64),
            imbalance(&spread),
        ];
        table.rows.push(Row::of([&cells[..], &measured.named(region.function)].concat()));
    }
    table.rows.extend(measured.more(regions.len(), "more region", 48));
    writeln!(f)?;
    f.table(table);
    writeln!(f, "imbalance: the longest time of a thread divided by the mean")
}
