//! Functions by thread or by module.

use std::cmp::Reverse;
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::analysis::stacks::{StackCosts, ThreadChoice};
use gmon_analyzer::model::{FunctionId, ModuleId};
use gmon_analyzer::records::Looks;

use super::cells::percent;
use super::{Measured, ranks};
use crate::report::part::Dimension;
use crate::text::{counted, fitted};

/// Writes a table for each group, the most time first.
pub(super) fn write(
    measured: &Measured<'_>,
    dimension: Dimension,
    f: &mut Formatter<'_>,
) -> fmt::Result {
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
fn by_thread(measured: &Measured<'_>, f: &mut Formatter<'_>) -> Result<usize, fmt::Error> {
    let mut groups = measured.thread_groups();
    groups.retain(|group| group.looks.weight > 0);
    for group in groups.iter().take(measured.top) {
        let choice = ThreadChoice::Only(group.threads.clone());
        let costs = measured.model().stack_costs(&choice).as_part_of(&measured.costs);
        table(measured, (&group.label(), group.looks), &costs, measured.functions(), f)?;
        let hooks = costs.overhead().weight;
        if hooks > 0 {
            let clock = measured.clock;
            let (time, share) = (clock.time(hooks as f64), percent(hooks, measured.ticks()));
            let none = measured.columns(9, 7).none();
            writeln!(f, "{time:>9} {share:>6.1} {none}  [profiling hooks]")?;
        }
    }
    Ok(groups.len())
}

/// Writes the tables of modules, and tells how many there are.
fn by_module(
    measured: &Measured<'_>,
    dimension: Dimension,
    f: &mut Formatter<'_>,
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
        table(measured, (path, *looks), &measured.costs, functions, f)?;
    }
    let hooks = measured.costs.overhead().weight;
    if dimension == Dimension::Module && hooks > 0 {
        let (time, bold) = (measured.clock.time(hooks as f64), Style::new().bold());
        writeln!(f, "\n{bold}[profiling hooks]: {time} seconds{bold:#}")?;
    }
    Ok(groups.len())
}

/// Writes the functions of a group, sorted by the time they took themselves, the most first.
fn table(
    measured: &Measured<'_>,
    (name, looks): (&str, Looks),
    costs: &StackCosts,
    functions: impl Iterator<Item = FunctionId>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    let cells =
        |ticks: u64| format!("{:>9} {:>6.1}", clock.time(ticks as f64), measured.share(ticks));
    let mut functions: Vec<_> = functions.filter(|id| costs.total(*id).weight > 0).collect();
    functions.sort_by_key(|&id| (Reverse((costs.own(id).weight, costs.total(id).weight)), id));
    let time = format!(": {} seconds", clock.time(looks.weight as f64));
    writeln!(f, "\n{bold}{}{bold:#}", fitted(name, &time, measured.width()))?;
    let columns = measured.columns(9, 7);
    let titles = columns.titles("total");
    writeln!(f, "{bold}{:>9} {:>6} {titles}  function{bold:#}", "self", "%")?;
    for &id in functions.iter().take(measured.top) {
        let own = cells(costs.own(id).weight);
        let cells = format!("{own} {}  ", columns.of(costs.total(id), costs));
        writeln!(f, "{cells}{}", measured.named(id, &cells))?;
    }
    let others = functions.get(measured.top..).unwrap_or_default();
    if !others.is_empty() {
        let own: Looks = others.iter().map(|&id| costs.own(id)).sum();
        let cells = format!("{} {}  ", cells(own.weight), columns.none());
        writeln!(f, "{cells}{}", measured.more_functions(others.len(), &cells))?;
    }
    Ok(())
}
