//! Stretches of code that are one line of one function.

use std::ops::Range;

use gmon_format::FilePc;

use super::functions::{FunctionName, FunctionTable};
use super::labels::{Label, Labels};
use super::table::{LineTable, Location};

/// The start of a stretch of code that has another function, file or line than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    pub(crate) address: FilePc,
    /// The linker's name of the innermost function.
    pub(crate) function: &'a [u8],
    pub(crate) location: Location,
}

/// Cuts the code in `range` into spans. Code without a line belongs to no span, and does not end one.
///
/// A function that debug information does not know, or not by the linker's name, has that of a
/// label; `labels` are in the order of the symbol table.
pub(crate) fn spans<'a>(
    lines: &LineTable,
    functions: &'a FunctionTable,
    labels: Vec<Label<'a>>,
    range: Range<FilePc>,
) -> Vec<Span<'a>> {
    let mut rows = lines.rows_in(&range).iter().peekable();
    let mut intervals = functions.intervals_in(&range).iter().peekable();
    let mut labels = Labels::new(labels);
    let borders = labels.borders();
    let mut borders = borders.iter().peekable();
    let (mut location, mut function) = (None, None);
    let mut spans: Vec<Span<'_>> = Vec::new();
    let mut next = Some(range.start);
    while let Some(address) = next.filter(|address| *address < range.end) {
        while let Some(row) = rows.next_if(|row| row.address <= address) {
            location = row.location;
        }
        while let Some(interval) = intervals.next_if(|interval| interval.start <= address) {
            function = interval.owner.and_then(|id| functions.name(id));
        }
        while borders.next_if(|border| **border <= address).is_some() {}
        let linkage = function.filter(|name: &FunctionName<'_>| name.is_linkage);
        let name = match linkage {
            Some(function) => Some(function.name),
            None => labels.name(address).or(function.map(|name| name.name)),
        };
        if let (Some(function), Some(location)) = (name, location) {
            let span = Span { address, function, location };
            let last = spans.last();
            if last.is_none_or(|last| (last.function, last.location) != (function, location)) {
                spans.push(span);
            }
        }
        let starts = [
            rows.peek().map(|row| row.address),
            intervals.peek().map(|interval| interval.start),
            borders.peek().map(|border| **border),
        ];
        next = starts.into_iter().flatten().min();
    }
    spans
}
