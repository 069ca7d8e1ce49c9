//! In which order a linker should put functions, so that what runs together lies together: fewer pages are read when the
//! program starts.
//!
//! First come functions in the order of their first calls, if the profile has it; then those that were only counted,
//! next to those that call them. What never ran is left to the linker. Names are the linker's.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use crate::analysis::function_order;
use crate::export::format::{FileNames, Format, Need, Writer};
use crate::measurement::Measurement;
use crate::model::EXTERNAL_CALLER;
use crate::records::CodePlace;
use crate::symbols::SymbolId;

pub(in crate::export) const SYMBOLS: Format = Format {
    name: "symbol-order",
    help: "the order of first calls: lld's --symbol-ordering-file",
    files: FileNames::ending(".symbol-order"),
    needs: &[Need::Calls],
    choices: &[],
    writer: Writer::OfMeasurement(symbols),
};

pub(in crate::export) const SECTIONS: Format = Format {
    name: "section-order",
    help: "the same for gold's --section-ordering-file",
    files: FileNames::ending(".section-order"),
    needs: &[Need::Calls],
    choices: &[],
    writer: Writer::OfMeasurement(sections),
};

pub(in crate::export) const CALL_GRAPH: Format = Format {
    name: "call-graph-order",
    help: "calls between functions: lld's --call-graph-ordering-file",
    files: FileNames::ending(".call-graph-order"),
    needs: &[Need::Calls],
    choices: &[],
    writer: Writer::OfMeasurement(call_graph),
};

fn symbols(measurement: &Measurement, out: &mut dyn Write) -> io::Result<()> {
    lines(measurement, b"", out)
}

fn sections(measurement: &Measurement, out: &mut dyn Write) -> io::Result<()> {
    lines(measurement, b".text.", out)
}

/// Writes a line for each function that ran.
fn lines(measurement: &Measurement, prefix: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let symbols = measurement.program().symbols();
    let mut written = HashSet::new();
    for function in order(measurement) {
        let name = symbols.get(function).name;
        // Functions of several files may have one name, for which a linker takes one of them or all.
        if written.insert(name) {
            out.write_all(&[prefix, name, b"\n"].concat())?;
        }
    }
    Ok(())
}

/// The functions that were called, each once.
fn order(measurement: &Measurement) -> Vec<SymbolId> {
    let (symbols, full) = (measurement.program().symbols(), measurement.records().full());
    let graph = measurement.graph();
    let of_place = |place| match place {
        CodePlace::Module(module, pc) if full.program() == Some(module) => symbols.find(pc),
        _ => None,
    };
    let arcs = graph.profile().arcs();
    let arcs_of = |id| arcs.children(id).chain(arcs.parents(id).iter().copied()).collect();
    let by_first_call = full.first_calls().into_iter().filter_map(of_place);
    let counted = function_order(graph, arcs_of).into_iter();
    let counted = counted.filter(|id| graph.function(*id).calls != 0);
    let mut known = HashSet::new();
    let all = by_first_call.map(|id| symbols.owner(id)).chain(counted);
    all.filter(|id| known.insert(*id)).collect()
}

/// Writes a line for each pair of functions: caller, callee, calls.
fn call_graph(measurement: &Measurement, out: &mut dyn Write) -> io::Result<()> {
    let (symbols, arcs) = (measurement.program().symbols(), measurement.profile().arcs());
    let mut counts: BTreeMap<(&[u8], &[u8]), u64> = BTreeMap::new();
    for id in arcs.by_age() {
        let arc = arcs.get(*id);
        let [caller, callee] = [arc.caller, arc.callee].map(|id| symbols.get(id));
        if arc.count != 0 && caller.name != EXTERNAL_CALLER {
            let sum = counts.entry((caller.name, callee.name)).or_default();
            *sum = sum.saturating_add(arc.count);
        }
    }
    for ((caller, callee), count) in counts {
        out.write_all(&[caller, b" ", callee, format!(" {count}\n").as_bytes()].concat())?;
    }
    Ok(())
}
