//! Time by thread, and that of threads in parallel regions.

use std::cmp::Reverse;
use std::fmt::{self, Formatter};

use anstyle::Style;

use super::{Measured, regions};
use crate::text::{counted, fitted, grouped, harmless, left};

/// Writes the tables.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (costs, bold) = (&measured.costs, Style::new().bold());
    let mut threads: Vec<_> = measured.model().threads.iter().zip(costs.threads()).collect();
    threads.sort_by_key(|(thread, looks)| Reverse((looks.weight, thread.cpu_ns)));
    let has_processes = threads.windows(2).any(|two| two[0].0.pid != two[1].0.pid);
    measured.head(f)?;
    let columns = measured.columns(9, 7);
    let titles = columns.titles("sampled");
    writeln!(f, "\n{bold}{:>9} {titles} {:>11} {:>9}  name{bold:#}", "CPU", "looks", "thread")?;
    let cpu_time = |nanoseconds: u64| match measured.has_cpu_times() {
        true => format!("{:.3}", nanoseconds as f64 / 1e9),
        false => "-".to_owned(),
    };
    for (thread, looks) in threads.iter().take(measured.top) {
        let cells = format!(
            "{:>9} {} {:>11} {:>9}  ",
            cpu_time(thread.cpu_ns),
            columns.of(**looks, costs),
            grouped(looks.samples),
            thread.tid,
        );
        let process = match has_processes {
            true => format!(" (process {})", thread.pid),
            false => String::new(),
        };
        let columns = left(measured.width(), &cells);
        writeln!(f, "{cells}{}", fitted(&harmless(&thread.name), &process, columns))?;
    }
    if let Some(others) = threads.get(measured.top..).filter(|others| !others.is_empty()) {
        let cpu: u64 = others.iter().map(|(thread, _)| thread.cpu_ns).sum();
        let more = counted(others.len() as u64, "more thread");
        let width = columns.none().chars().count() + 24;
        writeln!(f, "{:>9} {:>width$}... and {more}", cpu_time(cpu), "")?;
    }
    let sampled = if measured.has_waits { "running, waiting" } else { "sampled" };
    writeln!(f, "CPU: by the clocks of the system; {sampled}: without the profiler's hooks")?;
    regions::write(measured, f)?;
    measured.subject.say_what_lacks(f)
}
