//! The stacks as a tree, from the starts of the threads inwards.

use std::fmt::{self, Write};

use gmon_analyzer::records::Looks;
use gmon_analyzer::table::{Cell, Column, Row, Table, Unit};

use super::Measured;
use super::cells::{at_depth, percent};
use crate::report::apart::HOOKS;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, left_out, words};
use crate::text::{counted, grouped};

/// Row to be written next.
enum TreeRow {
    Branch {
        place: u32,
        depth: usize,
    },
    /// A number of branches that are too small, together.
    Rest {
        branches: u64,
        looks: Looks,
        depth: usize,
    },
}

/// Writes all branches that have at least `cut` percent of the time.
pub(super) fn write(measured: &Measured<'_>, cut: f64, f: &mut Sheet) -> fmt::Result {
    let clock = measured.clock;
    let tree = measured.model().top_down();
    let all = measured.costs.all().weight;
    let is_shown = |ticks: u64| ticks > 0 && percent(ticks, all) >= cut;
    measured.head(f)?;
    writeln!(f)?;
    let times = measured.columns(9, 0);
    let rest = [
        Column::number("total", Unit::Percent, 6).headed("%"),
        Column::number("self", Unit::Time, 9),
        Column::number("depth", Unit::None, 0).hidden(),
    ];
    let mut table = Table::new([&times.columns("total")[..], &rest, FUNCTION].concat());
    let cells = |total: Looks, own: Cell, depth: usize, name: Vec<Cell>| {
        let rest = [Cell::Real(percent(total.weight, all)), own, Cell::Number(depth as u64)];
        [&times.plain(total)[..], &rest, &at_depth(depth, name)].concat()
    };
    let below = |places: &[u32], depth: usize| {
        let of = |place: &u32| tree.branch(*place).total;
        let (shown, hidden): (Vec<u32>, Vec<u32>) =
            places.iter().partition(|place| is_shown(of(place).weight));
        let looks: Looks = hidden.iter().map(of).sum();
        let branches = hidden.iter().filter(|place| of(place).weight > 0).count() as u64;
        let rest = is_shown(looks.weight).then_some(TreeRow::Rest { branches, looks, depth });
        // The last one is taken first.
        let shown = shown.into_iter().rev().map(move |place| TreeRow::Branch { place, depth });
        rest.into_iter().chain(shown).collect::<Vec<_>>()
    };
    let mut ahead = below(tree.starts(), 0);
    while let Some(row) = ahead.pop() {
        match row {
            TreeRow::Branch { place, depth } => {
                let branch = tree.branch(place);
                let (own, name) = (clock.cell(branch.own.weight), measured.named(branch.function));
                table.rows.push(Row::of(cells(branch.total, own, depth, name)));
                ahead.extend(below(&branch.callees, depth + 1));
            }
            TreeRow::Rest { branches, looks, depth } => {
                let forms = [counted(branches, "function"), grouped(branches)];
                let name = left_out(forms.map(|form| format!("... {form} below the cut")));
                table.rows.push(Row::Rest(cells(looks, Cell::Unknown, depth, name)));
            }
        }
    }
    let hooks = measured.costs.overhead().weight;
    if hooks > 0 {
        let rest = [Cell::dash(), clock.cell(hooks), Cell::Number(0)];
        table.rows.push(Row::of([&times.none()[..], &rest, &words(HOOKS)].concat()));
    }
    f.table(table);
    writeln!(f, "cut: functions with less than {cut} % of the time (--cut PERCENT)")?;
    measured.foot(f)
}
