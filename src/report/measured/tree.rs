//! The stacks as a tree, from the starts of the threads inwards.

use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::records::Looks;

use super::Measured;
use super::cells::percent;
use crate::report::fitting::indented;
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
pub(super) fn write(measured: &Measured<'_>, cut: f64, f: &mut Formatter<'_>) -> fmt::Result {
    let (clock, bold) = (measured.clock, Style::new().bold());
    let tree = measured.model().top_down();
    let all = measured.costs.all().weight;
    let is_shown = |ticks: u64| ticks > 0 && percent(ticks, all) >= cut;
    measured.head(f)?;
    let titles = measured.columns(9, 0).titles("total");
    writeln!(f, "\n{bold}{titles} {:>6} {:>9}  function{bold:#}", "%", "self")?;
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
                let own = clock.time(branch.own.weight as f64);
                let cells = cells(measured, branch.total, all, &own, depth);
                writeln!(f, "{cells}{}", measured.named(branch.function, &cells))?;
                ahead.extend(below(&branch.callees, depth + 1));
            }
            TreeRow::Rest { branches, looks, depth } => {
                let cells = cells(measured, looks, all, "", depth);
                let forms = [counted(branches, "function"), grouped(branches)];
                let forms = forms.map(|form| format!("... {form} below the cut"));
                writeln!(f, "{cells}{}", measured.others(forms, &cells))?;
            }
        }
    }
    let hooks = measured.costs.overhead().weight;
    if hooks > 0 {
        let (time, none) = (clock.time(hooks as f64), measured.columns(9, 0).none());
        writeln!(f, "{none} {:>6} {time:>9}  [profiling hooks]", "-")?;
    }
    writeln!(f, "cut: functions with less than {cut} % of the time (--cut PERCENT)")?;
    measured.foot(f)
}

/// Everything before a name, which stands the more to the right the deeper it is.
fn cells(measured: &Measured<'_>, total: Looks, all: u64, own: &str, depth: usize) -> String {
    let time = |ticks: u64| measured.clock.time(ticks as f64);
    let times = match measured.has_waits {
        false => format!("{:>9}", time(total.weight)),
        true => format!("{:>9} {:>9}", time(total.running()), time(total.waiting)),
    };
    let cells = format!("{times} {:>6.1} {own:>9}  ", percent(total.weight, all));
    indented(&cells, depth, measured.width())
}
