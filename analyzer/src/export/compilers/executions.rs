//! Executions of spots of the source, by counted calls and samples.
//!
//! Counted calls are exact: they say how often a function was entered, and how often a line called which other.
//! [Samples](Sampled) say about how often code ran. A spot ran at least as often as it made calls.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use gmon_format::{CallSite, FilePc, SelfPc};

use super::build::source_name;
use super::instances::{Body, Functions, Path, Spot, body};
use super::sampled::{Amount, Sampled};
use crate::image::{self, Dialect, FunctionName, FunctionTable, Lines};
use crate::measurement::Measurement;
use crate::symbols::{SymbolId, SymbolTable};
use crate::totals::add;

/// Finds where in the source code was written.
struct Source<'m> {
    functions: &'m FunctionTable,
    lines: Lines<'m>,
    symbols: &'m SymbolTable,
    /// Makes the compiler's number for a part of a line of what debug information has.
    discriminator: fn(u32) -> u32,
}

/// The functions of the program that ran. `discriminator` makes the compiler's number for a part of a line of what debug
/// information has.
///
/// # Errors
/// If debug information says of nothing that ran where it was written.
pub(super) fn functions(
    measurement: &Measurement,
    discriminator: fn(u32) -> u32,
) -> io::Result<Functions> {
    let program = measurement.program();
    let source = Source {
        functions: program.image().functions(Dialect::Standard),
        lines: program.lines(),
        symbols: program.symbols(),
        discriminator,
    };
    let mut functions = Functions::new();
    let sampled = Sampled::of(measurement);
    add_samples(&mut functions, &source, measurement, &sampled);
    add_calls(&mut functions, &source, measurement);
    functions.retain(|_, instance| !instance.is_empty());
    if functions.values().all(|instance| instance.total() == 0) {
        let samples = sampled.len();
        let text = format!(
            "the code of none of {samples} samples is in debug information with lines; compile with -g"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(functions)
}

/// Adds what samples say of all functions that have some.
fn add_samples(
    functions: &mut Functions,
    source: &Source<'_>,
    measurement: &Measurement,
    sampled: &Sampled,
) {
    let symbols: BTreeSet<SymbolId> =
        sampled.addresses().filter_map(|pc| source.symbols.find(pc)).collect();
    let mut amounts: BTreeMap<Path, Amount> = BTreeMap::new();
    for id in symbols {
        let symbol = source.symbols.get(id);
        let start = symbol.address;
        let range = start..FilePc(start.0 + symbol.code_len().unwrap_or(0));
        let mut borders: Vec<FilePc> =
            source.lines.pieces(range.clone()).map(|piece| piece.code.start).collect();
        borders.extend(source.functions.borders(&range).filter(|border| range.contains(border)));
        borders.extend([range.start, range.end]);
        borders.sort_unstable();
        borders.dedup();
        for piece in borders.windows(2) {
            let Some(path) = source.path(piece[0]) else { continue };
            amounts.entry(path).or_default().add(sampled.amount(piece[0]..piece[1]));
        }
    }
    let amounts = amounts.into_iter().filter(|(_, amount)| !amount.is_empty());
    let estimates: Vec<(Path, u64)> =
        amounts.map(|(path, amount)| (path, sampled.executions(amount))).collect();
    // A loop whose calls are counted, but whose other lines seem to run less often, would look as if it ended after each
    // call. So calls say how fast the instructions of their function are.
    let calls = if sampled.has_steps() { BTreeMap::new() } else { calls(source, measurement) };
    let mut of_lines: BTreeMap<Path, u64> = BTreeMap::new();
    for (path, estimate) in &estimates {
        let most = of_lines.entry(whole_line(path)).or_default();
        *most = (*most).max(*estimate);
    }
    let mut known: BTreeMap<&[u8], [u128; 2]> = BTreeMap::new();
    for (line, calls) in &calls {
        if let Some(estimate) = of_lines.get(line) {
            let sums = known.entry(&line.function).or_default();
            sums[0] += u128::from(*calls);
            sums[1] += u128::from(*estimate);
        }
    }
    for (path, estimate) in &estimates {
        let [calls, estimated] = known.get(&*path.function).copied().unwrap_or([1, 1]);
        let executions = u128::from(*estimate) * calls / estimated;
        let body = body(functions, path);
        body.executions = body.executions.max(u64::try_from(executions).unwrap_or(u64::MAX).max(1));
    }
}

/// The most calls that one part of each line made. A call and what is beside it are often different parts.
fn calls(source: &Source<'_>, measurement: &Measurement) -> BTreeMap<Path, u64> {
    let mut of_parts: BTreeMap<Path, u64> = BTreeMap::new();
    for arc in measurement.records().arcs() {
        let CallSite(site) = arc.from_pc;
        if let Some(path) = source.path(site) {
            add(of_parts.entry(path).or_default(), arc.count);
        }
    }
    let mut calls: BTreeMap<Path, u64> = BTreeMap::new();
    for (path, count) in of_parts {
        let most = calls.entry(whole_line(&path)).or_default();
        *most = (*most).max(count);
    }
    calls
}

/// The way to a line, whatever part of it is meant.
fn whole_line(path: &Path) -> Path {
    Path { spot: Spot { discriminator: 0, ..path.spot }, ..path.clone() }
}

/// Adds the calls that were counted.
fn add_calls(functions: &mut Functions, source: &Source<'_>, measurement: &Measurement) {
    let mut entries: BTreeMap<SymbolId, u64> = BTreeMap::new();
    for arc in measurement.records().arcs() {
        let SelfPc(callee) = arc.self_pc;
        let Some(name) = source.name(callee) else { continue };
        if let Some(function) = source.symbols.find(callee) {
            add(entries.entry(function).or_default(), arc.count);
        }
        add(&mut functions.entry(name.clone()).or_default().head, arc.count);
        let CallSite(site) = arc.from_pc;
        if let Some(path) = source.path(site) {
            let Body { executions, targets } = body(functions, &path);
            add(targets.entry(name).or_default(), arc.count);
            let made = targets.values().fold(0, |sum: u64, calls| sum.saturating_add(*calls));
            *executions = (*executions).max(made);
        }
    }
    for (function, calls) in entries {
        for path in source.start(function) {
            let body = body(functions, &path);
            body.executions = body.executions.max(calls);
        }
    }
}

impl Source<'_> {
    /// The way to the code at an address, if debug information knows all of it.
    fn path(&self, address: FilePc) -> Option<Path> {
        let frames: Vec<_> = self.functions.frames(address).collect();
        let outermost = defined(frames.last()?)?;
        let mut inlined = Vec::with_capacity(frames.len() - 1);
        for pair in frames.windows(2).rev() {
            let (inner, outer) = (&pair[0], defined(&pair[1])?);
            let call = inner.call?;
            let spot = self.spot(call.line, outer.line, call.discriminator);
            inlined.push((spot, defined(inner)?.name.to_vec()));
        }
        let line = self.lines.locate(address)?.line.get();
        let innermost = defined(&frames[0])?;
        let spot = self.spot(line, innermost.line, self.lines.discriminator(address));
        Some(Path { function: outermost.name.to_vec(), inlined, spot })
    }

    /// The ways to code that runs whenever a function is called: its first line, and the next, before which debuggers stop.
    fn start(&self, function: SymbolId) -> impl Iterator<Item = Path> {
        let symbol = self.symbols.get(function);
        let range = symbol.address..FilePc(symbol.address.0 + symbol.code_len().unwrap_or(0));
        let pieces: Vec<_> =
            self.lines.pieces(range).take(2).map(|piece| piece.code.start).collect();
        pieces.into_iter().filter_map(|start| self.path(start))
    }

    fn spot(&self, line: u32, defined: u32, discriminator: u32) -> Spot {
        let offset = line.wrapping_sub(defined) as u16;
        Spot { offset, discriminator: (self.discriminator)(discriminator) }
    }

    /// The name of the function at an address, without what compilers append for copies and parts of it.
    fn name(&self, address: FilePc) -> Option<Vec<u8>> {
        let named = self.functions.frames(address).last().and_then(|frame| frame.function);
        if let Some(function) = named {
            return Some(function.name.to_vec());
        }
        let name = self.symbols.get(self.symbols.find(address)?).name;
        Some(source_name(name).to_vec())
    }
}

/// The function of a frame, if it is known where it is defined.
fn defined<'f>(frame: &image::Frame<'f>) -> Option<FunctionName<'f>> {
    frame.function.filter(|function| function.line != 0)
}
