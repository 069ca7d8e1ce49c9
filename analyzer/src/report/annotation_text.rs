//! Source files with counts beside their lines, as `gprof -A` writes them.

use std::io::{self, Write};

use gmon_format::FilePc;

use super::annotation::{AnnotatedFile, AnnotatedLine};
use crate::symbols::SymbolTable;

/// Columns before a line of the source.
const MARGIN: usize = 16;
/// Before a line without counts.
const EMPTY_MARGIN: [u8; MARGIN] = [b' '; MARGIN];

/// Style of annotated sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotationStyle {
    /// Every line with code has a count, if need be that of the line before it.
    pub all_lines: bool,
    /// Lines that were executed less often are marked.
    pub min_count: u64,
    /// The number of lines in the table of the busiest; 0 for no table.
    pub table_length: u32,
}

/// Writes one source file after the other.
#[derive(Debug)]
pub struct AnnotationWriter<'a> {
    symbols: &'a SymbolTable,
    style: AnnotationStyle,
    /// The last count that was met, even in another file.
    last: u64,
}

/// Lines of one file.
#[derive(Default)]
struct Totals {
    /// Lines of the source that have code.
    executable: u64,
    /// Lines that got a count or a mark.
    executed: u64,
}

impl<'a> AnnotationWriter<'a> {
    /// Starts with no count.
    #[must_use]
    pub fn new(symbols: &'a SymbolTable, style: AnnotationStyle) -> Self {
        Self { symbols, style, last: 0 }
    }

    /// Writes the bytes of a source file with what was counted in it, and a summary.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(
        &mut self,
        out: &mut impl Write,
        file: &AnnotatedFile<'_>,
        source: &[u8],
    ) -> io::Result<()> {
        let mut totals = Totals::default();
        for (text, number) in source.split_inclusive(|&byte| byte == b'\n').zip(1..) {
            match file.lines.get(&number) {
                Some(line) => self.write_margin(out, line, &mut totals)?,
                None => out.write_all(&EMPTY_MARGIN)?,
            }
            out.write_all(text)?;
        }
        self.write_busiest(out, file)?;
        write_summary(out, file, &totals)
    }

    fn write_margin(
        &mut self,
        out: &mut impl Write,
        line: &AnnotatedLine<'_>,
        totals: &mut Totals,
    ) -> io::Result<()> {
        totals.executable += 1;
        let Some((counts, sum)) = self.counts(line) else { return out.write_all(&EMPTY_MARGIN) };
        totals.executed += 1;
        let is_rare = sum < self.style.min_count;
        let counts = if is_rare { "#####" } else { &counts };
        let margin = format!("{:>MARGIN$}", format!("{counts} -> "));
        // What is too long loses its end.
        out.write_all(&margin.as_bytes()[..MARGIN])
    }

    /// The counts of a line, and their sum; none if nothing counts it.
    fn counts(&mut self, line: &AnnotatedLine<'_>) -> Option<(String, u64)> {
        let symbol = self.symbols.get(line.symbol);
        let all_lines = self.style.all_lines;
        let mut shown = None;
        let mut sum = 0_u64;
        if symbol.is_function {
            self.last = line.calls;
            shown = Some(self.last);
        } else if all_lines && begins_before_blocks(line, symbol.address) {
            shown = Some(self.last);
        }
        sum = sum.saturating_add(shown.unwrap_or(0));
        let mut counts: Vec<u64> = shown.into_iter().collect();
        for block in line.blocks {
            self.last = block.count;
            sum = sum.saturating_add(block.count);
            if !all_lines || shown != Some(block.count) {
                shown = Some(block.count);
                counts.push(block.count);
            }
        }
        if all_lines && counts.is_empty() {
            sum = self.last;
            counts.push(self.last);
        }
        let text: Vec<String> = counts.iter().map(u64::to_string).collect();
        (!text.is_empty()).then(|| (text.join(","), sum))
    }

    fn write_busiest(&self, out: &mut impl Write, file: &AnnotatedFile<'_>) -> io::Result<()> {
        if self.style.table_length == 0 {
            return Ok(());
        }
        let length = self.style.table_length;
        write!(out, "\n\nTop {length} Lines:\n\n     Line      Count\n\n")?;
        for (line, calls) in file.busiest().into_iter().take(length as usize) {
            writeln!(out, "{line:9} {calls:10}")?;
        }
        Ok(())
    }
}

/// Returns `true` if a line begins in the block before its first. GNU gprof says so of every line
/// with code in several places.
fn begins_before_blocks(line: &AnnotatedLine<'_>, address: FilePc) -> bool {
    line.blocks.first().is_some_and(|block| line.is_scattered || block.pc > address)
}

fn write_summary(
    out: &mut impl Write,
    file: &AnnotatedFile<'_>,
    totals: &Totals,
) -> io::Result<()> {
    let &Totals { executable, executed } = totals;
    let (lines, calls) = (executable as f64, file.calls as f64);
    let (percent, average) = match executable {
        0 => (100.0, 0.0),
        _ => (100.0 * executed as f64 / lines, calls / lines),
    };
    write!(
        out,
        "\nExecution Summary:\n\n\
         {executable:9}   Executable lines in this file\n\
         {executed:9}   Lines executed\n\
         {percent:9.2}   Percent of the file executed\n\
         \n\
         {:9}   Total number of line executions\n\
         {average:9.2}   Average executions per line\n",
        file.calls
    )
}
