//! Executions of pseudo probes, by counted calls and samples.
//!
//! A piece of code reaches from a block's probe to the next, or to the end of its function. All of it runs equally often, and
//! at least as often as it makes calls. Compilers copy blocks, and with them their probes: the copies add up.
//! [Samples](Sampled) say about how often it ran.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;

use gmon_format::{CallSite, FilePc, SelfPc};

use super::build::source_name;
use super::instances::{Body, Functions, Path, Spot, Targets, body, known};
use super::sampled::Sampled;
use super::speeds::Speeds;
use crate::image::{Probe, ProbeKind, Probes};
use crate::measurement::Measurement;
use crate::symbols::SymbolTable;
use crate::totals::add;

/// Bytes of the longest call. A [`CallSite`] lies within it.
const LONGEST_CALL: u64 = 16;

/// The probe of a function's first block.
const ENTRY: Spot = Spot { offset: 1, discriminator: 0 };

/// The functions with probes that ran.
///
/// # Errors
/// If none ran.
pub(super) fn functions(measurement: &Measurement, probes: &Probes<'_>) -> io::Result<Functions> {
    let sampled = Sampled::of(measurement);
    let symbols = measurement.program().symbols();
    let mut in_order: Vec<&Probe> = probes.probes.iter().collect();
    in_order.sort_unstable_by_key(|probe| probe.address);
    let pieces = Pieces::new(&in_order, symbols);
    let (calls, heads) = calls(measurement, probes, &in_order);
    // Calls that each piece made at one place, or as the first of its function received.
    let mut least: BTreeMap<FilePc, u64> = BTreeMap::new();
    let made = calls.iter().map(|(place, calls)| (*place, calls.made()));
    let entries = probes.probes.iter().filter_map(|probe| {
        let instance = &probes.instances[probe.instance];
        let is_entry = probe.index == u64::from(ENTRY.offset) && instance.caller.is_none();
        let function = probes.functions.get(&instance.function).filter(|_| is_entry)?;
        Some((probe.address, *heads.get(function.name)?))
    });
    for (place, count) in made.chain(entries) {
        let most = least.entry(pieces.of(place).start).or_default();
        *most = count.max(*most);
    }
    // Steps need no correction.
    let speeds = match sampled.has_steps() {
        true => Speeds::default(),
        false => Speeds::of(&least, symbols, |start| {
            sampled.executions(sampled.amount(pieces.of(start)))
        }),
    };
    let (mut functions, mut unseen) = (Functions::new(), Vec::new());
    for probe in in_order {
        let piece = pieces.of(probe.address);
        let least = least.get(&piece.start).copied().unwrap_or_default();
        let estimate = sampled.executions_at(probe.address, piece.clone());
        let calls = calls.get(&probe.address).filter(|_| probe.kind != ProbeKind::Block);
        let executions = match calls {
            // Calls through pointers may lead to functions without hooks, too, so they are not all counted.
            Some(calls) if calls.kind == ProbeKind::DirectCall => calls.made(),
            _ => speeds.apply(symbols.find(piece.start), estimate).max(least),
        };
        if executions == 0 {
            unseen.push(probe);
            continue;
        }
        if let Some(path) = path(probes, probe) {
            let targets = calls.map(|calls| calls.targets.clone()).unwrap_or_default();
            body(&mut functions, &path).add(Body { executions, targets });
        }
    }
    // Of a function without hooks its first block says how often it was called, and the other way round.
    for function in functions.values_mut() {
        function.head = function.bodies.get(&ENTRY).map_or(0, |entry| entry.executions);
    }
    for (name, calls) in heads {
        let function = functions.entry(name).or_default();
        function.head = calls;
        function.bodies.entry(ENTRY).or_default().executions = calls;
    }
    // By samples, code that takes no time and code that never runs look alike. Code that no step fell on runs seldom, and the compiler is
    // to know it: without a word of a branch it takes both sides for equally likely.
    let is_rare = |probe: &&Probe| sampled.has_steps() && probe.kind == ProbeKind::Block;
    for probe in unseen.into_iter().filter(is_rare) {
        let Some(path) = path(probes, probe) else { continue };
        let Some(instance) = known(&mut functions, &path) else { continue };
        if let Some(entry) = instance.bodies.get(&ENTRY) {
            let executions = sampled.unseen().min(entry.executions);
            let body = instance.bodies.entry(path.spot);
            body.or_insert(Body { executions, targets: Targets::new() });
        }
    }
    let checksums: HashMap<&[u8], u64> =
        probes.functions.values().map(|function| (function.name, function.checksum)).collect();
    for (name, instance) in &mut functions {
        instance.set_checksums(name, &checksums);
    }
    if functions.is_empty() {
        let samples = sampled.len();
        let text = format!(
            "the code of none of {samples} samples has pseudo probes, which other code of the program has; compile all of it \
             with -fpseudo-probe-for-profiling"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(functions)
}

/// Calls that were made at one place.
struct Calls {
    kind: ProbeKind,
    targets: Targets,
}

impl Calls {
    /// Forgets what was not called here: a function's last call returns to the function's own caller, and seems to be called there.
    fn keep_own(&mut self) {
        if self.kind == ProbeKind::DirectCall {
            let most = self.targets.values().copied().max();
            self.targets.retain(|_, calls| Some(*calls) == most);
        }
    }

    fn made(&self) -> u64 {
        self.targets.values().fold(0, |sum, calls| sum.saturating_add(*calls))
    }
}

/// Borders of code that runs as a whole, in order.
struct Pieces(Vec<FilePc>);

impl Pieces {
    fn new(probes: &[&Probe], symbols: &SymbolTable) -> Self {
        let blocks = probes.iter().filter(|probe| probe.kind == ProbeKind::Block);
        let mut borders: Vec<FilePc> = blocks.map(|probe| probe.address).collect();
        for symbol in symbols.symbols() {
            let end = symbol.address.saturating_add(symbol.code_len().unwrap_or(0));
            borders.extend([symbol.address, end]);
        }
        borders.sort_unstable();
        borders.dedup();
        Self(borders)
    }

    /// The piece at an address.
    fn of(&self, address: FilePc) -> Range<FilePc> {
        let next = self.0.partition_point(|border| *border <= address);
        let border = |at: usize| self.0.get(at).copied().unwrap_or(address);
        border(next.wrapping_sub(1))..border(next)
    }
}

/// The way to a probe. None if the names on it are unknown, or its index is one that clang does not read.
fn path(probes: &Probes<'_>, probe: &Probe) -> Option<Path> {
    let spot = |index| Some(Spot { offset: u16::try_from(index).ok()?, discriminator: 0 });
    let mut instance = probes.instances[probe.instance];
    let mut inlined = Vec::new();
    loop {
        let name = probes.functions.get(&instance.function)?.name.to_vec();
        let Some((caller, call)) = instance.caller else {
            inlined.reverse();
            return Some(Path { function: name, inlined, spot: spot(probe.index)? });
        };
        inlined.push((spot(call)?, name));
        instance = probes.instances[caller];
    }
}

/// Counted calls: by the addresses of the calls, and of each function with probes. These are in the order of their addresses.
fn calls(
    measurement: &Measurement,
    probes: &Probes<'_>,
    in_order: &[&Probe],
) -> (BTreeMap<FilePc, Calls>, Targets) {
    let symbols = measurement.program().symbols();
    let (mut calls, mut heads) = (BTreeMap::<FilePc, Calls>::new(), Targets::new());
    for arc in measurement.records().arcs() {
        let (SelfPc(callee), CallSite(site)) = (arc.self_pc, arc.from_pc);
        let Some(callee) = symbols.find(callee) else { continue };
        let symbol = symbols.get(callee);
        let end = symbol.address.saturating_add(symbol.code_len().unwrap_or(0));
        let start = in_order.partition_point(|probe| probe.address < symbol.address);
        // The linker may know a function by another name, as of two constructors with one code.
        let mut of_callee = in_order[start..].iter().take_while(|probe| probe.address < end);
        let probed = of_callee.find_map(|probe| {
            let instance = &probes.instances[probe.instance];
            let own = Some(&instance.function).filter(|_| instance.caller.is_none());
            Some(probes.functions.get(own?)?.name)
        });
        if let Some(name) = probed {
            add(heads.entry(name.to_vec()).or_default(), arc.count);
        }
        let name = probed.unwrap_or(source_name(symbol.name));
        let behind = in_order.partition_point(|probe| probe.address <= site);
        let before = in_order[..behind].iter().rev();
        let mut near = before.take_while(|probe| site - probe.address < LONGEST_CALL);
        if let Some(call) = near.find(|probe| probe.kind != ProbeKind::Block) {
            let calls = calls.entry(call.address);
            let calls = calls.or_insert(Calls { kind: call.kind, targets: Targets::new() });
            add(calls.targets.entry(name.to_vec()).or_default(), arc.count);
        }
    }
    calls.values_mut().for_each(Calls::keep_own);
    (calls, heads)
}
