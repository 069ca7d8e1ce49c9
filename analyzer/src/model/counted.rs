//! The model of a profile without stacks: calls are exact, and inclusive times are apportioned by them, as GNU
//! gprof does it.

use std::collections::{BTreeMap, HashMap};

use gmon_format::{CallSite, hooks};

use super::address::Address;
use super::build_key;
use super::document::{Arc, Cycle, Function, Kind, Module, Sampling};
use super::draft::Draft;
use super::ids::{CycleId, FileId, FunctionId, ModuleId};
use super::places::{Positions, places};
use super::shares::{by_weight, whole_shares};
use crate::analysis::{ArcKind, CallGraph};
use crate::image::{Lines, Location};
use crate::measurement::Measurement;
use crate::profile::{Grain, NO_SYMBOL};
use crate::report::{NameStyle, Names};
use crate::symbols::SymbolId;
use crate::totals::add;

/// The name of what stands for callers outside of the program.
pub(crate) const EXTERNAL_CALLER: &[u8] = hooks::EXTERNAL_CALLER.as_bytes();

/// The parts of the model.
pub(super) fn draft(
    measurement: &Measurement,
    style: NameStyle,
    sampling: &Sampling,
    grain: Grain,
) -> Draft {
    let program = measurement.program();
    let lines = if grain == Grain::Lines { program.lines() } else { Lines::unknown() };
    let mut draft = Draft::default();
    let image = program.image();
    draft.modules.push(Module {
        id: ModuleId(0),
        path: image.path().to_string_lossy().into_owned(),
        build_id: build_key::of_image(image),
        arch: Some(image.machine_name()),
    });
    let names = measurement.names(style);
    let positions = add_functions(&mut draft, measurement, (&names, lines), sampling);
    add_arcs(&mut draft, measurement, (&positions, lines), sampling);
    add_cycles(&mut draft, measurement.graph(), &positions, sampling);
    if grain == Grain::Lines {
        places(&mut draft, measurement, &positions);
    }
    draft
}

/// All functions that were called, seen by samples, or called others.
fn add_functions(
    draft: &mut Draft,
    measurement: &Measurement,
    (names, lines): (&Names<'_>, Lines<'_>),
    sampling: &Sampling,
) -> Positions {
    let graph = measurement.graph();
    let symbols = measurement.program().symbols();
    let callers = graph.profile().arcs().list().iter().filter(|arc| arc.count > 0);
    let callers: std::collections::HashSet<SymbolId> = callers.map(|arc| arc.caller).collect();
    let is_used = |id: &SymbolId| {
        let costs = graph.function(*id);
        costs.all_calls() != 0 || costs.time > 0.0 || callers.contains(id)
    };
    let is_external = |id: &SymbolId| names.raw(*id) == EXTERNAL_CALLER;
    let mut ids: Vec<SymbolId> = symbols.ids().filter(is_used).collect();
    ids.retain(|id| !is_external(id) && symbols.unknown() != Some(*id));
    let mut parts: Vec<f64> = ids.iter().map(|id| graph.function(*id).time).collect();
    parts.push(graph.total_ticks() - parts.iter().sum::<f64>());
    let mut shares = whole_shares(&parts, sampling.samples);
    let elsewhere = shares.pop().unwrap_or(0);
    let mut positions = Positions::new();
    for (&id, &samples) in ids.iter().zip(&shares) {
        let costs = graph.function(id);
        let total = (costs.time + costs.child_time) * sampling.period_ns as f64;
        let mut function = of_symbol(draft, measurement, (names, lines), id);
        let calls = costs.all_calls();
        function.calls = (calls != 0).then_some(calls);
        function.recursive_calls = costs.self_calls;
        function.samples = samples;
        function.self_ns = sampling.time(samples);
        function.total_ns = (total.round() as u64).max(function.self_ns);
        positions.insert(id, FunctionId(draft.functions.len() as u32));
        draft.functions.push(function);
    }
    let unknown = symbols.unknown().map(|id| (id, graph.function(id).all_calls()));
    let calls = unknown.map_or(0, |(_, calls)| calls);
    if elsewhere > 0 || calls > 0 {
        positions.extend(unknown.map(|(id, _)| (id, FunctionId(draft.functions.len() as u32))));
        let (self_ns, name) = (sampling.time(elsewhere), NO_SYMBOL.to_owned());
        draft.functions.push(Function {
            kind: Kind::NoSymbol,
            calls: (calls != 0).then_some(calls),
            samples: elsewhere,
            self_ns,
            total_ns: self_ns,
            ..Function::named(Some(ModuleId(0)), name)
        });
    }
    positions
}

/// Facts in the program about a function.
fn of_symbol(
    draft: &mut Draft,
    measurement: &Measurement,
    (names, lines): (&Names<'_>, Lines<'_>),
    id: SymbolId,
) -> Function {
    let symbol = measurement.program().symbols().get(id);
    let place = lines.locate(symbol.address);
    Function {
        display: String::from_utf8_lossy(names.plain(id)).into_owned(),
        address: Some(Address(symbol.address.0)),
        size: symbol.code_len(),
        file: place.map(|place| draft.files.position(lines.path(place.file))),
        line: place.map(|place| place.line.get()),
        ..Function::named(Some(ModuleId(0)), String::from_utf8_lossy(symbol.name).into_owned())
    }
}

/// The calls by line, each with its part of what the caller was charged with for the callee.
fn add_arcs(
    draft: &mut Draft,
    measurement: &Measurement,
    (positions, lines): (&Positions, Lines<'_>),
    sampling: &Sampling,
) {
    let graph = measurement.graph();
    type SourcePlace = Option<(FileId, u32)>;
    let mut sites: BTreeMap<(Option<FunctionId>, FunctionId), BTreeMap<SourcePlace, u64>> =
        BTreeMap::new();
    for call in measurement.records().arcs().iter().filter(|call| call.count > 0) {
        let Some((caller, callee)) = graph.profile().ends(call) else { continue };
        let Some(&callee) = positions.get(&callee) else { continue };
        let caller = caller.and_then(|caller| positions.get(&caller).copied());
        let CallSite(site) = call.from_pc;
        let place = lines.locate(site).filter(|_| caller.is_some());
        let mut position =
            |Location { file, line }| (draft.files.position(lines.path(file)), line.get());
        let calls = sites.entry((caller, callee)).or_default();
        add(calls.entry(place.map(&mut position)).or_default(), call.count);
    }
    let times: HashMap<(FunctionId, FunctionId), Option<u64>> = graph
        .arcs()
        .filter_map(|arc| {
            let pair = (*positions.get(&arc.arc.caller)?, *positions.get(&arc.arc.callee)?);
            let time = (arc.own + arc.children) * sampling.period_ns as f64;
            // Nothing is passed on within a cycle.
            Some((pair, (arc.kind == ArcKind::Outside).then_some(time.round() as u64)))
        })
        .collect();
    for ((caller, callee), places) in sites {
        let time = caller.and_then(|caller| times.get(&(caller, callee)).copied().flatten());
        let calls: Vec<u64> = places.values().copied().collect();
        let parts = time.map(|time| by_weight(time, &calls));
        for (index, (place, calls)) in places.into_iter().enumerate() {
            draft.arcs.push(Arc {
                caller,
                callee,
                file: place.map(|(file, _)| file),
                line: place.map(|(_, line)| line),
                calls: Some(calls),
                total_ns: parts.as_ref().map(|parts| parts[index]),
                ..Arc::default()
            });
        }
    }
}

fn add_cycles(draft: &mut Draft, graph: &CallGraph, positions: &Positions, sampling: &Sampling) {
    for id in graph.cycles() {
        let costs = graph.cycle(id);
        let functions = graph.members(id).iter().filter_map(|id| positions.get(id).copied());
        let functions: Vec<FunctionId> = functions.collect();
        let own = functions.iter().map(|it| draft.functions[it.index()].samples).sum();
        let self_ns = sampling.time(own);
        let total = (costs.time + costs.child_time) * sampling.period_ns as f64;
        draft.cycles.push(Cycle {
            id: CycleId(0),
            functions,
            calls_within: costs.self_calls,
            self_ns,
            total_ns: (total.round() as u64).max(self_ns),
        });
    }
}

impl Function {
    /// A function of which nothing else is known yet.
    pub(super) fn named(module: Option<ModuleId>, name: String) -> Self {
        Self { module, display: name.clone(), name, ..Self::default() }
    }
}
