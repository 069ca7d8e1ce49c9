//! Time by thread, and that of threads in parallel regions.

use std::cmp::Reverse;
use std::fmt::{self, Formatter};

use anstyle::Style;

use super::{Measured, regions};
use crate::text::{counted, fitted, grouped, harmless, left};

/// Writes the tables.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (costs, bold) = (measured.costs, Style::new().bold());
    let mut threads: Vec<_> = measured.contexts.threads().iter().zip(costs.threads()).collect();
    threads.sort_by_key(|(thread, looks)| Reverse((looks.weight, thread.cpu_ns)));
    let has_processes = threads.windows(2).any(|two| two[0].0.process != two[1].0.process);
    measured.head(f)?;
    let columns = measured.columns(9, 7);
    let titles = columns.titles("sampled");
    writeln!(f, "\n{bold}{:>9} {titles} {:>11} {:>9}  name{bold:#}", "CPU", "looks", "thread")?;
    for (thread, looks) in threads.iter().take(measured.top) {
        let cells = format!(
            "{:>9.3} {} {:>11} {:>9}  ",
            thread.cpu_ns as f64 / 1e9,
            columns.of(**looks, costs),
            grouped(looks.samples),
            thread.id,
        );
        let name = String::from_utf8_lossy(&thread.name);
        let process = match has_processes {
            true => format!(" (process {})", thread.process),
            false => String::new(),
        };
        let columns = left(measured.width, &cells);
        writeln!(f, "{cells}{}", fitted(&harmless(&name), &process, columns))?;
    }
    if let Some(others) = threads.get(measured.top..).filter(|others| !others.is_empty()) {
        let cpu: u64 = others.iter().map(|(thread, _)| thread.cpu_ns).sum();
        let more = counted(others.len() as u64, "more thread");
        let width = columns.none().chars().count() + 24;
        writeln!(f, "{:>9.3} {:>width$}... and {more}", cpu as f64 / 1e9, "")?;
    }
    let sampled = if measured.has_waits { "running, waiting" } else { "sampled" };
    writeln!(f, "CPU: by the clocks of the system; {sampled}: without the profiler's hooks")?;
    regions::write(measured, f)
}
