//! The hottest code, who called it, and who called these.

use std::fmt::{self, Write};

use gmon_analyzer::table::{Cell, Column, Row, Table, Unit};

use super::Measured;
use super::cells::{at_depth, percent};
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, left_out};
use crate::text::{counted, grouped};

/// Row to be written next.
enum CallerRow {
    Branch {
        place: u32,
        depth: usize,
    },
    /// Callers that are too small, below a branch.
    Rest {
        below: u32,
        depth: usize,
    },
}

/// Writes the functions with the most own time, each with the callers that have at least `cut` percent of all time.
pub(super) fn write(measured: &Measured<'_>, cut: f64, f: &mut Sheet) -> fmt::Result {
    let all = measured.costs.all().weight;
    let least = (all as f64 * cut / 100.0).ceil().max(1.0) as u64;
    let tree = measured.model().bottom_up(least);
    measured.head(f)?;
    writeln!(f)?;
    let times = measured.columns(9, 0);
    let rest = [
        Column::number("self", Unit::Percent, 6).headed("%"),
        Column::number("depth", Unit::None, 0).hidden(),
    ];
    let mut table = Table::new([&times.columns("self")[..], &rest, FUNCTION].concat());
    let rows = |places: &[u32], depth: usize| -> Vec<CallerRow> {
        places.iter().rev().map(|place| CallerRow::Branch { place: *place, depth }).collect()
    };
    let mut ahead = rows(tree.roots(), 0);
    while let Some(row) = ahead.pop() {
        let (looks, depth) = match row {
            CallerRow::Branch { place, depth } => (tree.branch(place).looks, depth),
            CallerRow::Rest { below, depth } => (tree.branch(below).rest.1, depth),
        };
        let share = Cell::Real(percent(looks.weight, all));
        let cells = |name: Vec<Cell>| {
            let rest = [share, Cell::Number(depth as u64)];
            [&times.plain(looks)[..], &rest, &at_depth(depth, name)].concat()
        };
        match row {
            CallerRow::Branch { place, .. } => {
                let branch = tree.branch(place);
                table.rows.push(Row::of(cells(measured.named(branch.function))));
                let is_much = branch.rest.1.weight >= least;
                ahead.extend(is_much.then_some(CallerRow::Rest { below: place, depth: depth + 1 }));
                ahead.extend(rows(&branch.callers, depth + 1));
            }
            CallerRow::Rest { below, .. } => {
                let callers = tree.branch(below).rest.0;
                let forms = [counted(callers, "caller"), grouped(callers)];
                let name = left_out(forms.map(|form| format!("... {form} below the cut")));
                table.rows.push(Row::Rest(cells(name)));
            }
        }
    }
    f.table(table);
    writeln!(f, "below each function: its callers; recursion is folded")?;
    writeln!(f, "cut: callers with less than {cut} % of the time (--cut PERCENT)")?;
    measured.foot(f)
}
