//! Functions by thread or by module.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use anstyle::Style;
use gmon_analyzer::analysis::stacks::{StackCosts, ThreadChoice};
use gmon_analyzer::model::{FunctionId, ModuleId};
use gmon_analyzer::records::Looks;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table};

use super::cells::percent;
use super::{Measured, ranks};
use crate::report::apart::HOOKS;
use crate::report::part::Dimension;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, more_functions, words};
use crate::text::{counted, fitted};

/// Writes a table for each group, the most time first.
pub(super) fn write(measured: &Measured<'_>, dimension: Dimension, f: &mut Sheet) -> fmt::Result {
    if dimension == Dimension::Rank {
        return ranks::write(measured, f);
    }
    measured.head(f)?;
    let groups = match dimension {
        Dimension::Thread => by_thread(measured, f)?,
        _ => by_module(measured, dimension, f)?,
    };
    if groups > measured.top {
        let what = if dimension == Dimension::Thread { "more thread" } else { "more module" };
        writeln!(f, "\n... and {}", counted((groups - measured.top) as u64, what))?;
    }
    writeln!(f)?;
    measured.write_what_times_are(f)?;
    measured.write_what_shares_are(f)?;
    measured.foot(f)
}

/// Writes the tables of all threads, of which those with one name are one, and tells how many there are.
fn by_thread(measured: &Measured<'_>, f: &mut Sheet) -> Result<usize, fmt::Error> {
    let mut groups = measured.thread_groups();
    groups.retain(|group| group.looks.weight > 0);
    for group in groups.iter().take(measured.top) {
        let choice = ThreadChoice::Only(group.threads.clone());
        let costs = measured.model().stack_costs(&choice).as_part_of(&measured.costs);
        let label = group.label();
        let mut table =
            table(measured, ("thread", &label, group.looks), &costs, measured.functions());
        let hooks = costs.overhead().weight;
        if hooks > 0 {
            let own = measured.own_apart(hooks, percent(hooks, measured.ticks()));
            let times = measured.columns(9, 7).none();
            let cells = [&[Cell::text(&label)][..], &own, &times, &words(HOOKS)].concat();
            table.rows.push(Row::of(cells));
        }
        writeln!(f)?;
        f.table(table);
    }
    Ok(groups.len())
}

/// Writes the tables of modules, and tells how many there are.
fn by_module(
    measured: &Measured<'_>,
    dimension: Dimension,
    f: &mut Sheet,
) -> Result<usize, fmt::Error> {
    let is_library = |module: Option<ModuleId>| module.is_some_and(|it| it != ModuleId(0));
    let mut groups = measured.module_groups();
    groups.retain(|(_, module, _)| dimension == Dimension::Module || is_library(*module));
    if groups.is_empty() {
        writeln!(f, "\nno time was spent in libraries")?;
    }
    for (looks, module, path) in groups.iter().take(measured.top) {
        let of_module = |id: &FunctionId| measured.subject.function(*id).module == *module;
        let functions = measured.functions().filter(of_module);
        writeln!(f)?;
        f.table(table(measured, ("of_module", path, *looks), &measured.costs, functions));
    }
    let hooks = measured.costs.overhead().weight;
    if dimension == Dimension::Module && hooks > 0 {
        let (time, bold) = (measured.clock.time(hooks as f64), Style::new().bold());
        writeln!(f, "\n{bold}{HOOKS}: {time} seconds{bold:#}")?;
    }
    Ok(groups.len())
}

/// The functions of a group, sorted by the time they took themselves, the most first.
fn table(
    measured: &Measured<'_>,
    (dimension, name, looks): (&'static str, &str, Looks),
    costs: &StackCosts,
    functions: impl Iterator<Item = FunctionId>,
) -> Table {
    let mut functions: Vec<_> = functions.filter(|id| costs.total(*id).weight > 0).collect();
    functions
        .sort_unstable_by_key(|&id| (Reverse((costs.own(id).weight, costs.total(id).weight)), id));
    let times = measured.columns(9, 7);
    let group = [Column::text(dimension, Placing::Nowhere)];
    let own = measured.own_columns(9, 6);
    let mut table = Table::new([&group[..], &own, &times.columns("total"), FUNCTION].concat());
    let time = format!(": {} seconds", measured.clock.time(looks.weight as f64));
    table.title = fitted(name, &time, measured.width());
    let row = |own: Looks, times: Vec<Cell>, named: Vec<Cell>| {
        [&[Cell::text(name)][..], &measured.own(own), &times, &named].concat()
    };
    for &id in functions.iter().take(measured.top) {
        let times = times.of(costs.total(id), costs);
        table.rows.push(Row::of(row(costs.own(id), times, measured.named(id))));
    }
    let others = functions.get(measured.top..).unwrap_or_default();
    if !others.is_empty() {
        let own = others.iter().map(|&id| costs.own(id)).sum();
        let more = more_functions(others.len());
        table.rows.push(Row::Rest(row(own, times.none(), more)));
    }
    table
}
