//! The stacks as a tree, from the starts of the threads inwards.

use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::analysis::stacks::TopDown;

use super::Measured;
use super::cells::percent;
use crate::text::counted;

/// What is next to be written.
enum Row {
    Branch {
        place: u32,
        depth: usize,
    },
    /// So many branches that are too small, together.
    Rest {
        branches: u64,
        ticks: u64,
        depth: usize,
    },
}

/// Writes all branches that have at least `cut` percent of the time.
pub(super) fn write(measured: &Measured<'_>, cut: f64, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    let tree = TopDown::new(measured.contexts);
    let all = measured.costs.all().weight;
    let is_shown = |ticks: u64| ticks > 0 && percent(ticks, all) >= cut;
    measured.head(f)?;
    writeln!(f, "\n{bold}{:>9} {:>6} {:>9}  function{bold:#}", "total", "%", "self")?;
    let below = |places: &[u32], depth: usize| {
        let of = |place: &u32| tree.branch(*place).total.weight;
        let (shown, hidden): (Vec<u32>, Vec<u32>) =
            places.iter().partition(|place| is_shown(of(place)));
        let ticks = hidden.iter().map(of).fold(0, u64::saturating_add);
        let branches = hidden.iter().filter(|place| of(place) > 0).count() as u64;
        let rest = is_shown(ticks).then_some(Row::Rest { branches, ticks, depth });
        // The last one is taken first.
        let shown = shown.into_iter().rev().map(move |place| Row::Branch { place, depth });
        rest.into_iter().chain(shown).collect::<Vec<_>>()
    };
    let mut ahead = below(tree.starts(), 0);
    while let Some(row) = ahead.pop() {
        match row {
            Row::Branch { place, depth } => {
                let branch = tree.branch(place);
                let total = branch.total.weight;
                let own = clock.time(branch.own.weight as f64);
                let cells = cells(measured, total, all, &own, depth);
                writeln!(f, "{cells}{}", measured.named(branch.function, &cells))?;
                ahead.extend(below(&branch.callees, depth + 1));
            }
            Row::Rest { branches, ticks, depth } => {
                let cells = cells(measured, ticks, all, "", depth);
                writeln!(f, "{cells}... {} below the cut", counted(branches, "function"))?;
            }
        }
    }
    writeln!(f, "cut: functions with less than {cut} % of the time (--cut PERCENT)")?;
    measured.foot(f)
}

/// Everything before a name, which stands the more to the right the deeper it is.
fn cells(measured: &Measured<'_>, total: u64, all: u64, own: &str, depth: usize) -> String {
    /// Where nobody reads it on a terminal.
    const MOST: usize = 100;
    let time = measured.clock.time(total as f64);
    let cells = format!("{time:>9} {:>6.1} {own:>9}  ", percent(total, all));
    // Names keep half of what is left.
    let most = measured.width.map_or(MOST, |width| width.saturating_sub(cells.len()) / 2);
    match depth * 2 {
        indentation if indentation <= most => format!("{cells}{:indentation$}", ""),
        _ => format!("{cells}{:most$}[{depth}] ", ""),
    }
}
