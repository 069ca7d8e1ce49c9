//! Time by thread, and that of threads in parallel regions.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::{Measured, regions};
use crate::report::sheet::Sheet;
use crate::text::counted;

/// Writes the tables.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let costs = &measured.costs;
    let mut threads: Vec<_> = measured.model().threads.iter().zip(costs.threads()).collect();
    threads.sort_by_cached_key(|(thread, looks)| Reverse((looks.weight, thread.cpu_ns)));
    let has_processes = threads.windows(2).any(|two| two[0].0.pid != two[1].0.pid);
    measured.head(f)?;
    writeln!(f)?;
    let times = measured.columns(9, 7);
    let rest = [
        Column::number("looks", Unit::Count, 11),
        Column::number("tid", Unit::None, 9).headed("thread"),
        Column::text("name", Placing::Last),
        Column::text("pid", Placing::Behind("(process ", ")")),
    ];
    let cpu = [Column::number("cpu", Unit::Time, 9).headed("CPU")];
    let mut table = Table::new([&cpu[..], &times.columns("sampled"), &rest].concat());
    let cpu_time = |nanoseconds: u64| match measured.has_cpu_times() {
        true => Cell::Said(Some(nanoseconds as f64), format!("{:.3}", nanoseconds as f64 / 1e9)),
        false => Cell::dash(),
    };
    for (thread, looks) in threads.iter().take(measured.top) {
        let process = if has_processes { thread.pid.to_string() } else { String::new() };
        let rest = [
            measured.looks(**looks),
            Cell::Number(thread.tid),
            Cell::text(&thread.name),
            Cell::Said(Some(thread.pid as f64), process),
        ];
        let cells = [&[cpu_time(thread.cpu_ns)][..], &times.of(**looks, costs), &rest].concat();
        table.rows.push(Row::of(cells));
    }
    if let Some(others) = threads.get(measured.top..).filter(|others| !others.is_empty()) {
        let cpu: u64 = others.iter().map(|(thread, _)| thread.cpu_ns).sum();
        let more = counted(others.len() as u64, "more thread");
        let mut cells = vec![Cell::Unknown; table.columns.len()];
        let name = cells.len() - 2;
        (cells[0], cells[name]) = (cpu_time(cpu), Cell::Text(format!("... and {more}")));
        table.rows.push(Row::Rest(cells));
    }
    f.table(table);
    let sampled = if measured.has_waits { "running, waiting" } else { "sampled" };
    // Clocks tell nothing of a part of the run.
    let is_part = measured.model().timeline.as_ref().is_some_and(|it| it.interval.is_some());
    let clocks = if is_part { "samples" } else { "the clocks of the system" };
    writeln!(f, "CPU: by {clocks}; {sampled}: without the profiler's hooks")?;
    regions::write(measured, f)?;
    measured.subject.say_what_lacks(f)
}
