//! The lines of a summary with the time of each module, thread and rank, where there are several.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use gmon_analyzer::model::ThreadId;
use gmon_analyzer::records::Looks;

use super::{Measured, ranks, regions};
use crate::report::sheet::Sheet;
use crate::text::{fitted, harmless};

/// Number that are named.
const MOST: usize = 4;

/// Writes the lines.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let modules = measured.module_groups().into_iter();
    let modules: Vec<_> = modules.map(|(looks, _, path)| (name(&path), 1, looks.weight)).collect();
    line(measured, "modules", modules, f)?;
    let threads = measured.thread_groups().into_iter();
    let threads = threads.map(|it| (it.label(), it.threads.len(), it.looks.weight)).collect();
    line(measured, "threads", threads, f)?;
    regions::write_line(measured, f)?;
    ranks::write_line(measured, f)
}

/// Threads that have the same name.
pub(super) struct ThreadGroup {
    name: String,
    pub(super) threads: Vec<ThreadId>,
    pub(super) looks: Looks,
}

impl ThreadGroup {
    /// Their name and, if there are several, how many they are.
    pub(super) fn label(&self) -> String {
        match self.threads.len() {
            1 => self.name.clone(),
            number => format!("{} x{number}", self.name),
        }
    }
}

impl Measured<'_> {
    /// The threads by their names, the most time first.
    pub(super) fn thread_groups(&self) -> Vec<ThreadGroup> {
        let mut groups: Vec<ThreadGroup> = Vec::new();
        let threads = self.model().threads.iter().zip(self.costs.threads());
        for (id, (thread, &looks)) in (0..).map(ThreadId).zip(threads) {
            let name = harmless(&thread.name).into_owned();
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => {
                    group.threads.push(id);
                    group.looks += looks;
                }
                None => groups.push(ThreadGroup { name, threads: vec![id], looks }),
            }
        }
        groups.sort_by_cached_key(|group| Reverse(group.looks.weight));
        groups
    }
}

/// Writes a line of names, each with how many have it, and its ticks; the most time first.
fn line(
    measured: &Measured<'_>,
    title: &str,
    rows: Vec<(String, usize, u64)>,
    f: &mut Sheet,
) -> fmt::Result {
    let number: usize = rows.iter().map(|(_, number, _)| number).sum();
    let rows: Vec<_> = rows.into_iter().filter(|(.., ticks)| *ticks > 0).collect();
    if number < 2 || rows.is_empty() {
        return Ok(());
    }
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let named = rows.iter().take(MOST).map(|(name, _, ticks)| format!("{name} {}", time(*ticks)));
    let rest = rows.get(MOST..).filter(|rest| !rest.is_empty()).map(|rest| {
        format!("{} more {}", rest.len(), time(rest.iter().map(|(.., ticks)| ticks).sum()))
    });
    let words: Vec<_> = named.chain(rest).collect();
    writeln!(f, "{}", fitted(&format!("{title}: {}", words.join(", ")), "", measured.width()))
}
