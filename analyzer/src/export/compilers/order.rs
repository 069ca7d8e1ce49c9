//! In which order a linker should put functions, so that what runs together lies together: fewer pages are read when the
//! program starts.
//!
//! First come functions in the order of their first calls, if the profile has it; then those that were only counted,
//! next to those that call them. What never ran is left to the linker. Names are the linker's.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Write};

use gmon_format::hooks::EXTERNAL_CALLER;

use crate::analysis::function_order;
use crate::export::format::{FileNames, Format, Need, Writer};
use crate::measurement::Measurement;
use crate::records::CodePlace;
use crate::symbols::SymbolId;
use crate::totals::add;

pub(in crate::export) const SYMBOLS: Format = Format {
    name: "symbol-order",
    help: "the order of first calls: lld's --symbol-ordering-file",
    files: FileNames::ending(".symbol-order"),
    needs: &[Need::Calls],
    choices: &[],
    writer: Writer::OfMeasurement(|it, out| FunctionOrder::measured(it).write_symbols(out)),
};

pub(in crate::export) const SECTIONS: Format = Format {
    name: "section-order",
    help: "the same for gold's --section-ordering-file",
    files: FileNames::ending(".section-order"),
    writer: Writer::OfMeasurement(|it, out| FunctionOrder::measured(it).write_sections(out)),
    ..SYMBOLS
};

pub(in crate::export) const CALL_GRAPH: Format = Format {
    name: "call-graph-order",
    help: "calls between functions: lld's --call-graph-ordering-file",
    files: FileNames::ending(".call-graph-order"),
    writer: Writer::OfMeasurement(call_graph),
    ..SYMBOLS
};

pub(in crate::export) const SCRIPT: Format = Format {
    name: "script-order",
    help: "the same as a script for GNU ld: -Wl,-T,FILE",
    files: FileNames::ending(".script-order"),
    writer: Writer::OfMeasurement(|it, out| FunctionOrder::measured(it).write_script(out)),
    ..SYMBOLS
};

/// The functions that ran, by the names that linkers know, in the order that a linker should give them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionOrder(Vec<Vec<u8>>);

/// Beginnings of the names of sections that functions are in. Compilers that have a profile put hot and cold ones into sections of
/// other names, and gcc does so with what runs at the start by itself.
const SECTION_NAMES: [&str; 4] = [".text.hot.", ".text.", ".text.startup.", ".text.unlikely."];

impl FunctionOrder {
    /// The order of a measurement's functions.
    #[must_use]
    pub fn measured(measurement: &Measurement) -> Self {
        let symbols = measurement.program().symbols();
        let mut this = Self::default();
        // Functions of several files may have one name, for which a linker takes one of them or all.
        this.extend(order(measurement).into_iter().map(|id| symbols.get(id).name.to_vec()));
        this
    }

    /// Puts the functions of another program, which are not in it, behind its own.
    pub fn add(&mut self, other: Self) {
        self.extend(other.0);
    }

    /// Returns `true` if no function is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of functions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn extend(&mut self, names: impl IntoIterator<Item = Vec<u8>>) {
        let mut known: HashSet<Vec<u8>> = self.0.iter().cloned().collect();
        // A line is a function.
        let names = names.into_iter().filter(|name| !name.contains(&b'\n'));
        self.0.extend(names.filter(|name| known.insert(name.clone())));
    }

    /// Writes a line for each function, as lld reads it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_symbols(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.iter().try_for_each(|name| line("", name, "", out))
    }

    /// Writes lines for the sections that each function may be in, as gold reads them.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_sections(&self, out: &mut dyn Write) -> io::Result<()> {
        self.sections("", "", out)
    }

    /// Writes a script that adds to the linker's own. GNU ld puts what a script names first, in its order, into a section
    /// before all other code.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_script(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "SECTIONS\n{{\n  .text.ordered :\n  {{")?;
        self.sections("    *(\"", "\")", out)?;
        writeln!(out, "  }}\n}}\nINSERT BEFORE .text;")
    }

    fn sections(&self, before: &str, after: &str, out: &mut dyn Write) -> io::Result<()> {
        for name in &self.0 {
            for section in SECTION_NAMES {
                line(&[before, section].concat(), name, after, out)?;
            }
        }
        Ok(())
    }
}

fn line(before: &str, name: &[u8], after: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&[before.as_bytes(), name, after.as_bytes(), b"\n"].concat())
}

/// The functions that were called, each once, as the linker knows them: copies of one are several.
fn order(measurement: &Measurement) -> Vec<SymbolId> {
    let (symbols, full) = (measurement.program().symbols(), measurement.records().full());
    let graph = measurement.graph();
    let of_place = |place| match place {
        CodePlace::Module(module, pc) if full.program() == Some(module) => symbols.find(pc),
        _ => None,
    };
    let mut called: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
    for arc in measurement.records().arcs().iter().filter(|arc| arc.count != 0) {
        if let Some(id) = symbols.find_function(arc.self_pc) {
            called.entry(symbols.owner(id)).or_default().insert(id);
        }
    }
    let arcs = graph.profile().arcs();
    let arcs_of = |id| arcs.children(id).chain(arcs.parents(id).iter().copied()).collect();
    let by_first_call = full.first_calls().into_iter().filter_map(of_place);
    let counted = function_order(graph, arcs_of).into_iter();
    let counted = counted.filter_map(|id| called.get(&id)).flatten().copied();
    let mut known = HashSet::new();
    by_first_call.chain(counted).filter(|id| known.insert(*id)).collect()
}

/// Writes a line for each pair of functions: caller, callee, calls. lld splits them at each blank, and refuses the file if there
/// are more words, so names with blanks are left out.
fn call_graph(measurement: &Measurement, out: &mut dyn Write) -> io::Result<()> {
    let symbols = measurement.program().symbols();
    let mut counts: BTreeMap<(&[u8], &[u8]), u64> = BTreeMap::new();
    for arc in measurement.records().arcs().iter().filter(|arc| arc.count != 0) {
        let ends = symbols.find_caller(arc.from_pc).zip(symbols.find_function(arc.self_pc));
        let names =
            ends.map(|(caller, callee)| (symbols.get(caller).name, symbols.get(callee).name));
        let is_word = |name: &[u8]| !name.iter().any(u8::is_ascii_whitespace);
        let names = names.filter(|(caller, callee)| {
            *caller != EXTERNAL_CALLER.as_bytes() && is_word(caller) && is_word(callee)
        });
        if let Some(names) = names {
            add(counts.entry(names).or_default(), arc.count);
        }
    }
    for ((caller, callee), count) in counts {
        out.write_all(&[caller, b" ", callee, format!(" {count}\n").as_bytes()].concat())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_lines_is_no_two_functions() {
        let mut order = FunctionOrder::default();
        order.extend([&b"one"[..], b"two\nthree", b"four"].map(<[u8]>::to_vec));
        let mut text = Vec::new();
        order.write_symbols(&mut text).unwrap();
        assert_eq!((order.len(), &text[..]), (2, &b"one\nfour\n"[..]));
    }
}
