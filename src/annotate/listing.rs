//! The sources, line by line.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::ops::{Add, RangeInclusive};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::anyhow;
use gmon_analyzer::analysis::{FileCosts, InlinedAt, LineCosts, SourceCosts};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};
use gmon_analyzer::{Names, Program, is_harmful, system_message};

use super::cells::{ASIDE, Cells, NEVER, source};
use super::function::Function;
use crate::say;
use crate::source::Source;
use crate::text::{counted, grouped};

/// Number of calls or copies below a line.
const MOST_ASIDES: usize = 8;

/// Writes sources with what is known of them.
pub(super) struct Listing<'a> {
    pub(super) program: &'a Program,
    pub(super) costs: &'a SourceCosts,
    pub(super) names: Names<'a>,
    pub(super) cells: Cells,
    /// Other folders of sources.
    pub(super) folders: Vec<PathBuf>,
}

const COLUMNS: &[Column] = &[
    Column::number("executions", Unit::Count, 14),
    Column::number("self", Unit::Time, 9).headed("{}"),
    Column::number("self", Unit::Percent, 6).headed("%"),
    Column::text("file", Placing::Nowhere),
    Column::number("line", Unit::None, 6),
    Column::text("source", Placing::Last),
    // In rows below a line, whose executions are those of a call or of a copy.
    Column::text("callee", Placing::Under("-> ")),
    Column::text("inlined_into", Placing::Under("in ")),
    Column::text("inlined_at", Placing::Joined(", inlined at ")),
];

impl Listing<'_> {
    /// All files, the one with the most samples first.
    pub(super) fn files(&self) -> Vec<Table> {
        let files = self.costs.files().iter().map(|(path, file)| (&**path, file));
        let mut files: Vec<(&[u8], &FileCosts)> = files.collect();
        files.sort_by(|(_, a), (_, b)| b.ticks().total_cmp(&a.ticks()));
        let table = |(path, file): (&[u8], &FileCosts)| {
            let mut table = self.lines(path, file, None);
            table.rows.push(self.totals(&shown(path), file.lines.values()));
            table
        };
        files.into_iter().map(table).collect()
    }

    /// The reason why there are no files.
    pub(super) fn why_empty(&self) -> String {
        let why = match self.program.has_line_numbers() {
            true => {
                "no line was sampled or called from a line, so there is nothing to show; \
                 a longer run, or one with GMON_OPTIONS=hz=1000, has samples"
            }
            false => "no lines are known; compile with -g",
        };
        format!("{}: {why}", self.program.image().path().display())
    }

    /// A function; nothing if its file has no costs.
    pub(super) fn function(&self, function: &Function) -> Option<Table> {
        let file = self.costs.files().get(&function.file[..])?;
        let mut table = self.lines(&function.file, file, Some(function.lines.clone()));
        table.title = format!("{} in {}", printable(&function.name), shown(&function.file));
        let lines = file.lines.range(function.lines.clone()).map(|(_, line)| line);
        table.rows.push(self.totals(&printable(&function.name), lines));
        Some(table)
    }

    /// The lines of a file, or those in a range.
    fn lines(&self, path: &[u8], file: &FileCosts, range: Option<RangeInclusive<u32>>) -> Table {
        let (name, text) = (shown(path), self.text(path));
        let mut rows = Vec::new();
        let last = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let last = last.max(file.lines.last_key_value().map_or(0, |(&line, _)| line));
        for number in range.unwrap_or(1..=last) {
            let costs = file.lines.get(&number);
            let text = text.get(number as usize - 1);
            // Of a source that is not there, only what is known is worth a line.
            if text.is_some() || costs.is_some() {
                let text = text.map_or("", String::as_str);
                self.line((&name, number), costs, text, &mut rows);
            }
        }
        Table { last: name, rows, ..self.cells.table(COLUMNS) }
    }

    /// The text of a file. Warns of one that may have changed, or that cannot be read and is empty here.
    fn text(&self, path: &[u8]) -> Vec<String> {
        let source = match Source::read(path, &self.folders) {
            Ok(source) => source,
            Err(error) => {
                let reason = system_message(&error);
                say(&anyhow!("{}: {reason}; say where it is with -I FOLDER", shown(path)));
                return Vec::new();
            }
        };
        let program = self.program.image().path();
        let built = program.metadata().and_then(|metadata| metadata.modified()).ok();
        if source.written.zip(built).is_some_and(|(written, built)| written > built) {
            let (path, program) = (shown(path), program.display());
            say(&anyhow!("{path} is newer than {program}: its lines may have moved"));
        }
        source.lines
    }

    /// Adds a line, and what stands below it.
    fn line(&self, at: (&str, u32), costs: Option<&LineCosts>, text: &str, rows: &mut Vec<Row>) {
        let (numbers, style) = costs.map_or_else(
            || ([Cell::Unknown, Cell::Unknown, Cell::Unknown], Style::new()),
            |costs| self.cells.values(costs),
        );
        let (file, number) = at;
        let place = [Cell::text(file), Cell::Number(number.into()), source(text)];
        let cells =
            numbers.into_iter().chain(place).chain([Cell::Unknown, Cell::Unknown, Cell::Unknown]);
        rows.push(Row::Cells { cells: cells.collect(), style });
        let Some(costs) = costs else { return };
        let calls = costs.calls.iter().map(|&(callee, count)| {
            let name = String::from_utf8_lossy(self.names.plain(callee));
            (count, [Cell::text(&name), Cell::Unknown, Cell::Unknown])
        });
        asides(at, calls, rows);
        // Copies of one line in one place are of several functions.
        let mut copies: BTreeMap<&InlinedAt, u64> = BTreeMap::new();
        for (place, count) in &costs.copies {
            let sum = copies.entry(place).or_default();
            *sum = sum.saturating_add(*count);
        }
        let copies = copies.into_iter().map(|(place, count)| {
            let InlinedAt { function, file, line } = place;
            let function = self.names.readable(function);
            let function = Cell::text(&String::from_utf8_lossy(&function));
            (count, [Cell::Unknown, function, Cell::Text(format!("{}:{line}", shown(file)))])
        });
        asides(at, copies, rows);
    }

    /// Sums of some lines.
    fn totals<'l>(&self, name: &str, lines: impl Iterator<Item = &'l LineCosts> + Clone) -> Row {
        let mut parts = Vec::new();
        let known = lines.clone().filter_map(|line| line.executions);
        let (count, executed) = (known.clone().count(), known.filter(|&n| n != 0).count());
        if count != 0 {
            let percent = 100.0 * executed as f64 / count as f64;
            let of = counted(count as u64, "line");
            parts.push(format!("{} of {of} executed ({percent:.1} %)", grouped(executed as u64)));
        }
        parts.extend(self.cells.amount(lines.map(|line| line.ticks).fold(0.0, f64::add)));
        let style = if count != 0 && executed == 0 { NEVER } else { Style::new().bold() };
        Row::Remark { text: format!("{name}: {}", parts.join(", ")), style }
    }
}

/// Adds what stands below a line, or as much of it as does not hide the source: counts, and the last three cells.
fn asides(
    (file, number): (&str, u32),
    asides: impl ExactSizeIterator<Item = (u64, [Cell; 3])>,
    rows: &mut Vec<Row>,
) {
    let more = asides.len().saturating_sub(MOST_ASIDES);
    for (count, cells) in asides.take(MOST_ASIDES) {
        // People see the number of the line above.
        let line = Cell::Said(Some(number.into()), String::new());
        let place = [Cell::Number(count), Cell::Unknown, Cell::Unknown, Cell::text(file), line];
        let cells = place.into_iter().chain([Cell::Unknown]).chain(cells).collect();
        rows.push(Row::Cells { cells, style: ASIDE });
    }
    if more > 0 {
        let text = format!("{:42}... and {} more", "", grouped(more as u64));
        rows.push(Row::Remark { text, style: ASIDE });
    }
}

/// The shortest path of a source as seen from the current directory.
pub(super) fn shown(path: &[u8]) -> String {
    let here = env::current_dir().unwrap_or_default();
    let path = Path::new(OsStr::from_bytes(path));
    printable(&path.strip_prefix(here).unwrap_or(path).display().to_string())
}

/// A text without what could do something to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if is_harmful(c) { '?' } else { c }).collect()
}
