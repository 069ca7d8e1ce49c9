//! The lines that took the most time or, without samples, were executed most often, as a table.

use std::cmp::Reverse;
use std::collections::HashMap;

use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::lines::LineFacts;
use super::listing::{Listing, line_of, shown};
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
    let all = listing.files.iter().flat_map(|(&file, known)| {
        known.lines.iter().map(move |(&number, facts)| (listing.path(file), number, facts))
    });
    let is_used = |facts: &LineFacts<'_>| facts.samples > 0 || facts.executions.unwrap_or(0) != 0;
    let mut lines: Vec<_> = all.filter(|(_, _, facts)| is_used(facts)).collect();
    lines.sort_by_cached_key(|(_, _, facts)| Reverse((facts.samples, facts.executions)));

    let mut table = listing.cells.table(COLUMNS);
    let mut texts: HashMap<&str, Vec<String>> = HashMap::new();
    for &(path, number, facts) in lines.iter().take(top) {
        let text = texts.entry(path).or_insert_with(|| {
            Source::read(path.as_bytes(), &listing.folders)
                .map_or(Vec::new(), |source| source.lines)
        });
        let text = line_of(text, number).map_or("", str::trim);
        let place = [Cell::Text(shown(path)), Cell::Number(number.into())];
        let (numbers, style) = listing.cells.values(facts.executions, facts.samples);
        let source = Cell::text(&text.replace('\t', " "));
        let cells = numbers.into_iter().chain(place).chain([source]).collect();
        table.rows.push(Row::Cells { cells, style });
    }
    if let more @ 1.. = lines.len().saturating_sub(top) {
        table.rows.push(Row::remark(format!("... and {} more", grouped(more as u64))));
    }
    table
}
