//! The sources, line by line.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::ops::{Add, RangeInclusive};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anstyle::Style;
use gmon_analyzer::analysis::{FileCosts, InlinedAt, LineCosts, SourceCosts};
use gmon_analyzer::{Names, Program, is_harmful, system_message};

use super::cells::{ASIDE, Cells, NEVER};
use super::function::Function;
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

impl Listing<'_> {
    /// All files, the one with the most samples first.
    pub(super) fn files(&self, out: &mut impl Write) -> io::Result<()> {
        let mut files: Vec<(&Box<[u8]>, &FileCosts)> = self.costs.files().iter().collect();
        files.sort_by(|(_, a), (_, b)| b.ticks().total_cmp(&a.ticks()));
        if files.is_empty() {
            let program = self.program.image().path().display();
            let has_lines = self.program.has_line_numbers();
            let why = match has_lines {
                true => {
                    "no line was sampled or called from a line, so there is nothing to show; \
                         a longer run, or one with GMON_OPTIONS=hz=1000, has samples"
                }
                false => "no lines are known; compile with -g",
            };
            return writeln!(out, "{program}: {why}");
        }
        for (number, (path, file)) in files.into_iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            self.lines(path, file, None, out)?;
            self.summary(path, file, out)?;
        }
        Ok(())
    }

    /// A function.
    pub(super) fn function(&self, function: &Function, out: &mut impl Write) -> io::Result<()> {
        let Some(file) = self.costs.files().get(&function.file[..]) else { return Ok(()) };
        writeln!(out, "{} in {}", printable(&function.name), shown(&function.file))?;
        self.lines(&function.file, file, Some(function.lines.clone()), out)?;
        let lines = file.lines.range(function.lines.clone()).map(|(_, line)| line);
        self.totals(&printable(&function.name), lines, out)
    }

    /// The lines of a file, or those in a range.
    fn lines(
        &self,
        path: &[u8],
        file: &FileCosts,
        range: Option<RangeInclusive<u32>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let bold = Style::new().bold();
        let text = self.text(path, out)?;
        writeln!(out, "{bold}{} {:>6}  {}{bold:#}", self.cells.heading(), "line", shown(path))?;
        let last = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let last = last.max(file.lines.last_key_value().map_or(0, |(&line, _)| line));
        let range = range.unwrap_or(1..=last);
        for number in range {
            let costs = file.lines.get(&number);
            match text.get(number as usize - 1) {
                Some(text) => self.line(number, costs, text, out)?,
                // Of a source that is not there, only what is known is worth a line.
                None if costs.is_some() => self.line(number, costs, "", out)?,
                None => {}
            }
        }
        Ok(())
    }

    /// The text of a file. Warns of one that may have changed, or that cannot be read and is empty here.
    fn text(&self, path: &[u8], out: &mut impl Write) -> io::Result<Vec<String>> {
        let source = match Source::read(path, &self.folders) {
            Ok(source) => source,
            Err(error) => {
                let reason = system_message(&error);
                let remedy = "say where it is with -I FOLDER";
                writeln!(out, "{ASIDE}{}: {reason}; {remedy}{ASIDE:#}", shown(path))?;
                return Ok(Vec::new());
            }
        };
        let program = self.program.image().path();
        let built = program.metadata().and_then(|metadata| metadata.modified()).ok();
        if source.written.zip(built).is_some_and(|(written, built)| written > built) {
            let (path, program) = (shown(path), program.display());
            let doubt = "its lines may have moved";
            writeln!(out, "{ASIDE}{path} is newer than {program}: {doubt}{ASIDE:#}")?;
        }
        Ok(source.lines)
    }

    fn line(
        &self,
        number: u32,
        costs: Option<&LineCosts>,
        text: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (cells, style) = self.cells.line(costs);
        let before = format!("{cells} {number:>6}  ");
        let text = self.cells.clip(text, before.len());
        let line = format!("{before}{text}");
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
        let Some(costs) = costs else { return Ok(()) };
        let calls = costs.calls.iter().map(|&(callee, count)| {
            let name = String::from_utf8_lossy(self.names.plain(callee));
            (Some(count), format!("-> {name}"))
        });
        self.asides(calls, out)?;
        // Copies of one line in one place are of several functions.
        let mut copies: BTreeMap<&InlinedAt, u64> = BTreeMap::new();
        for (place, count) in &costs.copies {
            let sum = copies.entry(place).or_default();
            *sum = sum.saturating_add(*count);
        }
        let copies = copies.into_iter().map(|(place, count)| {
            let InlinedAt { function, file, line } = place;
            let function = self.names.readable(function);
            let function = String::from_utf8_lossy(&function);
            (Some(count), format!("in {function}, inlined at {}:{line}", shown(file)))
        });
        self.asides(copies, out)
    }

    /// Writes what stands below a line, or as much of it as does not hide the source.
    fn asides(
        &self,
        asides: impl ExactSizeIterator<Item = (Option<u64>, String)>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let more = asides.len().saturating_sub(MOST_ASIDES);
        for (count, text) in asides.take(MOST_ASIDES) {
            let before = format!("{} {:>6}    ", self.cells.aside(count), "");
            let text = self.cells.clip(&text, before.len());
            writeln!(out, "{ASIDE}{before}{text}{ASIDE:#}")?;
        }
        if more > 0 {
            let blank = self.cells.blank();
            writeln!(
                out,
                "{ASIDE}{blank} {:>6}    ... and {} more{ASIDE:#}",
                "",
                grouped(more as u64)
            )?;
        }
        Ok(())
    }

    fn summary(&self, path: &[u8], file: &FileCosts, out: &mut impl Write) -> io::Result<()> {
        self.totals(&shown(path), file.lines.values(), out)
    }

    /// Sums of some lines.
    fn totals<'l>(
        &self,
        name: &str,
        lines: impl Iterator<Item = &'l LineCosts> + Clone,
        out: &mut impl Write,
    ) -> io::Result<()> {
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
        writeln!(out, "{style}{name}: {}{style:#}", parts.join(", "))
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
