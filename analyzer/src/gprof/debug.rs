//! Output of `-d`: the results of the stages of a run, in words of our own.
//!
//! The numbers of the kinds are GNU gprof's, which also reports each step on the way. Addresses are
//! hexadecimal, times are in ticks, names are those of the linker.

use std::io::{self, Write};

use crate::analysis::CallGraph;
use crate::profile::Profile;
use crate::selection::{Filter, Selections, Verdict};
use crate::symbols::{SymbolId, SymbolTable};

/// The members of cycles.
const CYCLES: u32 = 2 | 4;
/// The arcs between functions.
const ARCS: u32 = 16;
/// The ticks of each function.
const SAMPLES: u32 = 64;
/// The symbol table.
const SYMBOLS: u32 = 128;
/// Time that each arc passes on.
const PROPAGATION: u32 = 1024;
/// Selections of symspecs.
const SYMSPECS: u32 = 4096;

/// Prints the results that the user asked for.
pub(super) struct Debug<'w, W> {
    /// A sum of kinds.
    mask: u32,
    out: &'w mut W,
}

impl<'w, W: Write> Debug<'w, W> {
    pub(super) fn new(mask: u32, out: &'w mut W) -> Self {
        Self { mask, out }
    }

    fn tells(&self, kind: u32) -> bool {
        self.mask & kind != 0
    }

    pub(super) fn symbols(&mut self, symbols: &SymbolTable) -> io::Result<()> {
        if !self.tells(SYMBOLS) {
            return Ok(());
        }
        symbols.symbols().try_for_each(|symbol| {
            let scope = if symbol.is_static { "static" } else { "global" };
            let kind = if symbol.is_function { "function" } else { "label" };
            write!(self.out, "[symbol] {:x}-{:x} {scope} {kind} ", symbol.address, symbol.end)?;
            self.end_with(symbol.name)
        })
    }

    pub(super) fn selections(
        &mut self,
        selections: &Selections,
        symbols: &SymbolTable,
    ) -> io::Result<()> {
        if !self.tells(SYMSPECS) {
            return Ok(());
        }
        for symspec in &selections.unmatched {
            writeln!(self.out, "[symspec] there is no {}", symspec.what())?;
        }
        for (report, filter) in [
            ("flat profile", &selections.flat),
            ("call graph", &selections.graph),
            ("time", &selections.time),
            ("execution counts", &selections.exec_counts),
            ("annotated source", &selections.annotated_source),
        ] {
            self.filter(report, filter, symbols)?;
        }
        Ok(())
    }

    fn filter(&mut self, report: &str, filter: &Filter, symbols: &SymbolTable) -> io::Result<()> {
        symbols.ids().filter(|&id| !filter.accepts(id)).try_for_each(|id| {
            let verdict = match filter.verdict(id) {
                Verdict::Rejected => "without",
                _ => "only if inherited:",
            };
            write!(self.out, "[symspec] {report}: {verdict} ")?;
            self.end_with(symbols.get(id).name)
        })
    }

    pub(super) fn profile(&mut self, profile: &Profile) -> io::Result<()> {
        if !self.tells(ARCS) {
            return Ok(());
        }
        profile.arcs().list().iter().try_for_each(|arc| {
            self.pair("arc", profile.symbols(), arc.caller, arc.callee)?;
            writeln!(self.out, ": {}", arc.count)
        })
    }

    pub(super) fn graph(&mut self, graph: &CallGraph) -> io::Result<()> {
        let symbols = graph.profile().symbols();
        if self.tells(SAMPLES) {
            for id in symbols.ids().filter(|&id| graph.function(id).time != 0.0) {
                write!(self.out, "[sample] {} ticks: ", graph.function(id).time)?;
                self.end_with(symbols.get(id).name)?;
            }
        }
        if self.tells(CYCLES) {
            for cycle in graph.cycles() {
                for &member in graph.members(cycle) {
                    write!(self.out, "[cycle] {}: ", cycle.number())?;
                    self.end_with(symbols.get(member).name)?;
                }
            }
        }
        if self.tells(PROPAGATION) {
            for arc in graph.arcs() {
                self.pair("propagation", symbols, arc.arc.caller, arc.arc.callee)?;
                writeln!(self.out, ": {} and {} ticks of children", arc.own, arc.children)?;
            }
        }
        Ok(())
    }

    fn end_with(&mut self, name: &[u8]) -> io::Result<()> {
        self.out.write_all(name)?;
        self.out.write_all(b"\n")
    }

    fn pair(
        &mut self,
        kind: &str,
        symbols: &SymbolTable,
        caller: SymbolId,
        callee: SymbolId,
    ) -> io::Result<()> {
        write!(self.out, "[{kind}] ")?;
        self.out.write_all(symbols.get(caller).name)?;
        self.out.write_all(b" to ")?;
        self.out.write_all(symbols.get(callee).name)
    }
}
