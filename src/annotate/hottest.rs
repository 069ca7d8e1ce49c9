//! The lines that took the most time or, without samples, were executed most often, as a table.

use std::collections::HashMap;

use gmon_analyzer::analysis::LineCosts;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::listing::{Listing, shown};
use crate::source::Source;
use crate::text::grouped;

const COLUMNS: &[Column] = &[
    Column::number("executions", Unit::Count, 14),
    Column::number("self", Unit::Time, 9).headed("{}"),
    Column::number("self", Unit::Percent, 6).headed("%"),
    Column::text("file", Placing::Left).headed("line"),
    Column::text("line", Placing::Joined(":")),
    Column::text("source", Placing::Last),
];

/// Lists them.
pub(super) fn table(listing: &Listing<'_>, top: usize) -> Table {
    let files = listing.costs.files();
    let all = files.iter().flat_map(|(path, file)| {
        file.lines.iter().map(move |(&number, costs)| (path, number, costs))
    });
    let is_used = |costs: &LineCosts| costs.ticks > 0.0 || costs.executions.unwrap_or(0) != 0;
    let mut lines: Vec<_> = all.filter(|(_, _, costs)| is_used(costs)).collect();
    lines.sort_by(|(_, _, a), (_, _, b)| {
        b.ticks.total_cmp(&a.ticks).then_with(|| b.executions.cmp(&a.executions))
    });

    let mut table = listing.cells.table(COLUMNS);
    let mut texts: HashMap<&[u8], Vec<String>> = HashMap::new();
    for &(path, number, costs) in lines.iter().take(top) {
        let text = texts.entry(path).or_insert_with(|| {
            Source::read(path, &listing.folders).map_or(Vec::new(), |source| source.lines)
        });
        let text = text.get(number as usize - 1).map_or("", |text| text.trim());
        let place = [Cell::Text(shown(path)), Cell::Number(number.into())];
        let (numbers, style) = listing.cells.values(costs);
        let source = Cell::text(&text.replace('\t', " "));
        let cells = numbers.into_iter().chain(place).chain([source]).collect();
        table.rows.push(Row::Cells { cells, style });
    }
    if let more @ 1.. = lines.len().saturating_sub(top) {
        table.rows.push(Row::remark(format!("... and {} more", grouped(more as u64))));
    }
    table
}
