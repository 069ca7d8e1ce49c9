//! The sources, line by line.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::env;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anstyle::Style;
use anyhow::anyhow;
use gmon_analyzer::model::{FileId, FunctionId, FunctionLine};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};
use gmon_analyzer::{Measurement, Model, is_harmful, system_message};

use super::cells::{ASIDE, Cells, NEVER, source};
use super::function::Function;
use super::lines::{FileLines, LineFacts};
use crate::named::name_of;
use crate::naming::Naming;
use crate::say;
use crate::source::Source;
use crate::text::{counted, grouped};

/// Number of calls or copies below a line.
const MOST_ASIDES: usize = 8;

/// Writes sources with what is known of them.
pub(super) struct Listing<'a> {
    pub(super) model: &'a Model,
    /// The program and its data, unless the profile was exported.
    pub(super) measurement: Option<&'a Measurement>,
    pub(super) files: BTreeMap<FileId, FileLines<'a>>,
    pub(super) naming: Naming,
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

impl<'a> Listing<'a> {
    /// All files, the one with the most samples first. Those of libraries are left out if they are not here.
    pub(super) fn files(&self) -> Vec<Table> {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_cached_key(|(_, file)| Reverse(file.samples()));
        let mut tables = Vec::new();
        for (&id, file) in files {
            let path = self.path(id);
            let is_here = || Source::read(path.as_bytes(), &self.folders).is_ok();
            if !file.is_of_program && !is_here() {
                continue;
            }
            let name = shown(path);
            let rows = self.lines(path, &file.lines, None);
            let mut table = Table { last: name.clone(), rows, ..self.cells.table(COLUMNS) };
            table.rows.push(self.totals(&name, file.lines.values(), file.samples()));
            tables.push(table);
        }
        tables
    }

    /// The path of a file.
    pub(super) fn path(&self, file: FileId) -> &'a str {
        &self.model.files[file.index()]
    }

    /// The reason why there are no files.
    pub(super) fn why_empty(&self) -> String {
        let has_lines = match self.measurement {
            Some(measurement) => measurement.program().has_line_numbers(),
            None => !self.model.files.is_empty(),
        };
        let why = match has_lines {
            true => {
                "no line was sampled or called from a line, so there is nothing to show; \
                 a longer run, or one with GMON_OPTIONS=hz=1000, has samples"
            }
            false => "no lines are known; compile with -g",
        };
        format!("{}: {why}", printable(&self.model.program))
    }

    /// A function, whose samples by line are known: its source, and the lines of what was inlined into it. Nothing if neither
    /// is known.
    pub(super) fn function(&self, function: &Function, samples: &[FunctionLine]) -> Option<Table> {
        let path = &*function.file;
        let file = self.model.files.iter().position(|known| known == path);
        let file = file.and_then(|at| u32::try_from(at).ok()).map(FileId);
        let known = file.and_then(|file| self.files.get(&file));
        let is_its = |line: &&FunctionLine| Some(line.function) == function.id;
        let (mut inside, mut outside) = (BTreeMap::new(), BTreeMap::new());
        for line in samples.iter().filter(is_its) {
            match line.line.filter(|it| line.file == file && function.lines.contains(it)) {
                Some(number) => *inside.entry(number).or_default() += line.samples,
                None => {
                    let inlined = line.written_in.filter(|id| Some(*id) != function.id);
                    let key = (inlined, line.file);
                    let lines: &mut BTreeMap<_, LineFacts<'_>> = outside.entry(key).or_default();
                    lines.entry(line.line).or_default().samples += line.samples;
                }
            }
        }
        if known.is_none() && inside.is_empty() && outside.is_empty() {
            return None;
        }
        let within = known.map(|file| file.lines.range(function.lines.clone()));
        let mut lines: BTreeMap<u32, LineFacts<'_>> = BTreeMap::new();
        for (&number, facts) in within.into_iter().flatten() {
            lines.insert(number, LineFacts { samples: 0, ..facts.clone() });
        }
        for (number, samples) in inside {
            lines.entry(number).or_default().samples = samples;
        }
        let all = lines.values().chain(outside.values().flat_map(BTreeMap::values));
        let sum = all.map(|line| line.samples).sum();
        let (name, source) = (printable(&function.name), shown(path));
        let mut rows = self.lines(path, &lines, Some(function.lines.clone()));
        let mut outside: Vec<_> = outside.into_iter().collect();
        let samples = |lines: &BTreeMap<_, LineFacts<'_>>| -> u64 {
            lines.values().map(|line| line.samples).sum()
        };
        outside.sort_by_cached_key(|(_, lines)| Reverse(samples(lines)));
        for ((inlined, file), lines) in outside {
            self.inlined((inlined, file), &lines, &mut rows);
        }
        rows.push(self.totals(&name, lines.values(), sum));
        let title = format!("{name} in {source}");
        Some(Table { title, last: source, rows, ..self.cells.table(COLUMNS) })
    }

    /// Adds lines that a function has elsewhere, because of what was inlined into it.
    fn inlined(
        &self,
        (function, file): (Option<FunctionId>, Option<FileId>),
        lines: &BTreeMap<Option<u32>, LineFacts<'_>>,
        rows: &mut Vec<Row>,
    ) {
        let path = file.map_or("", |file| self.path(file));
        let name = function.map(|id| name_of(&self.model.functions[id.index()], self.naming));
        let what = match (name, file) {
            (Some(name), Some(_)) => format!("inlined: {name} in {}", shown(path)),
            (Some(name), None) => format!("inlined: {name}"),
            (None, Some(_)) => format!("elsewhere in its code: {}", shown(path)),
            (None, None) => "code without lines".to_owned(),
        };
        rows.push(Row::Remark { text: printable(&what), style: ASIDE });
        let text = Source::read(path.as_bytes(), &self.folders).map_or(Vec::new(), |it| it.lines);
        for (&number, facts) in lines {
            let source = number.and_then(|number| line_of(&text, number));
            self.line((&shown(path), number), Some(facts), source.unwrap_or(""), rows);
        }
    }

    /// The lines of a file, or those in a range.
    fn lines(
        &self,
        path: &str,
        lines: &BTreeMap<u32, LineFacts<'_>>,
        range: Option<RangeInclusive<u32>>,
    ) -> Vec<Row> {
        let (name, text) = (shown(path), self.text(path));
        let mut rows = Vec::new();
        let last = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let range = range.unwrap_or(1..=u32::MAX);
        let of_text = (*range.start()).max(1)..=last.min(*range.end());
        // Where there is no text, as of sources that are not here and far behind `#line`, only what is known is worth a line.
        let without = |it: &u32| range.contains(it) && !of_text.contains(it);
        for number in of_text.clone().chain(lines.keys().copied().filter(without)) {
            let text = line_of(&text, number).unwrap_or("");
            self.line((&name, Some(number)), lines.get(&number), text, &mut rows);
        }
        rows
    }

    /// The text of a file. Warns of one that may have changed, or that cannot be read and is empty here.
    fn text(&self, path: &str) -> Vec<String> {
        let source = match Source::read(path.as_bytes(), &self.folders) {
            Ok(source) => source,
            Err(error) => {
                let reason = system_message(&error);
                say(&anyhow!("{}: {reason}; say where it is with -I FOLDER", shown(path)));
                return Vec::new();
            }
        };
        let (of, built) = self.built(path);
        if source.written.zip(built).is_some_and(|(written, built)| written > built) {
            say(&anyhow!("{} is newer than {of}: its lines may have moved", shown(path)));
        }
        source.lines
    }

    /// The product of a source, and when it was made: the program, or, of code that is made at run time, the profile.
    fn built(&self, path: &str) -> (String, Option<SystemTime>) {
        if self.is_made_at_run_time(path) {
            // Profiles say in which second their program started.
            let end = |start| UNIX_EPOCH + Duration::from_nanos(start) + Duration::from_secs(1);
            return ("the profile".to_owned(), self.model.start_ns.map(end));
        }
        let program = self.measurement.map(|it| it.program().image().path());
        let built = program.and_then(|it| it.metadata().and_then(|it| it.modified()).ok());
        (program.unwrap_or(Path::new("")).display().to_string(), built)
    }

    /// True of a source of an interpreter, or of a compiler that works at run time: their modules are no files.
    fn is_made_at_run_time(&self, path: &str) -> bool {
        let model = self.model;
        let mut functions =
            model.functions.iter().filter(|it| it.file.is_some_and(|file| self.path(file) == path));
        functions.next().is_some_and(|it| model.is_made(it))
    }

    /// Adds a line, and what stands below it.
    fn line(
        &self,
        at: (&str, Option<u32>),
        facts: Option<&LineFacts<'_>>,
        text: &str,
        rows: &mut Vec<Row>,
    ) {
        let (numbers, style) = facts.map_or_else(
            || ([Cell::Unknown, Cell::Unknown, Cell::Unknown], Style::new()),
            |facts| self.cells.values(facts.executions, facts.samples),
        );
        let (file, number) = at;
        let place = [Cell::text(file), Cell::known(number), source(text)];
        let cells =
            numbers.into_iter().chain(place).chain([Cell::Unknown, Cell::Unknown, Cell::Unknown]);
        rows.push(Row::Cells { cells: cells.collect(), style });
        let Some(facts) = facts else { return };
        let calls = facts.calls.iter().map(|&(callee, count)| {
            let name = name_of(&self.model.functions[callee.index()], self.naming);
            (count, [Cell::text(&name), Cell::Unknown, Cell::Unknown])
        });
        asides(at, calls, rows);
        let copies = facts.copies.iter().map(|copy| {
            let call = copy.call_file.map_or_else(String::new, |file| shown(self.path(file)));
            let call = format!("{call}:{}", copy.call_line.unwrap_or(0));
            (copy.executions, [Cell::Unknown, Cell::text(&copy.into), Cell::Text(call)])
        });
        asides(at, copies, rows);
    }

    /// Sums of some lines.
    fn totals<'l>(
        &self,
        name: &str,
        lines: impl Iterator<Item = &'l LineFacts<'l>>,
        samples: u64,
    ) -> Row {
        let mut parts = Vec::new();
        let known: Vec<u64> = lines.filter_map(|line| line.executions).collect();
        let (count, executed) = (known.len(), known.iter().filter(|&&n| n != 0).count());
        if count != 0 {
            let percent = 100.0 * executed as f64 / count as f64;
            let of = counted(count as u64, "line");
            parts.push(format!("{} of {of} executed ({percent:.1} %)", grouped(executed as u64)));
        }
        parts.extend(self.cells.amount(samples));
        let style = if count != 0 && executed == 0 { NEVER } else { Style::new().bold() };
        Row::Remark { text: format!("{name}: {}", parts.join(", ")), style }
    }
}

/// Adds what stands below a line, or as much of it as does not hide the source: counts, and the last three cells.
fn asides(
    (file, number): (&str, Option<u32>),
    asides: impl ExactSizeIterator<Item = (u64, [Cell; 3])>,
    rows: &mut Vec<Row>,
) {
    let more = asides.len().saturating_sub(MOST_ASIDES);
    for (count, cells) in asides.take(MOST_ASIDES) {
        // People see the number of the line above.
        let line = Cell::Said(number.map(f64::from), String::new());
        let place = [Cell::Number(count), Cell::Unknown, Cell::Unknown, Cell::text(file), line];
        let cells = place.into_iter().chain([Cell::Unknown]).chain(cells).collect();
        rows.push(Row::Cells { cells, style: ASIDE });
    }
    if more > 0 {
        let text = format!("{:42}... and {} more", "", grouped(more as u64));
        rows.push(Row::Remark { text, style: ASIDE });
    }
}

/// The text of a line; lines count from 1.
pub(super) fn line_of(text: &[String], number: u32) -> Option<&str> {
    text.get(number.checked_sub(1)? as usize).map(String::as_str)
}

/// The shortest path of a source as seen from the current directory.
pub(super) fn shown(path: &str) -> String {
    let here = env::current_dir().unwrap_or_default();
    let path = Path::new(path);
    printable(&path.strip_prefix(here).unwrap_or(path).display().to_string())
}

/// A text without what could do something to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if is_harmful(c) { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn lines_count_from_1() {
        let text = ["first".to_owned(), "second".to_owned()];
        let lines = [0, 1, 2, 3, u32::MAX].map(|number| line_of(&text, number));
        assert_eq!(lines, [None, Some("first"), Some("second"), None, None]);
    }
}
