//! The lines of a summary with the time of each module, and of each thread, where there are several.

use std::cmp::Reverse;
use std::fmt::{self, Formatter};

use super::Measured;
use super::cells::fitted;
use crate::text::harmless;

/// How many are named.
const MOST: usize = 4;

/// Writes both lines.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let modules = measured.module_rows().into_iter();
    let modules: Vec<_> = modules.map(|(looks, path)| (name(&path), 1, looks.weight)).collect();
    line(measured, "modules", modules, f)?;
    let mut threads: Vec<(String, u64, u64)> = Vec::new();
    for (thread, looks) in measured.contexts.threads().iter().zip(measured.costs.threads()) {
        let name = harmless(&String::from_utf8_lossy(&thread.name)).into_owned();
        match threads.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, number, ticks)) => (*number, *ticks) = (*number + 1, *ticks + looks.weight),
            None => threads.push((name, 1, looks.weight)),
        }
    }
    threads.sort_by_key(|(_, _, ticks)| Reverse(*ticks));
    line(measured, "threads", threads, f)
}

/// Writes a line of names, each with how many have it, and its ticks; the most time first.
fn line(
    measured: &Measured<'_>,
    title: &str,
    rows: Vec<(String, u64, u64)>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let number: u64 = rows.iter().map(|(_, number, _)| number).sum();
    let rows: Vec<_> = rows.into_iter().filter(|(.., ticks)| *ticks > 0).collect();
    if number < 2 || rows.is_empty() {
        return Ok(());
    }
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let named = rows.iter().take(MOST).map(|(name, number, ticks)| {
        let times = if *number > 1 { format!(" x{number}") } else { String::new() };
        format!("{name}{times} {}", time(*ticks))
    });
    let rest = rows.get(MOST..).filter(|rest| !rest.is_empty()).map(|rest| {
        format!("{} more {}", rest.len(), time(rest.iter().map(|(.., ticks)| ticks).sum()))
    });
    let words: Vec<_> = named.chain(rest).collect();
    writeln!(f, "{}", fitted(&format!("{title}: {}", words.join(", ")), "", measured.width))
}
