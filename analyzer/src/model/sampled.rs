//! The model of a profile with stacks: inclusive times are those of samples that found a function on the stack.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;

use super::address::Address;
use super::counted::{EXTERNAL_CALLER, NO_SYMBOL};
use super::document::{Arc, Frame, Function, Kind, Model, Module, Place, Thread};
use super::draft::Draft;
use super::lines::with_line_samples;
use super::stacks::Node;
use super::walk::{Inlined, Site, samples_of_sites, totals_of_groups};
use super::{build_key, cycles};
use crate::image::Lines;
use crate::measurement::Measurement;
use crate::profile::{self, Contexts, FunctionId, SourceCall, SourceLine};
use crate::program::Program;
use crate::records::ModuleId;
use crate::report::{NameStyle, Names};

/// The name of what the profiler itself did.
pub(super) const HOOKS: &str = "[profiling hooks]";

/// The parts of the model, without what only all stacks together show.
pub(super) fn draft(measurement: &Measurement, style: NameStyle) -> Draft {
    let contexts = measurement.contexts_by_line();
    let mut draft = Draft::default();
    let modules = add_modules(&mut draft, measurement);
    let functions = add_functions(&mut draft, measurement, &contexts, &modules, style);
    let files: Vec<u32> = contexts.files().iter().map(|path| draft.files.position(path)).collect();
    let function = |id: FunctionId| functions[id.index()];
    let place = |line: Option<SourceLine>| {
        (line.map(|line| files[line.file as usize]), line.map(|line| line.line))
    };
    draft.threads = threads(&contexts);

    let mut frames: HashMap<Frame, u32> = HashMap::new();
    let mut frame_of = |list: &mut Vec<Frame>, frame: Frame| {
        *frames.entry(frame).or_insert_with(|| {
            list.push(frame);
            list.len() as u32 - 1
        })
    };
    for context in contexts.contexts() {
        let (file, line) = place(context.line);
        let function = function(context.function);
        let frame = Frame { function, file, line, inlined: context.is_inlined };
        let (parent, thread) = (context.parent, context.thread.0);
        let frame = frame_of(&mut draft.frames, frame);
        let (samples, signals) = (context.own.weight, context.own.samples);
        draft.nodes.push(Node { parent, thread, frame, samples, signals });
    }
    if contexts.overhead().weight != 0 {
        let function = draft.functions.len() as u32;
        let hooks = Function::named(None, HOOKS.to_owned());
        draft.functions.push(Function { kind: Kind::Hooks, ..hooks });
        let frame = Frame { function, file: None, line: None, inlined: false };
        let frame = frame_of(&mut draft.frames, frame);
        for (thread, looks) in contexts.overhead_by_thread() {
            let (thread, samples, signals) = (thread.0, looks.weight, looks.samples);
            draft.nodes.push(Node { parent: None, thread, frame, samples, signals });
        }
    }
    draft.arcs = counted_arcs(&draft, contexts.sites(), function, place);
    draft
}

/// The modules, the program first, and their positions.
fn add_modules(draft: &mut Draft, measurement: &Measurement) -> Vec<u32> {
    let records = measurement.records().full();
    let mut ids: Vec<u32> = (0..records.modules().len() as u32).collect();
    // Sorting keeps the order of equals.
    ids.sort_by_key(|id| records.program() != Some(ModuleId(*id)));
    let mut positions = vec![0; ids.len()];
    for (position, id) in (0..).zip(ids) {
        positions[id as usize] = position;
        let module = &records.modules()[id as usize];
        let program = measurement.modules().get(ModuleId(id)).program();
        draft.modules.push(Module {
            id: position,
            path: String::from_utf8_lossy(&module.path).into_owned(),
            build_id: match module.build_id.is_empty() {
                true => program.and_then(|program| build_key::of_image(program.image())),
                false => Some(build_key::of_build_id(&module.build_id)),
            },
            arch: program.map(|program| program.image().machine_name()),
        });
    }
    positions
}

/// The functions, and their positions.
fn add_functions(
    draft: &mut Draft,
    measurement: &Measurement,
    contexts: &Contexts,
    modules: &[u32],
    style: NameStyle,
) -> Vec<u32> {
    let mut names: HashMap<ModuleId, Names<'_>> = HashMap::new();
    let mut nameless: HashMap<Option<u32>, u32> = HashMap::new();
    let mut positions = Vec::with_capacity(contexts.functions().len());
    for function in contexts.functions() {
        let module = function.module.map(|id| modules[id.index()]);
        let next = draft.functions.len() as u32;
        let kind = kind_of(function);
        if kind == Kind::NoSymbol {
            let position = *nameless.entry(module).or_insert(next);
            positions.push(position);
            if position == next {
                let nameless = Function::named(module, NO_SYMBOL.to_owned());
                draft.functions.push(Function { kind, ..nameless });
            }
            continue;
        }
        let name = match function.incomplete {
            Some(incomplete) => format!("[{}]", incomplete.reason()),
            None => String::from_utf8_lossy(&function.name).into_owned(),
        };
        let display = match function.incomplete {
            Some(_) => name.clone(),
            None => {
                let program = function.module.map(|id| measurement.modules().get(id).program());
                let lines = program.flatten().map_or(Lines::unknown(), Program::lines);
                let readable = style.name_of_inlined(lines, &function.name);
                String::from_utf8_lossy(&readable).into_owned()
            }
        };
        let mut known = Function { kind, display, ..Function::named(module, name) };
        let program = function.module.and_then(|id| measurement.modules().get(id).program());
        if let (Some(id), Some(program), Some(address)) =
            (function.module, program, function.address)
        {
            let names = names
                .entry(id)
                .or_insert_with(|| Names::new(program.symbols(), program.lines()).styled(style));
            describe(draft, &mut known, program, names, address);
        }
        positions.push(next);
        draft.functions.push(known);
    }
    positions
}

fn kind_of(function: &profile::Function) -> Kind {
    match function {
        it if it.incomplete.is_some() => Kind::Incomplete,
        it if it.address.is_some() => Kind::Code,
        it if it.is_inlined => Kind::Inlined,
        _ => Kind::NoSymbol,
    }
}

/// Adds what the file of its module says about a function.
fn describe(
    draft: &mut Draft,
    function: &mut Function,
    program: &Program,
    names: &Names<'_>,
    address: FilePc,
) {
    function.address = Some(Address(address.0));
    let (symbols, lines) = (program.symbols(), program.lines());
    if let Some(id) = symbols.find(address) {
        let symbol = symbols.get(id);
        function.size = symbol.code_len();
        if symbol.name == function.name.as_bytes() {
            function.display = String::from_utf8_lossy(names.plain(id)).into_owned();
        }
    }
    if let Some(place) = lines.locate(address) {
        function.file = Some(draft.files.position(lines.path(place.file)));
        function.line = Some(place.line.get());
    }
}

fn threads(contexts: &Contexts) -> Vec<Thread> {
    let thread = |thread: &crate::records::Thread| Thread {
        id: 0,
        pid: thread.process,
        tid: thread.id,
        name: String::from_utf8_lossy(&thread.name).into_owned(),
    };
    contexts.threads().iter().map(thread).collect()
}

/// Calls that were counted, by line.
fn counted_arcs(
    draft: &Draft,
    sites: &BTreeMap<SourceCall, u64>,
    function: impl Fn(FunctionId) -> u32,
    place: impl Fn(Option<SourceLine>) -> (Option<u32>, Option<u32>),
) -> Vec<Arc> {
    let is_external = |id: &u32| draft.functions[*id as usize].name.as_bytes() == EXTERNAL_CALLER;
    let arc = |(site, &count): (&SourceCall, &u64)| {
        let (caller, within) = (function(site.caller), function(site.within));
        let caller = Some(caller).filter(|caller| !is_external(caller));
        let (file, line) = place(site.line.filter(|_| caller.is_some()));
        Arc {
            caller,
            callee: function(site.callee),
            file,
            line,
            calls: Some(count),
            total_ns: Some(0),
            within: Some(within).filter(|it| caller.is_some() && caller != Some(*it)),
            inlined: false,
        }
    };
    sites.iter().map(arc).collect()
}

/// The samples of functions by line, each in the function whose code it is, beside the executions.
fn places(model: &Model) -> Vec<Place> {
    let executed = model.places.iter().filter(|place| place.executions.is_some());
    let executed = executed.map(|it| ((it.function, it.file, it.line), (0, it.executions)));
    type Key = (u32, Option<u32>, Option<u32>);
    let mut places: BTreeMap<Key, (u64, Option<u64>)> = executed.collect();
    let mut within: Vec<u32> = Vec::with_capacity(model.stacks.nodes().len());
    for node in model.stacks.nodes() {
        let Frame { function, file, line, inlined } = model.frames[node.frame as usize];
        let outer = node.parent.filter(|_| inlined);
        let code = outer.map_or(function, |parent| within[parent as usize]);
        within.push(code);
        if node.samples != 0 {
            places.entry((code, file, line)).or_default().0 += node.samples;
        }
    }
    let place = |((function, file, line), (samples, executions))| Place {
        function,
        file,
        line,
        samples,
        executions,
    };
    places.into_iter().map(place).collect()
}

/// Adds what only all stacks together show: inclusive times, calls that were seen, and cycles.
pub(super) fn add_inclusive(mut model: Model) -> Model {
    let mut sites: BTreeMap<Site, (Option<u64>, u64)> = BTreeMap::new();
    for arc in &model.arcs {
        let &Arc { caller, callee, file, line, calls, within, inlined, .. } = arc;
        let site = Site { caller, callee, file, line, within, inlined };
        let sum = &mut sites.entry(site).or_default().0;
        *sum = Some(sum.unwrap_or(0).saturating_add(calls.unwrap_or(0)));
    }
    for (site, samples) in samples_of_sites(&model.stacks, &model.frames, Inlined::Apart) {
        sites.entry(site).or_default().1 = samples;
    }
    let frames = &model.frames;
    let group = |frame: u32| Some(frames[frame as usize].function);
    let count = model.functions.len();
    let totals = totals_of_groups(&model.stacks, count, group, |node| node.samples);
    for (function, total) in model.functions.iter_mut().zip(totals) {
        function.total_ns = model.sampling.time(total);
    }
    for function in &mut model.functions {
        (function.samples, function.calls, function.recursive_calls) = (0, None, 0);
        function.cycle = None;
    }
    for node in model.stacks.nodes() {
        let function = model.frames[node.frame as usize].function as usize;
        model.functions[function].samples += node.samples;
    }
    for (site, (calls, _)) in &sites {
        if let Some(calls) = calls {
            let callee = &mut model.functions[site.callee as usize];
            callee.calls = Some(callee.calls.unwrap_or(0).saturating_add(*calls));
            if site.within.or(site.caller) == Some(site.callee) {
                callee.recursive_calls = callee.recursive_calls.saturating_add(*calls);
            }
        }
    }
    model.places = places(&model);
    for function in &mut model.functions {
        function.self_ns = model.sampling.time(function.samples);
    }
    model.arcs = sites
        .into_iter()
        .map(|(site, (calls, samples))| {
            let Site { caller, callee, file, line, within, inlined } = site;
            let total_ns = caller.is_some().then(|| model.sampling.time(samples));
            Arc { caller, callee, file, line, calls, total_ns, within, inlined }
        })
        .collect();
    cycles::with_cycles(with_line_samples(model))
}
