//! Time by module: the program and its libraries.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use gmon_analyzer::model::ModuleId;
use gmon_analyzer::records::Looks;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Measured;
use super::cells::percent;
use crate::report::apart::HOOKS;
use crate::report::sheet::Sheet;
use crate::text::{counted, harmless};

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let costs = &measured.costs;
    let groups = measured.module_groups().into_iter();
    let row = |looks: Looks, path, is_rest| (looks, measured.share(looks.weight), path, is_rest);
    let mut rows: Vec<_> = groups.map(|(looks, _, path)| row(looks, path, false)).collect();
    let others: Vec<_> = rows.split_off(measured.top.min(rows.len()));
    if !others.is_empty() {
        let sum = others.iter().map(|(looks, ..)| *looks).sum();
        let more = counted(others.len() as u64, "more module");
        rows.push(row(sum, format!("... and {more}"), true));
    }
    if costs.overhead().weight > 0 {
        let share = percent(costs.overhead().weight, measured.ticks());
        rows.push((costs.overhead(), share, HOOKS.to_owned(), false));
    }
    measured.head(f)?;
    writeln!(f)?;
    let times = measured.columns(9, 7);
    let rest = [
        Column::number("self", Unit::Percent, 6).headed("%"),
        Column::number("looks", Unit::Count, 11),
        Column::text("module", Placing::Last),
    ];
    let mut table = Table::new([&times.columns("self")[..], &rest].concat());
    for (looks, share, name, is_rest) in rows {
        let rest = [Cell::Real(share), measured.looks(looks), Cell::text(&name)];
        let cells = [&times.of(looks, costs)[..], &rest].concat();
        table.rows.push(if is_rest { Row::Rest(cells) } else { Row::of(cells) });
    }
    f.table(table);
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
        groups.sort_by_cached_key(|(looks, ..)| Reverse(looks.weight));
        groups
    }
}
