//! Time by module: the program and its libraries.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::model::ModuleId;
use gmon_analyzer::records::Looks;

use super::Measured;
use super::cells::percent;
use crate::report::apart::HOOKS;
use crate::text::{counted, fitted, grouped, harmless, left};

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (costs, bold) = (&measured.costs, Style::new().bold());
    let groups = measured.module_groups().into_iter();
    let row = |looks: Looks, path| (looks, measured.share(looks.weight), path);
    let mut rows: Vec<_> = groups.map(|(looks, _, path)| row(looks, path)).collect();
    let others: Vec<_> = rows.split_off(measured.top.min(rows.len()));
    if !others.is_empty() {
        let sum = others.iter().map(|(looks, ..)| *looks).sum();
        let more = counted(others.len() as u64, "more module");
        rows.push(row(sum, format!("... and {more}")));
    }
    if costs.overhead().weight > 0 {
        let share = percent(costs.overhead().weight, measured.ticks());
        rows.push((costs.overhead(), share, HOOKS.to_owned()));
    }
    measured.head(f)?;
    let columns = measured.columns(9, 7);
    let titles = columns.titles("self");
    writeln!(f, "\n{bold}{titles} {:>6} {:>11}  module{bold:#}", "%", "looks")?;
    for (looks, share, name) in rows {
        let cells =
            format!("{} {share:>6.1} {:>11}  ", columns.of(looks, costs), grouped(looks.samples),);
        let columns = left(measured.width(), &cells);
        writeln!(f, "{cells}{}", fitted(&name, "", columns))?;
    }
    measured.write_what_shares_are(f)
}

impl Measured<'_> {
    /// The samples in each module and its path, the most time first; without those in the profiler's hooks.
    pub(super) fn module_groups(&self) -> Vec<(Looks, Option<ModuleId>, String)> {
        let mut sums: BTreeMap<Option<ModuleId>, Looks> = BTreeMap::new();
        for id in self.functions() {
            *sums.entry(self.subject.function(id).module).or_default() += self.costs.own(id);
        }
        let known: Looks = sums.values().copied().sum();
        let mut unknown = self.costs.all();
        unknown -= known;
        *sums.entry(None).or_default() += unknown;
        let sums = sums.into_iter().filter(|(_, looks)| looks.weight > 0);
        let name = |id: ModuleId| harmless(&self.model().modules[id.index()].path).into_owned();
        let mut groups: Vec<_> = sums
            .map(|(module, looks)| (looks, module, module.map_or("[unknown]".to_owned(), name)))
            .collect();
        groups.sort_by_key(|(looks, ..)| Reverse(looks.weight));
        groups
    }
}
