//! The lines that took the most time or, without samples, were executed most often.

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::Style;
use gmon_analyzer::analysis::LineCosts;

use super::listing::{Listing, shown};
use super::source::Source;
use crate::text::grouped;

/// Lists them.
pub(super) fn write(listing: &Listing<'_>, top: usize, out: &mut impl Write) -> io::Result<()> {
    let files = listing.costs.files();
    let all = files.iter().flat_map(|(path, file)| {
        file.lines.iter().map(move |(&number, costs)| (path, number, costs))
    });
    let is_used = |costs: &LineCosts| costs.ticks > 0.0 || costs.executions.unwrap_or(0) != 0;
    let mut lines: Vec<_> = all.filter(|(_, _, costs)| is_used(costs)).collect();
    lines.sort_by(|(_, _, a), (_, _, b)| {
        b.ticks.total_cmp(&a.ticks).then_with(|| b.executions.cmp(&a.executions))
    });

    let bold = Style::new().bold();
    writeln!(out, "{bold}{}  line{bold:#}", listing.cells.heading())?;
    let mut texts: HashMap<&[u8], Vec<String>> = HashMap::new();
    for &(path, number, costs) in lines.iter().take(top) {
        let text = texts.entry(path).or_insert_with(|| {
            Source::read(path, &listing.folders).map_or(Vec::new(), |source| source.lines)
        });
        let text = text.get(number as usize - 1).map_or("", |text| text.trim());
        let (cells, style) = listing.cells.line(Some(costs));
        let before = format!("{cells}  {}:{number}  ", shown(path));
        let text = listing.cells.clip(text, before.chars().count());
        writeln!(out, "{style}{}{style:#}", format!("{before}{text}").trim_end())?;
    }
    match lines.len().saturating_sub(top) {
        0 => Ok(()),
        more => writeln!(out, "{}  ... and {} more", listing.cells.blank(), grouped(more as u64)),
    }
}
