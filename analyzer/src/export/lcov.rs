//! The tracefile of `lcov`, which `genhtml` and many services show: see geninfo(1), "FILES".

use std::io::{self, Write};

use super::format::{FileNames, Format, Need, Writer};
use crate::analysis::FileCosts;
use crate::measurement::Measurement;
use crate::symbols::SymbolTable;

pub(super) const FORMAT: Format = Format {
    name: "lcov",
    help: "executions of lines and functions, for genhtml and others",
    files: FileNames::ending(".info"),
    needs: &[Need::BlockCounts],
    choices: &[],
    writer: Writer::OfCounts(write),
};

/// Writes the executions of lines and functions. Files without any are left out.
fn write(measurement: &Measurement, out: &mut dyn Write) -> io::Result<()> {
    let costs = measurement.source_costs().map_err(io::Error::other)?;
    let symbols = measurement.program().symbols();
    for (path, file) in costs.files() {
        let (known, executed) = file.executed_of();
        if known == 0 {
            continue;
        }
        write!(out, "TN:\nSF:")?;
        out.write_all(path)?;
        writeln!(out)?;
        functions(file, symbols, out)?;
        for (number, line) in &file.lines {
            if let Some(executions) = line.executions {
                writeln!(out, "DA:{number},{executions}")?;
            }
        }
        writeln!(out, "LF:{known}\nLH:{executed}\nend_of_record")?;
    }
    Ok(())
}

/// Writes the functions by the names that the linker knows; readers can demangle them.
fn functions(file: &FileCosts, symbols: &SymbolTable, out: &mut dyn Write) -> io::Result<()> {
    let known = file.functions.iter().filter_map(|start| {
        let name = symbols.get(start.function).name;
        Some((start.line, name, start.entries?))
    });
    for (line, name, _) in known.clone() {
        write!(out, "FN:{line},")?;
        out.write_all(name)?;
        writeln!(out)?;
    }
    for (_, name, entries) in known.clone() {
        write!(out, "FNDA:{entries},")?;
        out.write_all(name)?;
        writeln!(out)?;
    }
    let entered = known.clone().filter(|(_, _, entries)| *entries != 0).count();
    writeln!(out, "FNF:{}\nFNH:{entered}", known.count())
}
