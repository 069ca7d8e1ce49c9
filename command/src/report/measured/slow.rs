//! `--slower`: time in a slow call beside that in another, by function: what the slow ones do that the others do not.

use std::fmt::{self, Write};

use gmon_analyzer::model::{Contrast, FunctionId, Kind};
use gmon_analyzer::numbers::duration;
use gmon_analyzer::table::{Cell, Column, Row, Table, Unit};

use super::Measured;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, more_functions};
use crate::text::counted;

/// A function with its time in a call of each kind, in nanoseconds, and the samples in slow ones.
type Each = (FunctionId, [f64; 2], u64);

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, contrast: &Contrast, f: &mut Sheet) -> fmt::Result {
    let calls = [contrast.slow, contrast.others];
    let per_call = |samples: [u64; 2]| -> [f64; 2] {
        let ns = |side: usize| {
            (measured.clock.ns(samples[side] as f64) / calls[side].max(1) as f64).round()
        };
        [ns(0), ns(1)]
    };
    let functions = contrast.functions.iter().filter(|(id, _)| {
        let kind = &measured.subject.function(*id).kind;
        !matches!(kind, Kind::Incomplete | Kind::Hooks)
    });
    let mut functions: Vec<Each> =
        functions.map(|&(id, samples)| (id, per_call(samples), samples[0])).collect();
    let more = |it: &Each| it.1[0] - it.1[1];
    functions.sort_unstable_by(|a, b| more(b).total_cmp(&more(a)).then_with(|| a.0.cmp(&b.0)));
    measured.head(f)?;
    writeln!(
        f,
        "{}, {}",
        counted(contrast.slow, "slow call"),
        counted(contrast.others, "other call")
    )?;
    writeln!(f)?;
    let numbers = [
        Column::number("slow", Unit::Time, 8),
        Column::number("others", Unit::Time, 8),
        Column::number("more", Unit::Time, 9),
        Column::number("samples", Unit::Count, 8),
    ];
    let mut table = Table::new([&numbers[..], FUNCTION].concat());
    for it in functions.iter().take(measured.top) {
        let (id, [slow, others], samples) = *it;
        let time = |ns: f64| Cell::Said(Some(ns), duration(ns / 1e9));
        let sign = if slow < others { '-' } else { '+' };
        let change = format!("{sign}{}", duration((slow - others).abs() / 1e9));
        let numbers = [
            time(slow),
            time(others),
            Cell::Said(Some(slow - others), change),
            Cell::Number(samples),
        ];
        table.rows.push(Row::of([&numbers[..], &measured.named(id)].concat()));
    }
    if let Some(left @ 1..) = functions.len().checked_sub(measured.top) {
        let cells = [Cell::dash(), Cell::dash(), Cell::dash(), Cell::dash()];
        let cells = cells.into_iter().chain(more_functions(left)).collect();
        table.rows.push(Row::Rest(cells));
    }
    f.table(table);
    let which = if measured.has_waits { "time, running and waiting," } else { "CPU time" };
    let what = format!(
        "slow, others: {which} of a function and all that it called, in one slow call and in one other, by samples"
    );
    measured.subject.say(&what, f)?;
    if contrast.lost > 0 {
        writeln!(
            f,
            "{} are not kept one by one, and are among the others; keep more with GMON_OPTIONS=record=MB",
            counted(contrast.lost, "more slow call")
        )?;
    }
    Ok(())
}
